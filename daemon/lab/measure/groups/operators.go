package groups

import (
	"cmp"
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

// weighed is a word of a set with its weights by the two operators.
type weighed struct {
	word        int
	targets     int // weightedTargetKeywords: pages of the set that links name so
	occurrences int // weightedGroupKeywords: occurrences in links to the set
	most        int // of these in links to one page
}

// weigh counts the words of the links in, by page, to some pages, from at most so many pages each: the first in the page's order of sources.
func weigh(in [][]link, pages []int, sources map[int][]int, inlinks int) []weighed {
	counts := map[int]*weighed{}
	for _, page := range pages {
		chosen := map[int]bool{}
		for _, from := range sources[page][:min(inlinks, len(sources[page]))] {
			chosen[from] = true
		}
		here := map[int]int{} // word -> occurrences in links to this page
		for _, l := range in[page] {
			if chosen[l.from] {
				for _, said := range l.words {
					here[said.id] += said.n
				}
			}
		}
		for id, n := range here {
			c, ok := counts[id]
			if !ok {
				c = &weighed{word: id}
				counts[id] = c
			}
			c.targets++
			c.occurrences += n
			c.most = max(c.most, n)
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

// ofOne reports whether over half of the occurrences of a word are in links to one page: such words name a page, not the set,
// and the paper says that weightedGroupKeywords gives many of them (§6.2.2).
func ofOne(all []weighed) func(word int) bool {
	one := map[int]bool{}
	for _, w := range all {
		one[w.word] = 2*w.most > w.occurrences
	}
	return func(word int) bool { return one[word] }
}

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
	Rules   []ruled    `json:"rules"`   // figure 5 by each rule
	One     []versus   `json:"one"`     // not on topic, but by ofOne
}

// ruled is figure 5 by a rule of what is on topic.
type ruled struct {
	Rule  string   `json:"rule"`
	Words []versus `json:"words"`
}

// question is a rule, a number of words and a number of in-links.
type question struct{ rule, words, inlinks int }

// onePage asks for the words that mostly name one page, in the place of a rule.
const onePage = -1

// answers are the shares on topic of target and group, for each set.
type answers map[question]*[2][]float64

// operate describes the largest categories by the words of the links in, by page.
func operate(l *library, in [][]link, o *options) *operated {
	rng := rand.New(rand.NewPCG(o.Seed, 73))
	out, shares := &operated{}, answers{}
	for _, c := range l.web.categories(o.Sets, false, rng) {
		out.Sets = append(out.Sets, describeSet(l, in, c, shares, rng))
	}
	if len(out.Sets) == 0 {
		return out
	}
	for k, r := range rules {
		own := ruled{Rule: r.name}
		for _, n := range topWords {
			own.Words = append(own.Words, shares.judged(question{k, n, heldInlinks}, rng))
		}
		out.Rules = append(out.Rules, own)
	}
	out.Words = out.Rules[0].Words
	for _, n := range topWords {
		out.One = append(out.One, shares.judged(question{onePage, n, heldInlinks}, rng))
	}
	for _, m := range topInlinks {
		v := out.Words[slices.Index(topWords, heldWords)]
		if m != heldInlinks {
			v = shares.judged(question{0, heldWords, m}, rng)
		}
		out.Inlinks = append(out.Inlinks, v)
	}
	return out
}

// describeSet describes a category by both operators, and adds the shares on topic.
func describeSet(l *library, in [][]link, c category, shares answers, rng *rand.Rand) setWords {
	sources := map[int][]int{}
	for _, p := range c.Pages {
		sources[p] = shuffledSources(in[p], rng)
	}
	j, set := newJudge(l, c.Label), setWords{Label: c.Label, Pages: len(c.Pages)}
	onTopic := make([]func(int) bool, len(rules))
	for k, r := range rules {
		known := map[int]bool{}
		onTopic[k] = func(word int) bool {
			if _, ok := known[word]; !ok {
				known[word] = r.onTopic(j, word)
			}
			return known[word]
		}
	}
	for _, cell := range cells() {
		all := weigh(in, c.Pages, sources, cell[1])
		target := top(all, cell[0], l.names, byTargets)
		group := top(all, cell[0], l.names, byOccurrences)
		one := ofOne(all)
		for k, r := range rules {
			yes := func(word int) bool { return onTopic[k](word) && !(r.several && one(word)) }
			shares.add(question{k, cell[0], cell[1]}, target, group, yes)
		}
		shares.add(question{onePage, cell[0], cell[1]}, target, group, one)
		if cell == [2]int{heldWords, heldInlinks} {
			set.Target, set.Group = marked(target, l.names, onTopic[0]), marked(group, l.names, onTopic[0])
		}
	}
	return set
}

// add adds the answer of a set.
func (a answers) add(q question, target, group []int, yes func(int) bool) {
	if a[q] == nil {
		a[q] = &[2][]float64{}
	}
	a[q][0] = append(a[q][0], shareOf(target, yes))
	a[q][1] = append(a[q][1], shareOf(group, yes))
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

// shuffledSources are the pages of the links to a page, in a random order.
func shuffledSources(links []link, rng *rand.Rand) []int {
	var all []int
	for _, l := range links {
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

// judged compares the shares of the two operators.
func (a answers) judged(q question, rng *rand.Rand) versus {
	target, group := a[q][0], a[q][1]
	v := versus{Words: q.words, Inlinks: q.inlinks, More: measure.Difference(target, group, rng)}
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
