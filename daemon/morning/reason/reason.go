package reason

import (
	"cmp"
	"slices"

	"nightjar/model"
	"nightjar/model/logistic"
	"nightjar/model/text"
)

const (
	mostTelling = 12  // words of a page that are compared with those of marked pages
	mostNamed   = 3   // words and phrases that are named
	leastShare  = 0.2 // of the most telling word's contribution that a word needs to be named
	longest     = 200_000
)

// Found is why a page is a find.
type Found struct {
	Words   []string // words and phrases as the page writes them, the most telling first
	Passage string   // of the text; see passage
	Like    int      // the marked page that shares most of the telling words: an index into Bundle.Pages, -1 for none
}

// word is a word of the page and by how much it raises the log odds that the page is useful.
type word struct {
	feature int32
	worth   float64
}

// Of finds the reason for a page by the model that judged it. declared is the language that the page declares. body, the text of
// the page, has a line for each of its blocks; only its first 200,000 bytes are read.
//
// When a marked page has any of the page's telling words, Words are among those that it has. Otherwise the marked page is the one
// whose words are most alike as a whole, and Words are whatever speaks for the page, if anything does. common returns those of some
// words that most pages of the site have: they tell nothing of this one. It may be nil.
func Of(b *model.Bundle, declared, title, body string, common func(words []string) []string) Found {
	body = body[:min(len(body), longest)]
	language := text.LanguageOf(declared, body)
	row := b.Features.Row(b.WordsIn(language, body))
	p := read(newStemmer(language), title, body)
	telling := p.without(common, b, tellingWords(b, row))
	like, shared := nearest(b, row, telling)
	if len(shared) > 0 {
		telling = shared
	}
	worth := map[string]float64{}
	for _, w := range telling {
		worth[b.Features.Terms[w.feature]] = w.worth
	}
	named := p.named(worth)
	return Found{Words: named, Passage: p.passage(worth, named), Like: like}
}

// without leaves out the telling words that are common.
func (p *pageText) without(common func([]string) []string, b *model.Bundle, telling []word) []word {
	if common == nil || len(telling) == 0 {
		return telling
	}
	written := map[string]string{} // a form of each word, by its stem
	for _, s := range []struct {
		text  string
		words []token
	}{{p.title, p.heading}, {p.text, p.words}} {
		for _, w := range s.words {
			written[w.stem] = s.text[w.from:w.to]
		}
	}
	var all []string
	for _, w := range telling {
		if form := written[b.Features.Terms[w.feature]]; form != "" {
			all = append(all, form)
		}
	}
	out := map[string]bool{}
	for _, form := range common(all) {
		out[form] = true
	}
	return slices.DeleteFunc(telling, func(w word) bool { return out[written[b.Features.Terms[w.feature]]] })
}

// tellingWords lists the words that raise the score of a page most, the largest first.
func tellingWords(b *model.Bundle, row logistic.Row) []word {
	var all []word
	for i, f := range row.Index {
		if worth := -b.Judge.Slope * float64(row.Value[i]) * float64(b.Judge.Weights[f]); worth > 0 {
			all = append(all, word{f, worth})
		}
	}
	slices.SortStableFunc(all, func(a, b word) int { return cmp.Compare(b.worth, a.worth) })
	for i, w := range all {
		if i == mostTelling || w.worth < leastShare*all[0].worth {
			return all[:i]
		}
	}
	return all
}

// nearest is the page marked Useful whose words among the telling ones are worth most, and of equal ones the one most alike
// as a whole. shared are these words.
func nearest(b *model.Bundle, row logistic.Row, telling []word) (page int, shared []word) {
	page = -1
	var most, closest float64
	for i, p := range b.Pages {
		if !p.Target || i >= len(b.Lessons.Pages) {
			continue
		}
		words := b.Lessons.Pages[i]
		var has []word
		sum := 0.0
		for _, w := range telling {
			if _, ok := slices.BinarySearch(words.Index, w.feature); ok {
				has, sum = append(has, w), sum+w.worth
			}
		}
		if sum < most {
			continue
		}
		if alike := cosine(row, b.Features.Row(words)); sum > most || alike > closest {
			page, shared, most, closest = i, has, sum, alike
		}
	}
	return page, shared
}

// cosine is that of two rows of length 1.
func cosine(a, b logistic.Row) (sum float64) {
	for i, j := 0, 0; i < len(a.Index) && j < len(b.Index); {
		switch {
		case a.Index[i] < b.Index[j]:
			i++
		case a.Index[i] > b.Index[j]:
			j++
		default:
			sum += float64(a.Value[i]) * float64(b.Value[j])
			i, j = i+1, j+1
		}
	}
	return sum
}
