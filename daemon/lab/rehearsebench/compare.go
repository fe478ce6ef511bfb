package main

import (
	"context"
	"fmt"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/rehearsal"
	"nightjar/daemon/trainer"
	"nightjar/model"
)

// compared is what a rehearsal said of a strategy, and what the crawl brought. Areas are those under the recall curve; those of
// the crawl are shares of the oracle's.
type compared struct {
	Task     string `json:"task"`
	Seed     uint64 `json:"seed"`
	Strategy string `json:"strategy"`
	Useful   int    `json:"useful"` // hidden useful pages that could be found

	Rehearsal        float64 `json:"rehearsal"`
	RehearsalInOrder float64 `json:"rehearsal_in_order"`
	Low              float64 `json:"low"` // interval of the difference of the two
	High             float64 `json:"high"`
	Says             string  `json:"says"`

	Crawl        float64 `json:"crawl"`
	CrawlInOrder float64 `json:"crawl_in_order"`
}

func (c compared) cells() []string {
	two := func(v float64) string { return fmt.Sprintf("%.2f", v) }
	return []string{c.Task, fmt.Sprint(c.Seed), c.Strategy, fmt.Sprint(c.Useful), two(c.Rehearsal), two(c.RehearsalInOrder), c.Says, two(c.Crawl), two(c.CrawlInOrder)}
}

// compareAll rehearses the strategies on an evening's sessions, and lets them crawl.
func compareAll(ctx context.Context, o *options, t *bench.Task, e *bench.Evening) ([]compared, error) {
	set := trainer.Set(e.Sessions[0].Topic, e.Sessions, nil)
	inOrder, err := crawl(ctx, t, e, "breadth-first")
	if err != nil {
		return nil, err
	}
	var all []compared
	for _, name := range o.Strategies {
		r, err := rehearsal.Run(ctx, rehearsal.Input{Set: set, Settings: e.Model.Settings, Strategy: name}, nil)
		if err != nil {
			return all, err
		}
		sum := r.Sum()
		c := compared{
			Task: t.Name, Seed: e.Seed, Strategy: name, Useful: sum.Wanted, CrawlInOrder: inOrder,
			Rehearsal: sum.Area.Value, RehearsalInOrder: sum.BreadthFirst.Value, Low: sum.Better.Low, High: sum.Better.High, Says: says(sum),
		}
		if c.Crawl, err = crawl(ctx, t, e, name); err != nil {
			return all, err
		}
		all = append(all, c)
	}
	return all, nil
}

// says is a rehearsal's verdict in a word or two.
func says(sum model.Rehearsed) string {
	switch {
	case !sum.Told():
		return "too little to tell"
	case sum.Clearly() > 0:
		return "clearly better"
	case sum.Clearly() < 0:
		return "clearly worse"
	case sum.Better.Value > 0:
		return "perhaps better"
	}
	return "perhaps worse"
}

// crawl lets a strategy crawl the task's web, and returns its area as a share of the oracle's.
func crawl(ctx context.Context, t *bench.Task, e *bench.Evening, name string) (float64, error) {
	s, err := strategy.New(ctx, name, e.Model)
	if err != nil {
		return 0, err
	}
	score := e.Score(t)
	_, err = crawler.Run(ctx, e.Replay, s, crawler.Options{
		Starts: e.Starts, Budget: crawler.Budget{Pages: t.Budget}, OnFetch: func(f *crawler.Fetch) { score.Add(f) },
	})
	return score.AreaVsOracle(), err
}
