package crfsuite

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"nightjar/daemon/lab/devtool"
)

// figures say how well predicted labels agree with a file's. Each item counts once, whatever the weight of its sequence.
type figures struct {
	Loss             float64 // see loss
	UnknownSequences int     // not in the loss, because the model lacks one of their labels
	Sequences, Items int
	ItemAccuracy     float64
	SequenceAccuracy float64 // share of the sequences all of whose labels are right
	Labels           []labelFigures
	Macro            labelFigures // means over the labels
}

// labelFigures are those of one label. What would be divided by 0 is 0.
type labelFigures struct {
	Label                    string
	Right, Predicted, InFile int // items
	Precision, Recall, F1    float64
}

func measure(set [][]answer, l loss) figures {
	f := figures{Loss: l.sum, UnknownSequences: l.unknown, Sequences: len(set)}
	labels := map[string]*labelFigures{}
	of := func(name string) *labelFigures {
		if labels[name] == nil {
			labels[name] = &labelFigures{Label: name}
		}
		return labels[name]
	}
	right, whole := 0, 0
	for _, s := range set {
		wrong := 0
		for _, a := range s {
			f.Items++
			of(a.Predicted).Predicted++
			of(a.Label).InFile++
			if a.Predicted == a.Label {
				of(a.Label).Right++
				right++
			} else {
				wrong++
			}
		}
		if wrong == 0 {
			whole++
		}
	}
	f.ItemAccuracy, f.SequenceAccuracy = share(right, f.Items), share(whole, f.Sequences)
	f.Macro.Label = "mean"
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		l := labels[name]
		l.Precision, l.Recall = share(l.Right, l.Predicted), share(l.Right, l.InFile)
		l.F1 = share(2*l.Right, l.Predicted+l.InFile)
		f.Labels = append(f.Labels, *l)
		f.Macro.Precision += l.Precision / float64(len(labels))
		f.Macro.Recall += l.Recall / float64(len(labels))
		f.Macro.F1 += l.F1 / float64(len(labels))
		f.Macro.Right += l.Right
		f.Macro.Predicted += l.Predicted
		f.Macro.InFile += l.InFile
	}
	return f
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

func (f *figures) tables() []devtool.Table {
	rows := [][]string{{"label", "right", "predicted", "in file", "precision", "recall", "F1"}}
	for _, l := range append(slices.Clone(f.Labels), f.Macro) {
		rows = append(rows, []string{
			l.Label, strconv.Itoa(l.Right), strconv.Itoa(l.Predicted), strconv.Itoa(l.InFile),
			fmt.Sprintf("%.4f", l.Precision), fmt.Sprintf("%.4f", l.Recall), fmt.Sprintf("%.4f", l.F1),
		})
	}
	loss := fmt.Sprintf("%.6f", f.Loss)
	if f.UnknownSequences > 0 {
		loss += fmt.Sprintf(" (without %d sequences with a label that the model lacks)", f.UnknownSequences)
	}
	return []devtool.Table{
		{Title: "All", Rows: [][]string{
			{"item accuracy", "sequence accuracy", "loss without penalty"},
			{fmt.Sprintf("%.4f", f.ItemAccuracy), fmt.Sprintf("%.4f", f.SequenceAccuracy), loss},
		}},
		{Title: "Labels", Rows: rows},
	}
}
