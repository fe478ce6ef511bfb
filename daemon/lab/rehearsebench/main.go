// Rehearsebench compares what rehearsals say of strategies with what nights bring.
//
//	go run ./daemon/lab/rehearsebench --corpora DIR
//	go run ./daemon/lab/rehearsebench --corpora DIR --useful 5,8,12,20
//
// For each task of a suite and each seed, it rehearses strategies on the session that the task's models learn from. The crawl
// of the task, which those models lead, then shows whether a strategy does better than links in the order found. A rehearsal
// is right when it says the same.
//
// With --useful, each walk of the suite marks so many pages, once for each number. The last table then shows how
// often a rehearsal of so many useful pages is right; see model.EnoughRehearsed.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/devtool"
	"nightjar/model/measure"
)

func main() { devtool.Main("rehearsebench", run) }

// options say what to measure.
type options struct {
	Corpora, Suite string
	Only           []string // tasks; none means those that settings are chosen on
	Strategies     []string
	Seeds          int
	Useful         []int // pages that each walk marks; none means as the suite has it
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
	f.Func("useful", "`NUMBERS` of pages that each walk marks, 8 times as many pages long (default as in the suite)", func(s string) error {
		for _, one := range strings.Split(s, ",") {
			n, err := strconv.Atoi(one)
			if err != nil || n < 2 {
				return fmt.Errorf("%q is no number from 2 on", one)
			}
			o.Useful = append(o.Useful, n)
		}
		return nil
	})
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
	if len(o.Useful) > 0 {
		s.Tasks = sized(s.Tasks, o.Useful)
	}
	return s, err
}

// sized repeats the tasks that learn from walks with other numbers of useful pages.
func sized(tasks []bench.Task, useful []int) (all []bench.Task) {
	for _, t := range tasks {
		for _, n := range useful {
			one := t
			one.Name, one.Walks = fmt.Sprintf("%s, %d useful", t.Name, n), slices.Clone(t.Walks)
			for i := range one.Walks {
				one.Walks[i].Targets, one.Walks[i].Pages = n, 8*n
			}
			if len(one.Walks) > 0 {
				all = append(all, one)
			}
		}
	}
	return all
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
	return []devtool.Table{each, right, bySize(all)}
}

// sizes are the least numbers of useful pages of the lines of bySize.
var sizes = []int{0, measure.EnoughUseful, 8, 12, 16, 20, 30, 40, 60}

// bySize counts how often the better one in a rehearsal was the better one in the crawl, by the useful pages that could be found,
// and the same of rehearsals whose interval leaves out 0.
func bySize(all []compared) devtool.Table {
	t := devtool.Table{Title: "How often the better one of a rehearsal was the better one of the crawl", Rows: [][]string{
		{"useful pages from", "rehearsals", "right", "interval says earlier", "right", "interval says later", "right"},
	}}
	for k, least := range sizes {
		var n, right [3]int // all, surely earlier, surely later
		for _, c := range all {
			if c.Useful < least || k+1 < len(sizes) && c.Useful >= sizes[k+1] || c.Crawl == c.CrawlInOrder {
				continue
			}
			is := 0
			if (c.Rehearsal > c.RehearsalInOrder) == (c.Crawl > c.CrawlInOrder) {
				is = 1
			}
			n[0], right[0] = n[0]+1, right[0]+is
			switch {
			case c.Low > 0:
				n[1], right[1] = n[1]+1, right[1]+is
			case c.High < 0:
				n[2], right[2] = n[2]+1, right[2]+is
			}
		}
		if n[0] > 0 {
			t.Rows = append(t.Rows, []string{fmt.Sprint(least), fmt.Sprint(n[0]), fmt.Sprint(right[0]), fmt.Sprint(n[1]), fmt.Sprint(right[1]), fmt.Sprint(n[2]), fmt.Sprint(right[2])})
		}
	}
	return t
}
