package explore

import (
	"cmp"
	"slices"
	"strings"

	"nightjar/daemon/thesus/links"
)

// page is a page of a result as it is shown, its weightiest concepts first.
func (r *Result) page(p resultPage, known links.Page) Page {
	one := Page{ID: p.ID, URL: known.URL, Title: cmp.Or(known.Title, known.URL), Sources: p.Sources, Concepts: make([]Weighted, len(p.Concepts))}
	for i, c := range p.Concepts {
		one.Concepts[i] = Weighted{Key: r.Concepts[c].Key, Name: r.Concepts[c].Name, Weight: p.Weights[i]}
	}
	slices.SortStableFunc(one.Concepts, func(a, b Weighted) int { return cmp.Compare(b.Weight, a.Weight) })
	return one
}

// level is a level of a result as it is shown.
func (r *Result) level(i int) Level {
	of := r.Levels[i]
	l := Level{MinSim: of.MinSim, Depth: of.Depth, Clusters: make([]Cluster, len(of.Clusters)), Apart: []int{}}
	in := make([]bool, len(r.Pages))
	for c, one := range of.Clusters {
		l.Clusters[c] = Cluster{Label: r.label(one), Terms: r.terms(one), Pages: slices.Concat([]int{}, one.Pages), Parent: one.Parent}
		l.Grouped += len(one.Pages)
		for _, p := range one.Pages {
			in[p] = true
		}
	}
	for p := range in {
		if !in[p] {
			l.Apart = append(l.Apart, p)
		}
	}
	return l
}

// label is the label of a cluster: the broader concept, and what is in the pages.
func (r *Result) label(c resultCluster) string {
	var names []string
	for _, concept := range c.Concepts {
		if name := r.Concepts[concept].Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	text := strings.Join(names, ", ")
	switch {
	case text == "":
		return "Without a name" // all its words were erased
	case c.Broader >= 0:
		return r.Concepts[c.Broader].Name + ": " + text
	}
	return text
}

func (r *Result) terms(c resultCluster) []string {
	all := make([]string, len(c.Concepts))
	for i, concept := range c.Concepts {
		all[i] = r.Concepts[concept].Key
	}
	return all
}
