package explore

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/linktext"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/thesus/links"
	"nightjar/model/conceptset"
	"nightjar/model/ontology"
	"nightjar/model/wordnet"
)

// Bounds of Ask.
const (
	askBytes   = 1000 // of the text
	askWords   = 8    // that are mapped; the others are searched for
	askGroups  = 3    // clusters when none is similar enough
	askPages   = 50   // of a group
	askFound   = 10
	leastAlike = .5 // similarity of a cluster that fits, and of a page in no cluster
)

// asking is the concepts of a grouping in a space of the WordNet and the ontology that are there now.
type asking struct {
	space *space // nil when the concepts are senses and there is no WordNet
	known []int  // of each concept of the result: as in space.known, or lost
	net   *wordnet.Net
	tree  *ontology.Tree
}

// lost is a concept that is no longer in the ontology or WordNet.
const lost = -1

// Ask finds the pages of a grouping that are about words: they are mapped to concepts as those of links are, each used by one
// page. Clusters of the default level fit whose label has a similarity of at least .5 with them; if there are none, the three
// most similar do. Words that describe nothing are searched for in the texts of pages. The errors are those of View.
func (m *Maker) Ask(ctx context.Context, id int64, text string) (*Answer, error) {
	g, l, err := m.load(ctx, id)
	if err != nil {
		return nil, err
	}
	a, err := m.asking(ctx, g, l)
	if err != nil {
		return nil, err
	}
	text = strings.ToValidUTF8(text[:min(len(text), askBytes)], "")
	answer := &Answer{Text: text, Words: []SaidWord{}, Names: map[string]string{}, Groups: []AnswerGroup{}, Unmapped: []string{}, Found: []Hit{}}
	known, weights, err := m.query(ctx, g, l, a, answer)
	if err != nil {
		return nil, err
	}
	if len(known) > 0 {
		q := make(conceptset.Set, len(known))
		for i := range known { // numbers after those of the result
			q[i] = conceptset.Concept{ID: len(a.known) + i, Weight: weights[i]}
		}
		answer.Groups = l.fitting(q, a.similarity(known))
	}
	answer.Found, err = m.inTexts(ctx, answer.Unmapped)
	return answer, err
}

// asking returns the concepts of a grouping as Ask needs them. They are kept until WordNet or the ontology changes.
func (m *Maker) asking(ctx context.Context, g Grouping, l *loaded) (*asking, error) {
	s, err := m.space(ctx, g)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.asked != nil && l.asked.net == s.net && l.asked.tree == s.tree {
		return l.asked, nil
	}
	a := &asking{known: make([]int, len(l.result.Concepts)), net: s.net, tree: s.tree}
	switch l.result.Mode {
	case s.mode:
		a.space = s
	case Words:
		a.space = newSpace(nil, nil, nil)
	}
	for c, concept := range l.result.Concepts {
		a.known[c] = lost
		if a.space == nil || concept.Key == "" {
			continue
		}
		if n, ok := a.space.find(concept.Key); ok {
			a.known[c] = a.space.known[n]
		}
	}
	l.asked = a
	return a, nil
}

// query maps the words of an answer's text. It gives what known of a space has of their concepts, with their weights.
func (m *Maker) query(ctx context.Context, g Grouping, l *loaded, a *asking, answer *Answer) (known []int, weights []float64, err error) {
	words := linktext.New(nil, links.Base(a.net)).Anchor(answer.Text)
	for _, w := range words[min(len(words), askWords):] {
		answer.Unmapped = append(answer.Unmapped, w.Word)
	}
	asked := make([]links.Keyword, min(len(words), askWords))
	for i := range asked {
		asked[i] = links.Keyword{Word: words[i].Word, N: 1}
	}
	if a.space == nil {
		for _, w := range asked {
			answer.Unmapped = append(answer.Unmapped, w.Word)
		}
		return nil, nil, nil
	}
	o := l.result.Options
	o.Words = askWords
	d := newDescriber(&space{mode: a.space.mode, net: a.space.net, tree: a.tree, terms: a.space.terms, place: map[string]int{}, at: map[int]int{}}, o)
	said, set := d.place(d.Describe(d.most(asked)))
	for _, c := range set {
		if n := d.space.known[c.ID]; a.space.mode != Words {
			known, weights = append(known, n), append(weights, c.Weight)
		} else if place, ok := a.space.place[d.space.words[n]]; ok {
			known, weights = append(known, place), append(weights, c.Weight)
		}
	}
	for i := range said.Words {
		w := &said.Words[i]
		if w.Term == "" && a.space.mode == Terms && a.net == nil {
			term, err := m.termOf(ctx, g.ID, a.tree, w)
			if err != nil {
				return nil, nil, err
			}
			if term >= 0 && !slices.Contains(known, term) {
				known, weights = append(known, term), append(weights, 1)
			}
		}
		_, common := a.space.place[w.Word]
		if mapped := w.Term != "" || a.space.mode == Senses && w.Sense != "" || common; !mapped {
			answer.Unmapped = append(answer.Unmapped, w.Word)
		}
	}
	answer.Words, answer.Names = said.Words, d.space.names(said)
	return known, weights, nil
}

// termOf maps a word without WordNet to the term that it was mapped to when the grouping was made, -1 if it was not.
func (m *Maker) termOf(ctx context.Context, grouping int64, tree *ontology.Tree, w *SaidWord) (int, error) {
	key, err := TermOfWord(ctx, m.Store.DB, grouping, w.Word)
	if err != nil {
		return -1, err
	}
	term, ok := tree.ByKey(key)
	if !ok {
		return -1, nil
	}
	w.Term, w.Similarity = key, 1
	return term, nil
}

// similarity is S of the concepts of a result, and of those of a query, which have the numbers after them. That of a query's
// concept and one of the result is computed once.
func (a *asking) similarity(query []int) conceptset.Func {
	rows := make([][]float64, len(query))
	var group errgroup.Group
	for i, q := range query {
		group.Go(func() error {
			row := make([]float64, len(a.known))
			for c, known := range a.known {
				if known != lost {
					row[c] = a.space.between(q, known)
				}
			}
			rows[i] = row
			return nil
		})
	}
	_ = group.Wait() // there are no errors
	n := len(a.known)
	return func(x, y int) float64 { return rows[max(x, y)-n][min(x, y)] } // only one of them is of the query
}

// alike is ζ, rounded so that equal ones are equal whatever the order of their sums.
func alike(a, b conceptset.Set, s conceptset.Func) float64 {
	return math.Round(conceptset.Similarity(a, b, s)*1e9) / 1e9
}

// fitting lists what fits a query, grouped by cluster.
func (l *loaded) fitting(q conceptset.Set, s conceptset.Func) []AnswerGroup {
	if len(l.view.Levels) == 0 {
		return []AnswerGroup{}
	}
	level := l.view.Levels[l.view.Default]
	groups := make([]AnswerGroup, len(level.Clusters))
	for c, one := range level.Clusters {
		groups[c] = AnswerGroup{Label: one.Label, Cluster: c, Similarity: alike(q, l.labels[c], s)}
	}
	slices.SortStableFunc(groups, func(a, b AnswerGroup) int { return cmp.Compare(b.Similarity, a.Similarity) })
	fit := slices.IndexFunc(groups, func(g AnswerGroup) bool { return g.Similarity < leastAlike })
	if fit == 0 {
		fit = askGroups
	}
	if fit > 0 {
		groups = groups[:min(fit, len(groups))]
	}
	kept := make([]AnswerGroup, 0, len(groups)+1)
	for _, g := range groups {
		if l.pages(&g, level.Clusters[g.Cluster].Pages, 0, q, s); len(g.Pages) > 0 {
			kept = append(kept, g)
		}
	}
	apart := AnswerGroup{Label: "Not grouped", Cluster: -1}
	if l.pages(&apart, level.Apart, leastAlike, q, s); len(apart.Pages) > 0 {
		kept = append(kept, apart)
	}
	return kept
}

// pages puts those pages into a group of an answer that are similar to a query, at least least, and not at all different.
func (l *loaded) pages(g *AnswerGroup, places []int, least float64, q conceptset.Set, s conceptset.Func) {
	type near struct {
		place      int
		similarity float64
	}
	var all []near
	for _, p := range places {
		if z := alike(q, l.sets[p], s); z > 0 && z >= least {
			all = append(all, near{p, z})
		}
	}
	slices.SortFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity),
			cmp.Compare(l.view.Pages[b.place].Sources, l.view.Pages[a.place].Sources), cmp.Compare(a.place, b.place))
	})
	g.More = max(len(all)-askPages, 0)
	for _, n := range all[:min(len(all), askPages)] {
		g.Pages = append(g.Pages, AnswerPage{Page: l.view.Pages[n.place], Similarity: n.similarity})
	}
}

// inTexts searches for words in the texts of pages.
func (m *Maker) inTexts(ctx context.Context, words []string) ([]Hit, error) {
	all := []Hit{}
	if len(words) == 0 {
		return all, nil
	}
	hits, _, err := search.Search(ctx, m.Store, search.Filter{Text: strings.Join(words, " "), Limit: askFound})
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		var snippet strings.Builder
		for _, part := range h.Snippet {
			snippet.WriteString(part.Text)
		}
		all = append(all, Hit{URL: h.URL, Title: cmp.Or(h.Title, h.URL), Snippet: snippet.String()})
	}
	return all, nil
}
