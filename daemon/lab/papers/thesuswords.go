package papers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"nightjar/crawler/fetch"
	"nightjar/crawler/linktext"
	"nightjar/crawler/page"
	"nightjar/daemon/lab/bench/report"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/devtool"
	"nightjar/model/measure"
	"nightjar/model/senses"
	"nightjar/model/text"
	"nightjar/model/wordnet"
)

// Numbers of words and in-links in figures 5 and 6, and those at which the other is held.
var (
	topWords   = []int{3, 5, 7, 10, 15}
	topInlinks = []int{100, 50, 30, 20, 10}
)

const heldWords, heldInlinks, wordSets = 7, 100, 20

// linked is a recording, such as Wikispeedia, by the words of its links.
type linked struct {
	in     []map[int]map[string]int // of each page: the pages that link to it, and their words with occurrences
	labels [][]string               // of each page
	having map[string][]int         // by word in base form, the pages whose text has it
	all    int                      // pages
	pages  []int                    // those with labels that at least two pages link to
}

// linkedOf reads a recording and its labels, if it has any.
func (s *study) linkedOf(ctx context.Context, net *wordnet.Net, archive, labelled string) (*linked, error) {
	w, err := s.web(ctx, archive)
	if err != nil {
		return nil, err
	}
	labels := &corpus.Labels{}
	if labelled != "" {
		if labels, err = s.lib.Labels([]string{labelled}, []string{archive}, nil); err != nil {
			return nil, err
		}
	}
	var bases sync.Map
	base := func(word string) string {
		if b, ok := bases.Load(word); ok {
			return b.(string)
		}
		b, found := senses.Lookup(net, word)
		if len(found) == 0 {
			b = word
		}
		bases.Store(word, b)
		return b
	}
	n := len(w.urls)
	l := &linked{in: make([]map[int]map[string]int, n), labels: make([][]string, n), having: map[string][]int{}, all: n}
	said, words, extractor := make([][]linktext.Link, n), make([]map[string]bool, n), linktext.New(nil, base)
	err = each(n, func(i int) (err error) {
		l.in[i], words[i] = map[int]map[string]int{}, map[string]bool{}
		for token := range text.Words(w.texts[i]) {
			words[i][base(string(token))] = true
		}
		if r := w.replay.Fetch(ctx, w.urls[i]); r.Outcome == fetch.OK {
			said[i], err = extractor.Extract(r.FinalURL, page.ContentUTF8, r.Body)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for from, links := range said {
		for w := range words[from] {
			l.having[w] = append(l.having[w], from)
		}
		for _, link := range links {
			to := w.find(ctx, link.URL)
			if to < 0 || to == from {
				continue
			}
			if l.in[to][from] == nil {
				l.in[to][from] = map[string]int{}
			}
			for _, word := range link.Words {
				l.in[to][from][word.Word] += word.N
			}
		}
	}
	for _, label := range labels.Names() {
		for url := range labels.With(label) {
			if i, ok := w.number[url]; ok && label != corpus.Other {
				l.labels[i] = append(l.labels[i], label)
			}
		}
	}
	for i := range n {
		if len(l.labels[i]) > 0 && len(l.in[i]) >= 2 {
			l.pages = append(l.pages, i)
		}
	}
	return l, nil
}

// keywords are the words that links use for a page, with the pages that use each.
func (l *linked) keywords(page int) (all []senses.Keyword) {
	uses := map[string]int{}
	for _, words := range l.in[page] {
		for w := range words {
			uses[w]++
		}
	}
	for w, n := range uses {
		all = append(all, senses.Keyword{Word: w, N: n})
	}
	slices.SortFunc(all, func(a, b senses.Keyword) int { return cmp.Compare(a.Word, b.Word) })
	return all
}

// category is a label with its pages.
type category struct {
	label string
	pages []int
}

// largest are the n labels with the most pages; alone leaves out pages that have another label, too.
func (l *linked) largest(n int, alone bool) (all []category) {
	at := map[string]int{}
	for _, p := range l.pages {
		for _, label := range l.labels[p] {
			if alone && len(l.labels[p]) > 1 {
				continue
			}
			k, known := at[label]
			if !known {
				k = len(all)
				at[label], all = k, append(all, category{label: label})
			}
			all[k].pages = append(all[k].pages, p)
		}
	}
	slices.SortFunc(all, func(a, b category) int {
		return cmp.Or(cmp.Compare(len(b.pages), len(a.pages)), cmp.Compare(a.label, b.label))
	})
	return all[:min(n, len(all))]
}

// sample draws pages of the largest categories, one of each in turn, so that its beginning is a smaller sample of the same kind.
func (l *linked) sample(rng *rand.Rand) (pages, categoryOf []int) {
	all := l.largest(categories, true)
	for k := range all {
		all[k].pages = shuffled(all[k].pages, rng)
	}
	for round, before := 0, -1; len(pages) < samplePages && len(pages) > before; round++ {
		before = len(pages)
		for k, c := range all {
			if round < len(c.pages) && len(pages) < samplePages {
				pages, categoryOf = append(pages, c.pages[round]), append(categoryOf, k)
			}
		}
	}
	return pages, categoryOf
}

// top are the first n words for some pages, from at most so many in-links a page: those that links use for most of the pages
// (weightedTargetKeywords), and those that they use most often (weightedGroupKeywords).
func (l *linked) top(pages []int, n, inlinks int, rng *rand.Rand) (target, group []string) {
	targets, uses := map[string]int{}, map[string]int{}
	for _, p := range pages {
		sources := make([]int, 0, len(l.in[p]))
		for from := range l.in[p] {
			sources = append(sources, from)
		}
		slices.Sort(sources)
		here := map[string]bool{}
		for _, from := range shuffled(sources, rng)[:min(inlinks, len(sources))] {
			for w, k := range l.in[p][from] {
				here[w] = true
				uses[w] += k
			}
		}
		for w := range here {
			targets[w]++
		}
	}
	first := func(by map[string]int) []string {
		var words []string
		for w := range by {
			words = append(words, w)
		}
		slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(by[b], by[a]), cmp.Compare(a, b)) })
		return words[:min(n, len(words))]
	}
	return first(targets), first(uses)
}

// onTopic is the share of words that at least twice as many texts of a category have, in proportion, as others, beyond chance
// (hypergeometric, p < .001). People judged in the paper.
func (l *linked) onTopic(words []string, in map[int]bool) float64 {
	right := 0
	for _, w := range words {
		inside, all, n, pages := 0, len(l.having[w]), len(in), l.all
		for _, i := range l.having[w] {
			inside += one(in[i])
		}
		if float64(inside)/float64(n) >= 2*float64(all-inside)/float64(max(1, pages-n)) && atLeast(inside, all, n, pages) < .001 {
			right++
		}
	}
	return ratio(float64(right), float64(len(words)))
}

// atLeast is the probability that n pages drawn of `pages`, of which `all` have a word, hold at least k with the word.
func atLeast(k, all, n, pages int) (p float64) {
	choose := func(n, k int) float64 {
		if k < 0 || k > n {
			return math.Inf(-1)
		}
		a, _ := math.Lgamma(float64(n + 1))
		b, _ := math.Lgamma(float64(k + 1))
		c, _ := math.Lgamma(float64(n - k + 1))
		return a - b - c
	}
	for x := k; x <= min(all, n); x++ {
		p += math.Exp(choose(all, x) + choose(pages-all, n-x) - choose(pages, n))
	}
	return min(p, 1)
}

// judged are the shares on topic, by set.
type judged struct{ target, group, chance []float64 }

// figures measures figures 5 and 6.
func (l *linked) figures(sec *section) {
	sets := l.largest(wordSets, false)
	judge := func(n, inlinks int) (j judged) {
		for k, c := range sets {
			in := map[int]bool{}
			for _, p := range c.pages {
				in[p] = true
			}
			rng := rand.New(rand.NewPCG(uint64(k), 73))
			target, group := l.top(c.pages, n, inlinks, rng)
			other, _ := l.top(shuffled(l.pages, rng)[:len(c.pages)], n, inlinks, rng)
			j.target, j.group, j.chance = append(j.target, l.onTopic(target, in)), append(j.group, l.onTopic(group, in)), append(j.chance, l.onTopic(other, in))
		}
		return j
	}
	five := devtool.Table{Title: "Figure 5: words on topic by their number", Rows: [][]string{{"words", "printed: target", "printed: group", "target", "group", "chance: as many other pages"}}}
	six := devtool.Table{Title: "Figure 6: words on topic by the number of in-links, 7 words", Rows: [][]string{{"in-links", "printed: target", "printed: group", "target", "group", "chance: as many other pages"}}}
	was5, was6 := [][2]int{{83, 76}, {78, 65}, {75, 61}, {71, 55}, {48, 33}}, [][2]int{{77, 62}, {71, 61}, {71, 59}, {70, 58}, {66, 60}}
	lines := []report.Curve{{Name: "target"}, {Name: "group"}, {Name: "chance"}, {Name: "printed: target"}, {Name: "printed: group"}}
	on := fmt.Sprintf("Wikispeedia, the %d largest categories; on topic: in twice the share of the category's texts; n %d", len(sets), len(sets))
	var held judged
	for k, n := range topWords {
		j := judge(n, heldInlinks)
		if n == heldWords {
			held = j
		}
		addJudged(&five, n, was5[k], j)
		at := []float64{sum(j.target) / float64(len(sets)), sum(j.group) / float64(len(sets)), sum(j.chance) / float64(len(sets)), float64(was5[k][0]) / 100, float64(was5[k][1]) / 100}
		for i := range lines {
			lines[i].At = append(lines[i].At, [2]float64{float64(n), at[i]})
		}
	}
	var few judged
	for k, m := range topInlinks {
		j := held
		if m != heldInlinks {
			j = judge(heldWords, m)
		}
		if m == 20 {
			few = j
		}
		addJudged(&six, m, was6[k], j)
	}
	f, over := measure.Mean(held.target, nil).Within(0, 1), measure.Difference(held.target, held.chance, nil)
	sec.add(figureClaims[0], fmt.Sprintf("%s; chance %s", percent(f), percent(measure.Mean(held.chance, nil).Within(0, 1))), on, func() string {
		if over.Low <= 0 {
			return missed
		}
		return level(f, .75)
	}())
	d := measure.Difference(held.target, held.group, nil).Within(-1, 1)
	sec.add(figureClaims[1], "difference "+signed(d), on, amount(d, .14))
	lost := measure.Difference(held.target, few.target, nil).Within(-1, 1)
	verdict := missed
	if lost.High < .1 {
		verdict = reached
	} else if lost.Value < .1 {
		verdict = inKind
	}
	sec.add(figureClaims[2], "lost "+signed(lost), on, verdict)
	sec.Tables = append(sec.Tables, five, six)
	sec.Pictures = append(sec.Pictures, picture{"thesus-words.svg", "Words on topic by their number", on, "words", "Beside figure 5, whose values are the lines *printed*.", lines})
}

// addJudged adds a row of figure 5 or 6.
func addJudged(t *devtool.Table, n int, was [2]int, j judged) {
	cells := []any{n, fmt.Sprintf("%d %%", was[0]), fmt.Sprintf("%d %%", was[1])}
	for _, v := range [][]float64{j.target, j.group, j.chance} {
		cells = append(cells, percent(measure.Mean(v, nil).Within(0, 1)))
	}
	t.Add(cells...)
}
