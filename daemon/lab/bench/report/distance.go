package report

import (
	"cmp"
	"fmt"
	"slices"

	strategies "nightjar/crawler/strategy"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/web/chart"
)

// worstTasks is the number of tasks of which the report says where their relevant pages were lost.
const worstTasks = 5

// Distance says for one way of counting missing pages where the strategy that crawls use loses relevant pages.
type Distance struct {
	Mode, Strategy string
	Table          table
	Sentences      []string // one a task
}

// Distances are the tasks on which that strategy is worst, for each way of counting; nil where nothing says it.
func (v *view) Distances() []Distance {
	var all []Distance
	for _, mode := range v.modes {
		worst := v.worst(mode)
		if len(worst) == 0 {
			continue
		}
		d := Distance{Mode: mode, Strategy: strategies.Best, Table: table{Head: []string{"task", "share of oracle's area", "fetched", "seen, not fetched",
			"never seen", "first seen", "then waited", "pages in fruitless folders"}}}
		for _, r := range worst {
			s := strategy(r, strategies.Best)
			d.Table.Rows = append(d.Table.Rows, []string{heading(r), within(s.AreaVsOracle, s.Low, s.High, share), percent(s.Discovery.Fetched),
				percent(s.Discovery.NotFetched), percent(s.Discovery.NeverSeen), spread(s.Discovery.FirstSeen), spread(s.Discovery.Wait),
				decimal(s.Discovery.Fruitless, 0) + " of " + chart.Thousands(r.Budget)})
			d.Sentences = append(d.Sentences, heading(r)+": "+lost(s.Discovery)+".")
		}
		all = append(all, d)
	}
	return all
}

// worst are the tasks measured with a way of counting on which the strategy has the smallest shares, worst first.
func (v *view) worst(mode string) []*bench.Result {
	var all []*bench.Result
	for _, t := range v.tasks {
		if s := strategy(t.exact(mode), strategies.Best); s != nil && s.Discovery != nil {
			all = append(all, t.exact(mode))
		}
	}
	slices.SortStableFunc(all, func(a, b *bench.Result) int {
		return cmp.Compare(strategy(a, strategies.Best).AreaVsOracle, strategy(b, strategies.Best).AreaVsOracle)
	})
	return all[:min(len(all), worstTasks)]
}

// spread formats a median with its quartiles, as shares of the budget.
func spread(q bench.Quartiles) string {
	return fmt.Sprintf("%s (%s to %s)", percent(q[1]), percent(q[0]), percent(q[2]))
}

// lost says where most was lost of a task's relevant pages: in the pages that were not fetched or, if most were, in the time
// until then.
func lost(d *bench.Discovery) string {
	fetched := percent(d.Fetched)
	switch {
	case d.Fetched > 0.5 && d.Wait[1] > d.FirstSeen[1]:
		return fmt.Sprintf("%s of the relevant pages were fetched; half of those waited in the queue for %s of the budget or more", fetched, percent(d.Wait[1]))
	case d.Fetched > 0.5:
		return fmt.Sprintf("%s of the relevant pages were fetched; the first link to half of those seen came after %s of the budget or more", fetched, percent(d.FirstSeen[1]))
	case d.NeverSeen >= d.NotFetched:
		return fmt.Sprintf("of the relevant pages, %s were fetched, and no link to %s was ever found", fetched, percent(d.NeverSeen))
	}
	return fmt.Sprintf("of the relevant pages, %s were fetched, and %s were seen, but not fetched: their links came too late in the queue", fetched, percent(d.NotFetched))
}
