package crfsuite

import (
	"context"
	"flag"
	"fmt"
	"math"
	"strconv"
	"time"

	"nightjar/daemon/command"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
	"nightjar/model/crf"
)

// trained is how a training went.
type trained struct {
	Sequences, Items, Labels   int
	PageFeatures, LinkFeatures int
	C2                         float64
	Seconds                    float64
	crf.Fitted
}

var trainCommand = command.Command{
	Name:    "crfsuite train",
	Args:    "FILE [FLAGS]",
	Summary: "train a field",
	Help: `Trains a field on FILE, or - for the standard input. It prints the loss F, which is what CRFsuite calls the loss of its
algorithm lbfgs with c1 = 0 and the same c2, and the iterations.`,
	Files: true,
	Verb:  command.Of[trainOptions],
}

type trainOptions struct {
	c2    float64
	most  int
	model string
	verb.Output
}

func (o *trainOptions) Define(f *flag.FlagSet) {
	f.Float64Var(&o.c2, "c2", 1, "`NUMBER`, the strength of the penalty on the squares of the weights")
	f.IntVar(&o.most, "max-iterations", 0, "`NUMBER` of iterations after which training ends (default 1000)")
	f.StringVar(&o.model, "model", "", "`FILE` to write the model to; without it, the model is not kept")
	o.Flags(f, "")
}

// Run learns a field and saves it if it is told where.
func (o *trainOptions) Run(ctx context.Context, env *command.Env, files []string) error {
	if !(o.c2 >= 0) || math.IsInf(o.c2, 0) || o.most < 0 {
		return command.Usagef("--c2 and --max-iterations must be numbers from 0 on")
	}
	set, err := readFile(env, files)
	if err != nil {
		return err
	}
	f := name(set)
	f.C2 = o.c2
	r := trained{
		Sequences: len(set), Labels: len(f.Labels), PageFeatures: len(f.Page), LinkFeatures: len(f.Link), C2: o.c2,
	}
	var numbered []crf.Sequence
	for _, s := range set {
		q, _ := f.number(s)
		numbered = append(numbered, q)
		r.Items += len(s.Items)
	}
	begun := time.Now()
	f.Model, r.Fitted, err = crf.Fit(ctx, numbered, len(f.Labels), len(f.Page), len(f.Link), crf.Options{C2: o.c2, MaxIterations: o.most})
	if err != nil {
		return err
	}
	r.Seconds = time.Since(begun).Seconds()
	if o.model != "" {
		if err := f.save(o.model); err != nil {
			return fmt.Errorf("save the model: %w", err)
		}
	}
	return o.Print(env, r, fmt.Sprintf("Trained on %d sequences, %d items", r.Sequences, r.Items), r.tables())
}

func (r *trained) tables() []devtool.Table {
	return []devtool.Table{
		{Title: "Model", Rows: [][]string{
			{"labels", "page features", "link features", "weights"},
			{strconv.Itoa(r.Labels), strconv.Itoa(r.PageFeatures), strconv.Itoa(r.LinkFeatures), strconv.Itoa(r.Weights)},
		}},
		{Title: "Training", Rows: [][]string{
			{"c2", "loss", "largest slope", "iterations", "seconds"},
			{
				fmt.Sprint(r.C2), fmt.Sprintf("%.6f", r.Objective), fmt.Sprintf("%.2g", r.Gradient),
				strconv.Itoa(r.Iterations), fmt.Sprintf("%.2f", r.Seconds),
			},
		}},
	}
}
