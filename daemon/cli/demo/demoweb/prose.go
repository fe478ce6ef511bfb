package demoweb

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// mix is what a text is about: themes with weights, whose sum is positive.
type mix []share

// share is one theme of a mix.
type share struct {
	theme  string
	weight float64
}

// writer writes English-looking text about themes. The same random source writes the same text.
type writer struct{ rng *rand.Rand }

// grammar holds patterns of sentences: N is a noun, P a plural, A an adjective, V a verb in the third person, @ an
// indefinite article, W an adverbial of time. Other words are literal.
var grammar = []string{
	"The A N V the N .", "@ A N V the P W .", "Each N V @ A N .", "W the N V the A N and the N .",
	"The P and the A P are part of every N .", "@ N rarely V @ N without @ A N .", "Most P begin as @ A N .",
	"No N is older than the A N , which V the N .", "W @ N V the N , and the A N V the N .", "Between the N and the N lies @ A N .",
	"The N of the A N is @ N .", "Many P depend on @ A N .", "Why the N V the N has much to do with the A N .",
	"Two P and one N make @ A N .", "What V the N also V the A N .", "Beside the N there is always @ A N .",
}

// whens are adverbials of time.
var whens = []string{
	"last spring", "every winter", "this year", "for decades", "in early summer", "each morning", "since then", "in most years", "by night", "over time",
}

// pick draws one of words.
func (w writer) pick(words []string) string { return words[w.rng.IntN(len(words))] }

// theme draws a theme by weight.
func (w writer) theme(m mix) theme {
	var sum float64
	for _, s := range m {
		sum += s.weight
	}
	at := w.rng.Float64() * sum
	for _, s := range m {
		if at -= s.weight; at < 0 {
			return themes[s.theme]
		}
	}
	return themes[m[len(m)-1].theme]
}

// sentence writes a sentence, mostly with words of one theme.
func (w writer) sentence(m mix) string {
	own := w.theme(m)
	of := func() theme {
		if w.rng.Float64() < 0.2 {
			return w.theme(m)
		}
		return own
	}
	used := make(map[string]bool) // each noun occurs once in a sentence
	noun := func() string {
		for {
			if n := w.pick(of().nouns); !used[n] {
				used[n] = true
				return n
			}
		}
	}
	var words []string
	for slot := range strings.FieldsSeq(w.pick(grammar)) {
		switch slot {
		case "N":
			slot = noun()
		case "P":
			slot = plural(noun())
		case "A":
			slot = w.pick(of().adjectives)
		case "V":
			slot = w.pick(of().verbs)
		case "W":
			slot = w.pick(whens)
		}
		words = append(words, slot)
	}
	return finish(words)
}

// finish joins words into a sentence, with articles, punctuation and a capital letter.
func finish(words []string) string {
	var b strings.Builder
	for i, word := range words {
		if word == "@" {
			word = article(words[i+1])
		}
		if i > 0 && word != "." && word != "," {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return capital(b.String())
}

// article is the indefinite article of a word.
func article(word string) string {
	for _, sounding := range []string{"eu", "uni", "use"} {
		if strings.HasPrefix(word, sounding) {
			return "a"
		}
	}
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an"
	}
	return "a"
}

// paragraph writes n sentences.
func (w writer) paragraph(m mix, n int) string {
	sentences := make([]string, n)
	for i := range sentences {
		sentences[i] = w.sentence(m)
	}
	return strings.Join(sentences, " ")
}

// headline writes a title of a few words about a theme, such as "Retreating moraines and the ice core".
func (w writer) headline(name string) string {
	t := themes[name]
	a, b := w.pick(t.nouns), w.pick(t.nouns)
	for b == a {
		b = w.pick(t.nouns)
	}
	switch w.rng.IntN(4) {
	case 0:
		return capital(w.pick(t.adjectives) + " " + plural(a) + " and the " + b)
	case 1:
		return capital("how the " + a + " " + w.pick(t.verbs) + " the " + b)
	case 2:
		return capital("on the " + w.pick(t.adjectives) + " " + a + " and its " + b)
	default:
		return capital("the " + a + ", the " + b + " and the " + w.pick(t.adjectives) + " " + w.pick(t.nouns))
	}
}

// headlines writes n different titles about a theme.
func (w writer) headlines(theme string, n int) []string {
	var titles []string
	for len(titles) < n {
		if title := w.headline(theme); !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return titles
}

// capital capitalizes the first letter.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// plural is the plural of a noun of this vocabulary.
func plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "y") && !strings.ContainsRune("aeiou", rune(noun[len(noun)-2])):
		return noun[:len(noun)-1] + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		return noun + "es"
	case strings.HasSuffix(noun, "larva"), strings.HasSuffix(noun, "hypha"):
		return noun + "e"
	}
	return noun + "s"
}
