package groups

import (
	"context"
	"math/rand/v2"
	"time"

	"nightjar/daemon/machine"
	"nightjar/model/conceptset"
	"nightjar/model/dbscan"
	"nightjar/model/ontology"
	"nightjar/model/senses"
)

// timed is how long a number of pages takes. Choosing senses uses one processor, comparing pairs all.
type timed struct {
	Pages    int     `json:"pages"`
	Pairs    int     `json:"pairs"`
	Mean     float64 `json:"meanWords"` // of links, that took part, per page
	Exact    float64 `json:"exact"`     // share of the pages whose choice of senses is the best one for certain
	Steps    []step  `json:"steps"`
	Clusters int     `json:"clusters"` // of concepts, at the level that Explore shows first
}

// step is a part of the work.
type step struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"` // by the clock
	CPU     float64 `json:"cpu"`     // of all processors, which other programs on the machine do not lengthen
}

// clock measures steps.
type clock struct {
	steps []step
}

func (c *clock) measure(name string, f func() error) error {
	begin, used := time.Now(), machine.CPUTime()
	err := f()
	c.steps = append(c.steps, step{name, time.Since(begin).Seconds(), (machine.CPUTime() - used).Seconds()})
	return err
}

// said are the pages that others link to: in a random order those to which at least two link, then the rest.
func (w *web) said(rng *rand.Rand) []int {
	var several, one []int
	for i := range w.urls {
		switch n := w.sources(i); {
		case n >= 2:
			several = append(several, i)
		case n == 1:
			one = append(one, i)
		}
	}
	rng.Shuffle(len(several), func(i, j int) { several[i], several[j] = several[j], several[i] })
	return append(several, one...)
}

// time measures sense choice, all pairs, and clusters of pages, as §6.1 does.
func (l *library) time(ctx context.Context, o *options) (*timed, error) {
	pages := l.web.said(rand.New(rand.NewPCG(o.Seed, 74)))
	pages = pages[:min(len(pages), o.All)]
	t := &timed{Pages: len(pages), Pairs: len(pages) * (len(pages) - 1) / 2}
	var c clock
	var said []senses.Description
	_ = c.measure("choose senses", func() error { said = l.describe(l.web.in, pages, nil, senses.DefaultWords); return nil })
	for _, d := range said {
		t.Mean += float64(len(d.Words)) / float64(len(said))
		if d.Choice.Exact {
			t.Exact += 1 / float64(len(said))
		}
	}
	err := l.timeSenses(ctx, &c, said)
	if err != nil {
		return nil, err
	}
	if err := l.timeTerms(ctx, &c, pages, l.own, t); err != nil {
		return nil, err
	}
	t.Steps = c.steps
	return t, nil
}

// timeSenses compares all pages by the senses of their words.
func (l *library) timeSenses(ctx context.Context, c *clock, said []senses.Description) error {
	sets, err := senseSets(said)
	if err != nil {
		return err
	}
	return c.measure("all pairs by senses", func() error {
		_, err := conceptset.AllPairs(ctx, sets, l.senseSimilarity, nil)
		return err
	})
}

// timeTerms describes all pages by terms, compares and clusters them.
func (l *library) timeTerms(ctx context.Context, c *clock, pages []int, tree *ontology.Tree, t *timed) error {
	var sets []conceptset.Set
	err := c.measure("choose senses and map them to terms", func() (err error) {
		sets, err = termSets(l.describe(l.web.in, pages, tree, senses.DefaultWords))
		return err
	})
	if err != nil {
		return err
	}
	var pairs *conceptset.Pairs
	err = c.measure("all pairs by terms", func() (err error) {
		pairs, err = conceptset.AllPairs(ctx, sets, tree.Similarity, nil)
		return err
	})
	if err != nil {
		return err
	}
	return c.measure("DBSCAN at ten similarities", func() error {
		levels, err := dbscan.Hierarchy(ctx, len(pages), pairs.Near, dbscan.MinSims(), minDocs[0], nil)
		if err == nil {
			t.Clusters = len(levels[dbscan.Default(levels)].Sizes)
		}
		return err
	})
}
