// Armsbench measures what a second strategy costs a crawl, and after how many nights the two are told apart.
//
//	go run ./daemon/lab/armsbench --corpora DIR --tasks uic-person,elements --pairs link-value/hmm-soft,link-value/breadth-first
//
// Each task of the suite "real" is crawled by the first strategy alone, by the second alone, and by both in turn for some
// nights, each with draws of its own. Two ways of counting are shown: with labels in the place of a person's marks, and with the
// probabilities that finds have when nobody marks them. Without --tasks, the tasks are measured on which settings may be chosen.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("armsbench", run) }

type options struct {
	corpora string
	tasks   []string
	pairs   []string
	seed    uint64
	share   int
	nights  int
	budget  int
	json    bool
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{pairs: []string{"link-value/hmm-soft", "link-value/breadth-first"}}
	list := func(into *[]string) func(string) error {
		return func(s string) error {
			*into = strings.Split(s, ",")
			return nil
		}
	}
	f := flag.NewFlagSet("armsbench", flag.ContinueOnError)
	f.StringVar(&o.corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of the recordings (default $NIGHTJAR_CORPORA)")
	f.Func("tasks", "`NAMES` of tasks of the suite real (default those on which settings may be chosen)", list(&o.tasks))
	f.Func("pairs", "`FIRST/SECOND`,… strategies to compare (default link-value with hmm-soft and with breadth-first)", list(&o.pairs))
	f.Uint64Var(&o.seed, "seed", 1, "`NUMBER` that seeds the sessions")
	f.IntVar(&o.share, "share", 10, "percent of the links that the second strategy chooses")
	f.IntVar(&o.nights, "nights", 5, "crawls with both strategies")
	f.IntVar(&o.budget, "budget", 1000, "pages of a crawl")
	f.BoolVar(&o.json, "json", false, "print JSON")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	if o.corpora == "" {
		return nil, devtool.Usagef("--corpora is missing: the folder of the recordings")
	}
	for _, p := range o.pairs {
		if strings.Count(p, "/") != 1 {
			return nil, devtool.Usagef("%q is no pair: name two strategies, such as link-value/hmm-soft", p)
		}
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
	var all []*bench.ArmsResult
	for _, t := range suite.Tasks {
		if wanted := t.LookedAt; o.tasks == nil && !wanted || o.tasks != nil && !slices.Contains(o.tasks, t.Name) {
			continue
		}
		t.Budget = o.budget
		for _, pair := range o.pairs {
			first, second, _ := strings.Cut(pair, "/")
			plan := bench.ArmsPlan{First: first, Second: second, Share: o.share, Nights: o.nights}
			r, err := (&bench.Runner{Dir: o.corpora}).CompareArms(ctx, t, plan, o.seed)
			if err != nil {
				return fmt.Errorf("task %s, %s: %w", t.Name, pair, err)
			}
			all = append(all, r)
			if !o.json {
				fmt.Fprintln(stdout, line(r))
			}
		}
	}
	if o.json {
		return devtool.WriteJSON(stdout, all)
	}
	fmt.Fprintln(stdout, mean(all))
	return nil
}

// line is a result in words.
func line(r *bench.ArmsResult) string {
	told := func(t bench.Told) string {
		if t.Nights == 0 {
			return "not told apart"
		}
		return fmt.Sprintf("%s after night %d", t.Winner, t.Nights)
	}
	v := r.Seen.Last
	return fmt.Sprintf("%s, %s with %s: alone %d and %d, in turn %v (%.1f %% fewer); marked: %s, ratio %.2f (%.2f to %.2f); unmarked: %s",
		r.Task, r.First, r.Second, r.Alone, r.SecondAlso, r.Found, 100*r.Loss, told(r.Seen), v.Ratio.Value, v.Ratio.Low, min(v.Ratio.High, 999), told(r.Unseen))
}

// mean sums up what the second strategies cost.
func mean(all []*bench.ArmsResult) string {
	loss := 0.0
	for _, r := range all {
		loss += r.Loss
	}
	return fmt.Sprintf("on average of %d: %.1f %% fewer relevant pages", len(all), 100*loss/float64(max(1, len(all))))
}
