// Rehearsebench compares what rehearsals say of strategies with what nights bring.
//
//	go run ./daemon/lab/rehearsebench --corpora DIR
//
// For each task of a suite and each seed, it rehearses strategies on the session that the task's models learn from. The crawl
// of the task, which those models lead, then shows whether a strategy does better than links in the order found. A rehearsal
// is right when it says the same.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("rehearsebench", run) }

// options say what to measure.
type options struct {
	Corpora, Suite string
	Only           []string // tasks; none means those that settings are chosen on
	Strategies     []string
	Seeds          int
	JSON           bool
}

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	s, err := o.suite()
	if err != nil {
		return err
	}
	var all []compared
	r := &bench.Runner{Dir: o.Corpora, Warn: func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }}
	err = r.Evenings(ctx, s, func(t *bench.Task, e *bench.Evening) error {
		some, err := compareAll(ctx, o, t, e)
		for _, c := range some {
			fmt.Fprintln(stderr, strings.Join(c.cells(), "  "))
		}
		all = append(all, some...)
		return err
	})
	if err != nil {
		return err
	}
	if o.JSON {
		return devtool.WriteJSON(stdout, all)
	}
	return devtool.WriteText(stdout, "Rehearsals beside the crawls that follow", tables(all))
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{Strategies: []string{strategy.Best, "hmm"}}
	f := flag.NewFlagSet("rehearsebench", flag.ContinueOnError)
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of the suite's corpora (default $NIGHTJAR_CORPORA)")
	f.StringVar(&o.Suite, "suite", "real", "`NAME` or file of a suite")
	list := func(into *[]string) func(string) error {
		return func(s string) error {
			*into = strings.Split(s, ",")
			return nil
		}
	}
	f.Func("tasks", "`NAMES` of the tasks to measure (default those that settings are chosen on)", list(&o.Only))
	f.Func("strategies", "`NAMES` of the strategies to rehearse (default "+strings.Join(o.Strategies, ",")+")", list(&o.Strategies))
	f.IntVar(&o.Seeds, "seeds", 2, "`NUMBER` of seeds of each task")
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	for _, name := range o.Strategies {
		if !strategy.Known(name) || strategy.Needs(name) != strategy.Nothing {
			return nil, devtool.Usagef("--strategies: %q is no strategy that every model can lead", name)
		}
	}
	return o, nil
}

// suite is the part of a suite to measure.
func (o *options) suite() (*bench.Suite, error) {
	s, err := bench.LoadSuite(o.Suite)
	if err != nil {
		return nil, err
	}
	if len(o.Only) > 0 {
		err = s.Only(o.Only)
	} else {
		s.Tasks = slices.DeleteFunc(s.Tasks, func(t bench.Task) bool { return !t.LookedAt })
	}
	for i := range s.Tasks {
		t := &s.Tasks[i]
		t.Seeds, t.Strategies = t.Seeds[:min(len(t.Seeds), max(1, o.Seeds))], o.Strategies
	}
	return s, err
}

// tables shows each comparison, and how often rehearsals were right.
func tables(all []compared) []devtool.Table {
	each := devtool.Table{Title: "Area under the recall curve, beside links in the order found", Rows: [][]string{
		{"task", "seed", "strategy", "useful", "rehearsal", "in order", "it says", "crawl", "in order"},
	}}
	right := devtool.Table{Title: "How often a rehearsal was right", Rows: [][]string{
		{"strategy", "it says", "crawls", "better", "worse"},
	}}
	type key struct{ strategy, says string }
	counts := map[key][3]int{}
	for _, c := range all {
		each.Rows = append(each.Rows, c.cells())
		n := counts[key{c.Strategy, c.Says}]
		n[0]++
		switch cmp.Compare(c.Crawl, c.CrawlInOrder) {
		case 1:
			n[1]++
		case -1:
			n[2]++
		}
		counts[key{c.Strategy, c.Says}] = n
	}
	var keys []key
	for k := range counts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.strategy, b.strategy), cmp.Compare(a.says, b.says)) })
	for _, k := range keys {
		n := counts[k]
		right.Rows = append(right.Rows, []string{k.strategy, k.says, fmt.Sprint(n[0]), fmt.Sprint(n[1]), fmt.Sprint(n[2])})
	}
	return []devtool.Table{each, right}
}
