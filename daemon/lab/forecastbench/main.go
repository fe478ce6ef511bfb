// Forecastbench simulates nights on recorded webs and measures how good the forecasts of package forecast are: how often what
// came lies in the interval, and how wide the interval is.
//
//	go run ./daemon/lab/forecastbench --corpora DIR --cache DIR
//
// For each task of the suite real, each seed and each size of a session, it makes a session, trains a model, and crawls with
// link-value: from the task's start pages; again from the same pages with a model that learned from marks on 20 finds; and from
// other start pages, twice. A cell of the cache holds these crawls, page by page, so that the nights of any budget are put
// together without crawling again: a night is the beginning of a crawl, and pages that an earlier night of the same topic found
// are not useful again.
//
// The useful pages of a night are those of its new finds that have the task's label. The constants of the estimate are fitted on
// the tasks used for choosing settings. The headline leaves out one web at a time: the nights on it are foreseen with constants
// that were fitted on the other webs. --held measures the other tasks, which no constant was fitted on.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("forecastbench", run) }

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

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	cells, err := makeCells(ctx, o, stderr)
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
	fmt.Fprintln(stdout, "Each web foreseen with constants that were fitted on the other webs:")
	if err := printTables(stdout, leaveOut(all)); err != nil {
		return err
	}
	if o.Held {
		fmt.Fprintln(stdout, "\nTasks on which no constant was fitted:")
		if err := printTables(stdout, foreseen(fit(all), held)); err != nil {
			return err
		}
	}
	if o.Fit {
		fmt.Fprintf(stdout, "%#v\n", *fit(all))
	}
	return nil
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{Seeds: []int{1, 2, 3}, Sizes: []int{60, 200}}
	f := flag.NewFlagSet("forecastbench", flag.ContinueOnError)
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of the recordings (default $NIGHTJAR_CORPORA)")
	f.StringVar(&o.Cache, "cache", "", "`DIR` that keeps the crawls; those it has are not made again")
	f.Func("seeds", "`NUMBERS` that seed the random choices (default 1,2,3)", numbers(&o.Seeds))
	f.Func("sizes", "`NUMBERS` of pages of a session (default 60,200)", numbers(&o.Sizes))
	f.IntVar(&o.Pages, "pages", 1000, "`NUMBER` of pages of a crawl, the largest budget")
	f.Func("tasks", "`NAMES` of the tasks (default all)", func(s string) error {
		o.Only = strings.Split(s, ",")
		return nil
	})
	f.BoolVar(&o.Cached, "cached", false, "measure what the cache holds, without a crawl")
	f.BoolVar(&o.Held, "held", false, "measure the tasks that no constant was fitted on, too")
	f.BoolVar(&o.Fit, "fit", false, "print the constants fitted on all tasks used for choosing settings, as Go")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	switch {
	case o.Corpora == "":
		return nil, devtool.Usagef("--corpora is missing: the folder that holds webkb/, wikispeedia/ and uic/")
	case o.Cache == "":
		return nil, devtool.Usagef("--cache is missing: a folder that keeps the crawls")
	case o.Pages < 100:
		return nil, devtool.Usagef("--pages must be at least 100")
	}
	return o, nil
}

func numbers(all *[]int) func(string) error {
	return func(s string) error {
		*all = nil
		for part := range strings.SplitSeq(s, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(part))
			if err != nil || n < 1 {
				return fmt.Errorf("%q is no number above 0", part)
			}
			*all = append(*all, n)
		}
		return nil
	}
}
