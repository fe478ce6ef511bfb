// Leasebench measures what a crawl loses when many of its pages are being fetched at once, so that it chooses links without knowing
// what those pages say.
//
//	go run ./daemon/lab/leasebench --corpora DIR --out 0,64,512,2000
//
// It crawls tasks of the suite "real". Without --tasks, those on which settings may be chosen. Beside each area stands the one of a crawl
// that loses nothing but time: it reads the same pages as with none out, and those whose links are on pages still out later.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/devtool"
	"nightjar/model/measure"
)

func main() { devtool.Main("leasebench", run) }

type options struct {
	corpora  string
	tasks    []string
	strategy string
	out      []int
	seeds    int
	budget   int
	json     bool
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{out: []int{0, 64, 512, 2000}}
	f := flag.NewFlagSet("leasebench", flag.ContinueOnError)
	f.StringVar(&o.corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of the recordings (default $NIGHTJAR_CORPORA)")
	f.Func("tasks", "`NAMES` of tasks of the suite real (default those on which settings may be chosen)", func(s string) error {
		o.tasks = strings.Split(s, ",")
		return nil
	})
	f.StringVar(&o.strategy, "strategy", strategy.Best, "`NAME` of the strategy")
	f.Func("out", "`NUMBERS` of tasks at once (default 0,64,512,2000)", func(s string) error {
		o.out = nil
		for text := range strings.SplitSeq(s, ",") {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return fmt.Errorf("%q is no number of tasks", text)
			}
			o.out = append(o.out, n)
		}
		return nil
	})
	f.IntVar(&o.seeds, "seeds", 1, "`NUMBER` of sessions for each task")
	f.IntVar(&o.budget, "budget", 0, "pages of a crawl (`NUMBER`; default what the suite says)")
	f.BoolVar(&o.json, "json", false, "print JSON")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	if o.corpora == "" {
		return nil, devtool.Usagef("--corpora is missing: the folder of the recordings")
	}
	if o.seeds < 1 || len(o.out) == 0 {
		return nil, devtool.Usagef("--seeds must be at least 1, and --out must name a number")
	}
	return o, nil
}

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	suite, err := bench.LoadSuite("real")
	if err != nil {
		return err
	}
	var all []bench.LeasesResult
	for _, t := range suite.Tasks {
		if o.tasks == nil && !t.LookedAt || o.tasks != nil && !slices.Contains(o.tasks, t.Name) {
			continue
		}
		if o.budget > 0 {
			t.Budget = o.budget
		}
		for seed := range o.seeds {
			results, err := (&bench.Runner{Dir: o.corpora}).LeasesOut(ctx, t, o.strategy, o.out, uint64(seed+1))
			if err != nil {
				return fmt.Errorf("task %s: %w", t.Name, err)
			}
			all = append(all, results...)
			for _, r := range results {
				if !o.json {
					fmt.Fprintf(stdout, "%-24s seed %d, %4d out: area %.3f, delayed %.3f, recall %.3f\n", r.Task, r.Seed, r.Out, r.Area, r.Delayed, r.Recall)
				}
			}
		}
	}
	if o.json {
		return devtool.WriteJSON(stdout, all)
	}
	for i, n := range o.out {
		lost, area, delayed := sums(all, i, len(o.out))
		fmt.Fprintf(stdout, "on average of %d tasks, %4d out: area %.3f, %.3f less than with %d (95 %%: %.3f to %.3f); of links that are not known yet alone: %.3f\n",
			lost.N, n, area, lost.Value, o.out[0], lost.Low, lost.High, delayed)
	}
	return nil
}

// sums averages the results of the i-th of several numbers of tasks out: the area under recall, what is lost of it against the first
// number, and what is lost because links are not known yet. The interval of the loss is over tasks, of which each counts with the mean of
// its seeds.
func sums(all []bench.LeasesResult, i, numbers int) (lost measure.Figure, area, delayed float64) {
	byTask := map[string][]float64{}
	crawls := float64(len(all) / numbers)
	for k := i; k < len(all); k += numbers {
		first, one := all[k-i], all[k]
		byTask[one.Task] = append(byTask[one.Task], first.Area-one.Area)
		area += one.Area / crawls
		delayed += (first.Delayed - one.Delayed) / crawls
	}
	var losses []float64
	for _, task := range slices.Sorted(maps.Keys(byTask)) {
		losses = append(losses, measure.Mean(byTask[task], nil).Value)
	}
	return measure.Mean(losses, nil), area, delayed
}
