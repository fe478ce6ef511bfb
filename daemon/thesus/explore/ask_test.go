package explore

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/store"
	"nightjar/model/ontology"
)

// zeta is ζ of two weighted sets, written out from [THESUS] §5.4.1 by keys.
func zeta(a, b map[string]float64, s func(a, b string) float64) float64 {
	side := func(a, b map[string]float64) float64 {
		sum, k := 0., 0.
		for x, w := range a {
			best, at := -1., 0.
			for y, v := range b {
				l := (w + v) / (2 * max(w, v))
				if z := l * s(x, y); z > best || z == best && l > at {
					best, at = z, l
				}
			}
			sum, k = sum+best, k+at
		}
		return sum / k
	}
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	return (side(a, b) + side(b, a)) / 2
}

// treeS is S of two terms by key: over the ways to the root, written out.
func treeS(tree *ontology.Tree) func(a, b string) float64 {
	way := func(key string) (way []string) {
		for at, _ := tree.ByKey(key); at >= 0; at = tree.Term(at).Parent {
			way = append(way, tree.Term(at).Key)
		}
		slices.Reverse(way)
		return way
	}
	return func(a, b string) float64 {
		p, q, k := way(a), way(b), 0
		for k < min(len(p), len(q)) && p[k] == q[k] {
			k++
		}
		return 2 * float64(k) / float64(len(p)+len(q))
	}
}

// bruteForce is what Ask should find for terms of weight 1: the clusters with the pages that fit.
func bruteForce(v *View, query map[string]float64, s func(a, b string) float64) (all []AnswerGroup) {
	page := func(p Page) map[string]float64 {
		set := map[string]float64{}
		for _, c := range p.Concepts {
			set[c.Key] = c.Weight
		}
		return set
	}
	fitting := func(g AnswerGroup, places []int, least float64) {
		for _, p := range places {
			if z := zeta(query, page(v.Pages[p]), s); z > 0 && z >= least {
				g.Pages = append(g.Pages, AnswerPage{v.Pages[p], z})
			}
		}
		slices.SortStableFunc(g.Pages, func(a, b AnswerPage) int {
			switch {
			case math.Abs(a.Similarity-b.Similarity) > 1e-12 && a.Similarity > b.Similarity:
				return -1
			case math.Abs(a.Similarity-b.Similarity) > 1e-12:
				return 1
			case a.Sources != b.Sources:
				return b.Sources - a.Sources
			}
			return slices.IndexFunc(v.Pages, func(p Page) bool { return p.ID == a.ID }) - slices.IndexFunc(v.Pages, func(p Page) bool { return p.ID == b.ID })
		})
		if len(g.Pages) > 0 {
			all = append(all, g)
		}
	}
	level := v.Levels[v.Default]
	var groups []AnswerGroup
	for c, one := range level.Clusters {
		label := map[string]float64{}
		for _, key := range one.Terms { // its weight is the mean weight in the pages of the cluster
			for _, p := range one.Pages {
				label[key] += page(v.Pages[p])[key] / float64(len(one.Pages))
			}
		}
		groups = append(groups, AnswerGroup{Label: one.Label, Cluster: c, Similarity: zeta(query, label, s)})
	}
	slices.SortStableFunc(groups, func(a, b AnswerGroup) int {
		switch {
		case a.Similarity > b.Similarity+1e-12:
			return -1
		case b.Similarity > a.Similarity+1e-12:
			return 1
		}
		return 0
	})
	fit := 0
	for fit < len(groups) && groups[fit].Similarity >= .5 {
		fit++
	}
	if fit == 0 {
		fit = min(3, len(groups))
	}
	for _, g := range groups[:fit] {
		fitting(g, level.Clusters[g.Cluster].Pages, 0)
	}
	fitting(AnswerGroup{Label: "Not grouped", Cluster: -1}, level.Apart, .5)
	return all
}

// answerText is an answer with rounded numbers.
func answerText(all []AnswerGroup) string {
	var b strings.Builder
	for _, g := range all {
		fmt.Fprintf(&b, "%d %s %.9f\n", g.Cluster, g.Label, g.Similarity)
		for _, p := range g.Pages {
			fmt.Fprintf(&b, "  %s %.9f\n", p.URL, p.Similarity)
		}
	}
	return b.String()
}

// Ask finds what comparing the words with every label and page finds.
func TestAskAgainstBruteForce(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	var words []string
	for _, term := range music().Terms() {
		if !strings.Contains(term.Labels[0], " ") {
			words = append(words, term.Labels[0])
		}
	}
	var said []say
	for p := range 60 {
		for s := range 2 + r.IntN(4) {
			said = append(said, say{fmt.Sprintf("http://s%d.test/", s), fmt.Sprintf("http://p%d.test/", p), words[r.IntN(len(words))] + " " + words[p%len(words)]})
		}
	}
	w := newWorld(t, said)
	m, _ := w.maker(t)
	g := made(t, m, Request{Ontology: musicID, Options: GroupingOptions{MinDocs: 2}})
	v := must(m.View(t.Context(), g.ID))(t)
	if l := v.Levels[v.Default]; len(l.Clusters) < 2 || len(l.Apart) == 0 {
		t.Fatalf("the world is too simple: %d clusters, %d pages apart", len(l.Clusters), len(l.Apart))
	}
	for range 40 {
		query := map[string]float64{}
		for range 1 + r.IntN(3) {
			query[words[r.IntN(len(words))]] = 1
		}
		var asked []string
		for word := range query {
			asked = append(asked, word)
		}
		a := must(m.Ask(t.Context(), g.ID, strings.Join(asked, ", ")))(t)
		got, want := answerText(a.Groups), answerText(bruteForce(v, query, treeS(music())))
		if got != want || len(a.Unmapped) > 0 {
			t.Fatalf("%v, unmapped %v: got\n%s\nwant\n%s", asked, a.Unmapped, got, want)
		}
	}
}

// Words that describe nothing are searched for in texts, and so are those after the first eight.
func TestAskUnmapped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, musicians())
	m, _ := w.maker(t)
	terms, plain := made(t, m, Request{Ontology: musicID}), made(t, m, Request{})
	a := must(m.Ask(t.Context(), terms.ID, "Soup of flutes, FLUTE"))(t)
	if !slices.Equal(a.Unmapped, []string{"flutes", "soup"}) || len(a.Words) != 3 || a.Found == nil {
		t.Errorf("%+v", a) // without WordNet, "flutes" is no label
	}
	if a.Names["flute"] != "flute" {
		t.Errorf("names %v", a.Names)
	}
	a = must(m.Ask(t.Context(), plain.ID, "soup flute piano"))(t)
	if !slices.Equal(a.Unmapped, []string{"piano"}) || len(a.Groups) != 2 || a.Groups[0].Pages[0].URL != "http://cook.test/1" {
		t.Errorf("%+v", a)
	}
	a = must(m.Ask(t.Context(), plain.ID, "jazz opera guitar soup onion leek violin wood silver night"))(t)
	if !slices.Equal(a.Unmapped, []string{"silver", "night"}) {
		t.Errorf("unmapped %v", a.Unmapped)
	}
	for _, text := range []string{"", "  ", "a b", "\xff\xfe", strings.Repeat("é", 3000)} {
		if a := must(m.Ask(t.Context(), plain.ID, text))(t); len(a.Groups) > 0 {
			t.Errorf("%q: %+v", text, a)
		}
	}
	if _, err := m.Ask(t.Context(), 99, "soup"); err != store.ErrNotFound {
		t.Errorf("%v", err)
	}
}

// With WordNet, words near each other in meaning find each other. Without it, words that were mapped before still are.
func TestAskWithWordNet(t *testing.T) {
	t.Parallel()
	var said []say
	for p := range 4 {
		for s := range 3 {
			said = append(said, say{fmt.Sprintf("http://s%d.test/", s), fmt.Sprintf("http://dogs%d.test/", p), "dog hound"},
				say{fmt.Sprintf("http://s%d.test/", s), fmt.Sprintf("http://drums%d.test/", p), "drum"})
		}
	}
	w := newWorld(t, said)
	w.net.set(tiny())
	tree, _, err := ontology.Build([]ontology.Item{
		{Key: "all", Labels: []string{"thing"}}, {Key: "a", Labels: []string{"animal"}, Parents: []string{"all"}}, {Key: "i", Labels: []string{"instrument"}, Parents: []string{"all"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.shelf.trees[musicID] = tree
	m, _ := w.maker(t)
	for _, r := range []Request{{}, {Ontology: musicID}} {
		g := made(t, m, r)
		a := must(m.Ask(t.Context(), g.ID, "beasts"))(t) // beast, animal: above dog
		if len(a.Groups) == 0 || !strings.HasPrefix(a.Groups[0].Pages[0].URL, "http://dogs") || len(a.Unmapped) > 0 {
			t.Errorf("%+v: %+v", r, a)
		}
	}
	terms := must(Groupings(t.Context(), m.Store.DB))(t)[0]
	w.net.set(nil)
	if a := must(m.Ask(t.Context(), terms.ID, "hound"))(t); len(a.Groups) == 0 || len(a.Unmapped) > 0 {
		t.Errorf("without WordNet: %+v", a)
	}
	senses := must(Groupings(t.Context(), m.Store.DB))(t)[1]
	if a := must(m.Ask(t.Context(), senses.ID, "hound"))(t); len(a.Groups) > 0 || !slices.Equal(a.Unmapped, []string{"hound"}) {
		t.Errorf("senses without WordNet: %+v", a)
	}
	page := must(m.View(t.Context(), senses.ID))(t).Pages[0]
	if v := must(m.PageOf(t.Context(), senses.ID, page.ID))(t); len(v.Page.Concepts) == 0 || v.Page.Concepts[0].Name != page.Concepts[0].Name {
		t.Errorf("%+v, want %+v", v.Page, page)
	}
}
