package explore

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"nightjar/daemon/store"
	"nightjar/daemon/thesus/links"
	"nightjar/model/conceptset"
)

// Result is a grouping as it is stored. Addresses, titles and words are not in it, so that nothing is left in it of what is
// erased: pages and words are numbers of the store.
type Result struct {
	Made     time.Time       `json:"made"`
	Mode     Mode            `json:"mode"`
	Options  GroupingOptions `json:"options"`
	Concepts []resultConcept `json:"concepts"`
	Pages    []resultPage    `json:"pages"` // those with a concept, then those without; each with more sources first
	Levels   []resultLevel   `json:"levels"`
	Default  int             `json:"default"`
	Few      int             `json:"few"`
	Newest   int64           `json:"newest"` // link that was there
	Warnings []string        `json:"warnings"`
}

// resultConcept is a concept: a term, a sense, or a word.
type resultConcept struct {
	Key  string `json:"key,omitempty"`  // of the term, name of the sense
	Name string `json:"name,omitempty"` // of the term or sense
	Word int64  `json:"word,omitempty"` // number of the word in the store
}

// resultPage is a page with its concepts, places in Result.Concepts, and their weights.
type resultPage struct {
	ID       int64     `json:"id"`
	Sources  int       `json:"sources"`
	Concepts []int     `json:"concepts,omitempty"`
	Weights  []float64 `json:"weights,omitempty"`
}

type resultLevel struct {
	MinSim   float64         `json:"min_sim"`
	Depth    int             `json:"depth,omitempty"`
	Clusters []resultCluster `json:"clusters"` // the largest first
}

// resultCluster is a cluster with the concepts of its label, the most telling first, and its pages: places in Result.Pages.
type resultCluster struct {
	Broader  int       `json:"broader"` // in front of the label, -1 for none
	Concepts []int     `json:"concepts"`
	Weights  []float64 `json:"weights"`
	Pages    []int     `json:"pages"`
	Parent   int       `json:"parent"`
}

// label is the set of the concepts of a cluster's label.
func (c *resultCluster) label() conceptset.Set { return setOf(c.Concepts, c.Weights) }

func setOf(concepts []int, weights []float64) conceptset.Set {
	set := make(conceptset.Set, len(concepts))
	for i, c := range concepts {
		set[i] = conceptset.Concept{ID: c, Weight: weights[i]}
	}
	slices.SortFunc(set, func(a, b conceptset.Concept) int { return cmp.Compare(a.ID, b.ID) })
	return set
}

// result is the grouping as it is stored.
func (k *making) result(ctx context.Context) (*Result, error) {
	r := &Result{
		Made: k.m.Now().UTC(), Mode: k.space.mode, Options: k.g.Options, Levels: k.levels, Default: k.first, Few: k.few,
		Newest: k.newest, Warnings: k.warnings, Pages: make([]resultPage, len(k.pages)), Concepts: make([]resultConcept, len(k.space.known)),
	}
	for i, p := range k.pages {
		one := resultPage{ID: p.ID, Sources: p.Sources}
		for _, c := range k.sets[i] {
			one.Concepts, one.Weights = append(one.Concepts, c.ID), append(one.Weights, c.Weight)
		}
		r.Pages[i] = one
	}
	for c := range r.Concepts {
		if k.space.mode != Words {
			r.Concepts[c] = resultConcept{Key: k.space.key(c), Name: k.space.name(c)}
		}
	}
	if k.space.mode != Words {
		return r, nil
	}
	ids, err := links.WordIDs(ctx, k.m.Store.DB, k.space.words)
	for c := range r.Concepts {
		r.Concepts[c].Word = ids[k.space.words[k.space.known[c]]]
	}
	return r, err
}

// readWords gives concepts that are words their keys and names. Words that are gone, or are numbers of none, stay without.
func readWords(ctx context.Context, st *store.Store, r *Result) error {
	var ids []int64
	for _, c := range r.Concepts {
		if c.Word != 0 {
			ids = append(ids, c.Word)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	words, err := links.WordsByID(ctx, st.DB, ids)
	for i := range r.Concepts {
		if c := &r.Concepts[i]; c.Word != 0 {
			c.Key, c.Name = words[c.Word], words[c.Word]
		}
	}
	return err
}

// drop leaves out pages that are no longer stored, and concepts without a name.
func (r *Result) drop(stored func(id int64) bool) {
	now, kept := make([]int, len(r.Pages)), r.Pages[:0]
	for i, p := range r.Pages {
		now[i] = -1
		if stored(p.ID) {
			now[i] = len(kept)
			p.Concepts, p.Weights = r.named(p.Concepts, p.Weights)
			kept = append(kept, p)
		}
	}
	r.Pages = kept
	var clusters []int // of the next level: the new place of each, -1 without pages
	for l := len(r.Levels) - 1; l >= 0; l-- {
		r.Levels[l].Clusters, clusters = r.dropIn(r.Levels[l].Clusters, now, clusters)
	}
}

// dropIn leaves out pages of the clusters of a level, and clusters without pages. now and parents are the new places of the
// pages, and of the clusters of the next level; places are those of the clusters.
func (r *Result) dropIn(all []resultCluster, now, parents []int) (kept []resultCluster, places []int) {
	kept, places = all[:0], make([]int, len(all))
	for c, one := range all {
		var pages []int
		for _, p := range one.Pages {
			if now[p] >= 0 {
				pages = append(pages, now[p])
			}
		}
		if places[c] = -1; len(pages) == 0 {
			continue
		}
		places[c], one.Pages = len(kept), pages
		one.Concepts, one.Weights = r.named(one.Concepts, one.Weights)
		if one.Broader >= 0 && r.Concepts[one.Broader].Name == "" {
			one.Broader = -1
		}
		if one.Parent >= 0 {
			one.Parent = parents[one.Parent]
		}
		kept = append(kept, one)
	}
	return kept, places
}

// named leaves out concepts without a name.
func (r *Result) named(concepts []int, weights []float64) ([]int, []float64) {
	var cs []int
	var ws []float64
	for i, c := range concepts {
		if r.Concepts[c].Name != "" {
			cs, ws = append(cs, c), append(ws, weights[i])
		}
	}
	return cs, ws
}

// scopeTitle says what a grouping is of.
func scopeTitle(g Grouping, name string) string {
	switch {
	case g.Scope == links.AllPages:
		return "Everything"
	case g.Scope == links.PagesOfCrawl:
		return "Crawl " + strconv.FormatInt(g.ScopeID, 10)
	case name == "":
		return "What is deleted" // a session's topic always has a name
	}
	return name
}
