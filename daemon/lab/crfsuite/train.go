package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"nightjar/daemon/lab/devtool"
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

// train learns a field and saves it if it is told where.
func train(ctx context.Context, set []sequence, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("crfsuite train FILE", flag.ContinueOnError)
	c2 := flags.Float64("c2", 1, "`NUMBER`, the strength of the penalty on the squares of the weights")
	most := flags.Int("max-iterations", 0, "`NUMBER` of iterations after which training ends (default 1000)")
	model := flags.String("model", "", "`FILE` to write the model to; without it, the model is not kept")
	asJSON := flags.Bool("json", false, "print JSON")
	if err := devtool.Parse(flags, args, stderr); err != nil {
		return err
	}
	if !(*c2 >= 0) || math.IsInf(*c2, 0) || *most < 0 {
		return devtool.Usagef("--c2 and --max-iterations must be numbers from 0 on")
	}
	f := name(set)
	f.C2 = *c2
	r := trained{
		Sequences: len(set), Labels: len(f.Labels), PageFeatures: len(f.Page), LinkFeatures: len(f.Link), C2: *c2,
	}
	var numbered []crf.Sequence
	for _, s := range set {
		q, _ := f.number(s)
		numbered = append(numbered, q)
		r.Items += len(s.Items)
	}
	begun := time.Now()
	var err error
	o := crf.Options{C2: *c2, MaxIterations: *most}
	f.Model, r.Fitted, err = crf.Fit(ctx, numbered, len(f.Labels), len(f.Page), len(f.Link), o)
	if err != nil {
		return err
	}
	r.Seconds = time.Since(begun).Seconds()
	if *model != "" {
		if err := f.save(*model); err != nil {
			return fmt.Errorf("save the model: %w", err)
		}
	}
	if *asJSON {
		return devtool.WriteJSON(stdout, r)
	}
	return r.print(stdout)
}

func (r *trained) print(to io.Writer) error {
	return devtool.WriteText(to, fmt.Sprintf("Trained on %d sequences, %d items", r.Sequences, r.Items), []devtool.Table{
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
	})
}
