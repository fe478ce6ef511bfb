package crfsuite

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"

	"nightjar/daemon/command"
	"nightjar/daemon/lab/verb"
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

var tagCommand = command.Command{
	Name:    "crfsuite tag",
	Args:    "FILE --model FILE [FLAGS]",
	Summary: "tag a file by a field",
	Help: `Labels the items of FILE, or - for the standard input, and compares the labels with the file's. It prints for each item its
label, the predicted one and the probability of that, and after them the loss, the accuracy, and precision, recall and F1 of
each label.`,
	Files: true,
	Verb:  command.Of[tagOptions],
}

type tagOptions struct {
	model            string
	marginals, quiet bool
	verb.Output
}

func (o *tagOptions) Define(f *flag.FlagSet) {
	f.StringVar(&o.model, "model", "", "`FILE` that \"crfsuite train --model\" wrote")
	f.BoolVar(&o.marginals, "marginals", false, "print the probability of each label for each item")
	f.BoolVar(&o.quiet, "quiet", false, "print the figures only, not the items")
	o.Flags(f, "")
}

func (o *tagOptions) Run(ctx context.Context, env *command.Env, files []string) error {
	if o.model == "" {
		return command.Usagef("--model is missing; \"crfsuite train FILE --model MODEL\" makes one")
	}
	set, err := readFile(env, files)
	if err != nil {
		return err
	}
	f, err := load(o.model)
	if err != nil {
		return err
	}
	var r tagged
	var loss loss
	for _, s := range set {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.Sequences = append(r.Sequences, f.tag(s, o.marginals, &loss))
	}
	r.Figures = measure(r.Sequences, loss)
	if o.quiet {
		r.Sequences = nil
	}
	if !o.JSON {
		if err := r.print(env.Stdout, f.Labels); err != nil {
			return err
		}
	}
	return o.Print(env, r, fmt.Sprintf("Tagged %d sequences, %d items", r.Figures.Sequences, r.Figures.Items), r.Figures.tables())
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
