package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"

	"nightjar/daemon/lab/devtool"
)

// tagged is a tagged file.
type tagged struct {
	Sequences [][]answer `json:",omitempty"`
	Figures   figures
}

// answer is what the field says of an item.
type answer struct {
	Label       string // of the file
	Predicted   string // by Viterbi
	Probability float64
	Marginals   map[string]float64 `json:",omitempty"`
}

// tag labels the items of a file and compares the labels with the file's.
func tag(ctx context.Context, set []sequence, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("crfsuite tag FILE", flag.ContinueOnError)
	model := flags.String("model", "", "`FILE` that \"crfsuite train --model\" wrote")
	marginals := flags.Bool("marginals", false, "print the probability of each label for each item")
	quiet := flags.Bool("quiet", false, "print the figures only, not the items")
	asJSON := flags.Bool("json", false, "print JSON")
	if err := devtool.Parse(flags, args, stderr); err != nil {
		return err
	}
	if *model == "" {
		return devtool.Usagef("--model is missing; \"crfsuite train FILE --model MODEL\" makes one")
	}
	f, err := load(*model)
	if err != nil {
		return err
	}
	var r tagged
	var loss loss
	for _, s := range set {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.Sequences = append(r.Sequences, f.tag(s, *marginals, &loss))
	}
	r.Figures = measure(r.Sequences, loss)
	if *quiet {
		r.Sequences = nil
	}
	if *asJSON {
		return devtool.WriteJSON(stdout, r)
	}
	if err := r.print(stdout, f.Labels); err != nil {
		return err
	}
	return r.Figures.print(stdout)
}

// loss is Σ weight·(log Z - score of the file's labels) over the sequences all of whose labels the model knows.
type loss struct {
	sum     float64
	unknown int // other sequences
}

// tag labels a sequence and adds to the loss.
func (f *field) tag(s sequence, marginals bool, to *loss) (all []answer) {
	q, known := f.number(s)
	lattice := f.Model.Lattice(q.Steps)
	labels, _ := f.Model.Viterbi(q.Steps)
	for t, y := range labels {
		p := lattice.Marginal(t)
		a := answer{Label: s.Items[t].Label, Predicted: f.Labels[y], Probability: p[y]}
		if marginals {
			a.Marginals = map[string]float64{}
			for y, name := range f.Labels {
				a.Marginals[name] = p[y]
			}
		}
		all = append(all, a)
	}
	if known {
		to.sum += q.Count * (lattice.LogZ - f.Model.Score(q.Steps, q.Labels))
	} else {
		to.unknown++
	}
	return all
}

// print writes a line for each item, and an empty one after each sequence. labels is the order of the marginals.
func (r *tagged) print(to io.Writer, labels []string) error {
	w := bufio.NewWriter(to)
	for _, s := range r.Sequences {
		for _, a := range s {
			fmt.Fprintf(w, "%s\t%s\t%.6f", a.Label, a.Predicted, a.Probability)
			for _, name := range labels {
				if p, ok := a.Marginals[name]; ok {
					fmt.Fprintf(w, "\t%s:%.6f", name, p)
				}
			}
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
