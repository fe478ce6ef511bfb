package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("clusterbench", run) }

// options say what to measure.
type options struct {
	Suite    string
	Corpora  string
	LookedAt bool
	Only     []string // tasks; none means all that LookedAt admits
	Seeds    []uint64 // none means those of the tasks
	Manners  []*manner
	Each     bool
}

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	suite, err := o.suite()
	if err != nil {
		return err
	}
	read, r := new(reader), new(result)
	runner := &bench.Runner{Dir: o.Corpora, Warn: func(format string, args ...any) { fmt.Fprintf(stderr, "clusterbench: "+format+"\n", args...) }}
	err = runner.Grounds(ctx, suite, func(g *bench.Ground) error {
		s, err := read.session(ctx, g)
		if err != nil {
			return err
		}
		for i, m := range o.Manners {
			one := row{g.Task.Group, g.Task.Name, g.Seed, s.measure(m)}
			r.add(i, one)
			fmt.Fprintf(stderr, "%s\t%s\t%d\t%s\t%d\t%.4f\t%.4f\n", one.group, one.task, one.seed, m.name, one.clusters, one.share, one.bits)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return devtool.WriteText(stdout, "Clusters found, and the area of hmm as a share of the oracle's", r.tables(o.Manners, o.Each))
}

// manners are measured when the command line names none.
const manners = "xmeans:all,xmeans:trained,xmeans:8,xmeans:12,xmeans:15,xmeans:20,xmeans:10:raw,xmeans:10:same,own:all,shared:10,kmeans8:all"

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := new(options)
	f := flag.NewFlagSet("clusterbench", flag.ContinueOnError)
	f.StringVar(&o.Suite, "suite", "real", "`NAME` or file of a suite of tasks")
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of recorded pages (default $NIGHTJAR_CORPORA)")
	f.BoolVar(&o.LookedAt, "looked-at", true, "measure the tasks that settings are chosen on, not the others")
	f.BoolVar(&o.Each, "each", false, "also print a line for each task")
	f.Func("tasks", "`NAMES` of the tasks to measure, looked at or not", func(s string) error {
		o.Only = strings.Split(s, ",")
		return nil
	})
	f.Func("seed", "`NUMBERS` that seed the random choices (default the tasks' own)", func(s string) error {
		for part := range strings.SplitSeq(s, ",") {
			seed, err := strconv.ParseUint(strings.TrimSpace(part), 10, 64)
			if err != nil {
				return err
			}
			o.Seeds = append(o.Seeds, seed)
		}
		return nil
	})
	names := f.String("manners", manners, "`HOW:SPACE` of each way of clustering to measure")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	for name := range strings.SplitSeq(*names, ",") {
		m, err := parseManner(name)
		if err != nil {
			return nil, devtool.Usagef("--manners: %w", err)
		}
		o.Manners = append(o.Manners, m)
	}
	return o, nil
}

// suite reads the suite and keeps what is to be measured.
func (o *options) suite() (*bench.Suite, error) {
	suite, err := bench.LoadSuite(o.Suite)
	if err != nil {
		return nil, err
	}
	if len(suite.MadeUp) == 0 && o.Corpora == "" {
		return nil, devtool.Usagef("--corpora is missing: the folder of the suite's recordings")
	}
	if o.Only != nil {
		err = suite.Only(o.Only)
	} else {
		suite.Tasks = slices.DeleteFunc(suite.Tasks, func(t bench.Task) bool { return t.LookedAt != o.LookedAt })
	}
	if err == nil && len(suite.Tasks) == 0 {
		return nil, devtool.Usagef("suite %s has no such tasks", o.Suite)
	}
	if o.Seeds != nil {
		for i := range suite.Tasks {
			suite.Tasks[i].Seeds = o.Seeds
		}
	}
	return suite, err
}
