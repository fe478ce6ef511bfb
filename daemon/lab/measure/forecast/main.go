// Package forecast simulates nights on recorded webs and measures how good the forecasts of nightjar/daemon/forecast are: how often
// what came lies in the interval, and how wide the interval is. It fits their constants.
package forecast

import (
	"context"
	"flag"
	"fmt"

	"nightjar/daemon/command"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "forecast",
	Args:    "--corpora DIR --cache DIR [FLAGS]",
	Summary: "how often forecasts of nights hold; fits their constants",
	Help: `Simulates nights on recorded webs and measures how good forecasts of nights are: how often what came lies in the interval,
and how wide the interval is.

  lab forecast --corpora DIR --cache DIR
  lab forecast --corpora DIR --cache DIR --fit

For each task of the suite real, each seed and each size of a session, it makes a session, trains a model, and crawls with
link-value: from the task's start pages; again from the same pages with a model that learned from marks on 20 finds; and from
other start pages, twice. The cache holds these crawls, page by page, so that the nights of any budget are put together
without crawling again: a night is the beginning of a crawl, and pages that an earlier night of the same topic found are not
useful again.

The useful pages of a night are those of its new finds that have the task's label. The constants of the estimate are fitted on
the tasks used for choosing settings. The headline leaves out one web at a time: the nights on it are foreseen with constants
that were fitted on the other webs. --held measures the other tasks, which no constant was fitted on.`,
	Verb: command.Of[options],
}

// options say what to measure.
type options struct {
	Corpora string
	Cache   string
	Seeds   []int
	Sizes   []int // pages of a session
	Pages   int   // of a crawl: the largest budget
	Only    []string
	Held    bool
	Cached  bool // crawl nothing
	Fit     bool
}

func (o *options) Define(f *flag.FlagSet) {
	o.Sizes = []int{60, 200}
	verb.CorporaFlag(f, &o.Corpora, "the recordings")
	f.StringVar(&o.Cache, "cache", "", "`DIR` that keeps the crawls; those it has are not made again")
	verb.SeedsFlag(f, &o.Seeds, 1, 2, 3)
	f.Func("sizes", "`NUMBERS` of pages of a session (default 60,200)", verb.Numbers(&o.Sizes, 1))
	f.IntVar(&o.Pages, "pages", 1000, "`NUMBER` of pages of a crawl, the largest budget")
	f.Func("tasks", "`NAMES` of the tasks (default all)", verb.Names(&o.Only))
	f.BoolVar(&o.Cached, "cached", false, "measure what the cache holds, without a crawl")
	f.BoolVar(&o.Held, "held", false, "measure the tasks that no constant was fitted on, too")
	f.BoolVar(&o.Fit, "fit", false, "print the constants fitted on all tasks used for choosing settings, as Go")
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	switch {
	case o.Cache == "":
		return command.Usagef("--cache is missing: a folder that keeps the crawls")
	case o.Pages < 100:
		return command.Usagef("--pages must be at least 100")
	}
	if err := verb.NeedCorpora(o.Corpora); err != nil {
		return err
	}
	cells, err := makeCells(ctx, o, env.Stderr)
	if err != nil {
		return err
	}
	var all, held []night
	for _, c := range cells {
		if c.LookedAt {
			all = append(all, c.nights()...)
		} else {
			held = append(held, c.nights()...)
		}
	}
	if len(webs(all)) < 2 {
		return fmt.Errorf("each web is foreseen with constants that were fitted on others: nights of two webs are needed, and there are %d", len(webs(all)))
	}
	tables := []devtool.Table{table("Each web foreseen with constants that were fitted on the other webs", leaveOut(all))}
	if o.Held {
		tables = append(tables, table("Tasks on which no constant was fitted", foreseen(fit(all), held)))
	}
	if err := devtool.WriteText(env.Stdout, "Forecasts of simulated nights", tables); err != nil || !o.Fit {
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "\n%#v\n", *fit(all))
	return err
}
