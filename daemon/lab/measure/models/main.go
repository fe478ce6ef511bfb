// Package models measures the learner: seconds and peak memory of each stage of a training, beside scikit-learn on the same
// pages.
//
// Every measurement runs in its own process, so that its memory is that of one training: the verb starts the job "measure" for each
// size, and Python.
package models

import (
	"context"
	"flag"
	"os"
	"runtime"

	"nightjar/daemon/command"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "models",
	Args:    "[FLAGS]",
	Summary: "how fast the learner is, beside scikit-learn",
	Help: `Measures the learner: seconds and peak memory of each stage of a training and, on request, of its report. For comparison it
runs the same steps with scikit-learn on the same pages, which are made up.

  lab models --sizes 50,200,700,5000`,
	Verb:  command.Of[options],
	Below: []command.Command{verb.Job("models measure", verb.Answer(measureSize))},
}

// options say what to measure.
type options struct {
	Sizes      []int
	Seed       uint64
	Background int // background pages of each training
	Cores      int
	Repeat     int // runs, of which the fastest counts
	Assess     bool
	Sklearn    bool
	Python     string
	verb.Output
}

// minSize is the smallest session: it must hold a useful page and three others.
const minSize = 20

func (o *options) Define(f *flag.FlagSet) {
	o.Sizes = []int{50, 200, 700, 5000}
	f.Func("sizes", "pages of the sessions, `N,N` (default 50,200,700,5000)", verb.Numbers(&o.Sizes, minSize))
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that seeds the random choices")
	f.IntVar(&o.Background, "background", 200, "`NUMBER` of background pages of each training")
	f.IntVar(&o.Cores, "cores", min(2, runtime.NumCPU()), "`NUMBER` of processors that Nightjar and scikit-learn may use")
	f.IntVar(&o.Repeat, "repeat", 1, "`NUMBER` of runs; the fastest run of each stage counts")
	f.BoolVar(&o.Assess, "assess", false, "also measure the report on the quality of the model")
	f.BoolVar(&o.Sklearn, "sklearn", true, "also run the same steps with scikit-learn")
	f.StringVar(&o.Python, "python", "", "Python `PROGRAM` with scikit-learn (default /usr/bin/python3, then python3)")
	o.Flags(f, "")
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	if o.Background < 0 || o.Cores < 1 || o.Repeat < 1 {
		return command.Usagef("--cores and --repeat must be at least 1, and --background must not be negative")
	}
	dir, err := os.MkdirTemp("", "models-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	b := &benchmark{options: o, dir: dir, log: env.Stderr, children: verb.Child{Cores: o.Cores, Log: env.Stderr}}
	r, err := b.run(ctx)
	if err != nil {
		return err
	}
	return o.Print(env, r, r.heading(), r.tables())
}
