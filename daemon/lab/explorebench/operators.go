package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"nightjar/model/measure"
)

// The numbers of words and of in-links in figures 5 and 6 of the paper, and what they are held at.
var (
	topWords   = []int{3, 5, 7, 10, 15}
	topInlinks = []int{100, 50, 30, 20, 10}
)

const (
	heldWords   = 7
	heldInlinks = 100
)

// A word is on topic for a category if it is in the text of a larger share of the category's articles than of all others: at
// least twice the share, and by more than chance.
const (
	leastLift = 2
	chance    = .001
)

// judge says whether words are on topic for a category. It reads what the articles say, not what links to them say: these
// are what is measured. The rule was chosen before the first run.
type judge struct {
	w      *web
	inside map[int]bool
}

func newJudge(w *web, label string) *judge {
	j := &judge{w: w, inside: map[int]bool{}}
	for i, labels := range w.labels {
		if slices.Contains(labels, label) {
			j.inside[i] = true
		}
	}
	return j
}

// onTopic judges a word by its number in the vocabulary.
func (j *judge) onTopic(word int) bool {
	inside, all := 0, 0
	for i, words := range j.w.words {
		if words[word] {
			all++
			if j.inside[i] {
				inside++
			}
		}
	}
	n, pages := len(j.inside), len(j.w.words)
	share, other := float64(inside)/float64(n), float64(all-inside)/float64(max(pages-n, 1))
	return share >= leastLift*other && atLeast(inside, all, n, pages) < chance
}

// atLeast is the probability that n pages drawn of `pages`, of which `all` have a word, hold at least k with the word
// (hypergeometric).
func atLeast(k, all, n, pages int) float64 {
	choose := func(n, k int) float64 {
		if k < 0 || k > n {
			return math.Inf(-1)
		}
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		return a - b - c
	}
	p := 0.0
	for x := k; x <= min(all, n); x++ {
		p += math.Exp(choose(all, x) + choose(pages-all, n-x) - choose(pages, n))
	}
	return min(p, 1)
}

// weighed is a word of a set with its weights by the two operators.
type weighed struct {
	word        int
	targets     int // weightedTargetKeywords: pages of the set that links name so
	occurrences int // weightedGroupKeywords: occurrences in links to the set
}

// weigh counts the words of the links to pages, from at most so many pages each: the first in the page's order of sources.
func weigh(w *web, pages []int, sources map[int][]int, inlinks int) []weighed {
	counts := map[int]*weighed{}
	for _, page := range pages {
		chosen := map[int]bool{}
		for _, from := range sources[page][:min(inlinks, len(sources[page]))] {
			chosen[from] = true
		}
		counted := map[int]bool{} // words, for this page
		for _, l := range w.in[page] {
			if !chosen[l.from] {
				continue
			}
			for _, said := range l.words {
				c, ok := counts[said.id]
				if !ok {
					c = &weighed{word: said.id}
					counts[said.id] = c
				}
				c.occurrences += said.n
				if !counted[said.id] {
					counted[said.id] = true
					c.targets++
				}
			}
		}
	}
	var all []weighed
	for _, c := range counts {
		all = append(all, *c)
	}
	return all
}

// top are the first words by a weight; of equal ones the alphabetically first.
func top(all []weighed, n int, names []string, weight func(weighed) int) []int {
	slices.SortFunc(all, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(names[a.word], names[b.word]))
	})
	var words []int
	for _, one := range all[:min(n, len(all))] {
		words = append(words, one.word)
	}
	return words
}

func byTargets(w weighed) int     { return w.targets }
func byOccurrences(w weighed) int { return w.occurrences }

// versus is the share of words on topic, mean over the sets, by the two operators.
type versus struct {
	Words   int            `json:"words"`
	Inlinks int            `json:"inlinks"`
	Target  float64        `json:"target"`
	Group   float64        `json:"group"`
	More    measure.Figure `json:"more"`  // of target than of group
	Above   int            `json:"above"` // sets where target has the larger share
	Equal   int            `json:"equal"`
}

// setWords are the first words of a set, for people, those on topic marked.
type setWords struct {
	Label  string   `json:"label"`
	Pages  int      `json:"pages"`
	Target []string `json:"target"`
	Group  []string `json:"group"`
}

// operated is how the two operators do.
type operated struct {
	Sets    []setWords `json:"sets"`
	Words   []versus   `json:"words"`   // figure 5
	Inlinks []versus   `json:"inlinks"` // figure 6
}

// operate describes the largest categories.
func operate(w *web, o *options) *operated {
	rng := rand.New(rand.NewPCG(o.Seed, 73))
	names := w.names()
	out := &operated{}
	shares := map[[2]int]*[2][]float64{} // by words and in-links: of target and group, for each set
	for _, c := range w.categories(o.Sets, false, rng) {
		sources := map[int][]int{}
		for _, p := range c.Pages {
			sources[p] = shuffledSources(w, p, rng)
		}
		j, known := newJudge(w, c.Label), map[int]bool{}
		onTopic := func(word int) bool {
			if _, ok := known[word]; !ok {
				known[word] = j.onTopic(word)
			}
			return known[word]
		}
		for _, cell := range cells() {
			all := weigh(w, c.Pages, sources, cell[1])
			target := top(all, cell[0], names, byTargets)
			group := top(all, cell[0], names, byOccurrences)
			if shares[cell] == nil {
				shares[cell] = &[2][]float64{}
			}
			shares[cell][0] = append(shares[cell][0], shareOf(target, onTopic))
			shares[cell][1] = append(shares[cell][1], shareOf(group, onTopic))
			if cell == [2]int{heldWords, heldInlinks} {
				out.Sets = append(out.Sets, setWords{c.Label, len(c.Pages), marked(target, names, onTopic), marked(group, names, onTopic)})
			}
		}
	}
	for _, cell := range cells() {
		if shares[cell] == nil {
			continue // there is no set
		}
		v := judged(cell, shares[cell][0], shares[cell][1], rng)
		if cell[1] == heldInlinks {
			out.Words = append(out.Words, v)
		}
		if cell[0] == heldWords {
			out.Inlinks = append(out.Inlinks, v)
		}
	}
	return out
}

// cells are the numbers of words and in-links to measure, each once.
func cells() [][2]int {
	var all [][2]int
	for _, n := range topWords {
		all = append(all, [2]int{n, heldInlinks})
	}
	for _, m := range topInlinks {
		if m != heldInlinks {
			all = append(all, [2]int{heldWords, m})
		}
	}
	return all
}

// shuffledSources are the pages that link to a page, in a random order.
func shuffledSources(w *web, page int, rng *rand.Rand) []int {
	var all []int
	for _, l := range w.in[page] {
		all = append(all, l.from)
	}
	all = slices.Compact(all) // the links of one page follow each other
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// shareOf is the share of words that are on topic, 0 without words.
func shareOf(words []int, onTopic func(int) bool) float64 {
	n := 0
	for _, w := range words {
		if onTopic(w) {
			n++
		}
	}
	return float64(n) / float64(max(len(words), 1))
}

// marked are words, those off topic in brackets.
func marked(words []int, names []string, onTopic func(int) bool) []string {
	var all []string
	for _, w := range words {
		name := names[w]
		if !onTopic(w) {
			name = "(" + name + ")"
		}
		all = append(all, name)
	}
	return all
}

// judged compares the shares of two operators.
func judged(cell [2]int, target, group []float64, rng *rand.Rand) versus {
	v := versus{Words: cell[0], Inlinks: cell[1], More: measure.Difference(target, group, rng)}
	for i := range target {
		v.Target += target[i] / float64(len(target))
		v.Group += group[i] / float64(len(group))
		switch {
		case target[i] > group[i]:
			v.Above++
		case target[i] == group[i]:
			v.Equal++
		}
	}
	return v
}
