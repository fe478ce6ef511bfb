package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Label is a label of the pages of a way.
type Label struct {
	Name    string
	Meaning string
	Worth   float64 // in [0, 1]
	Goal    bool    // the label of useful pages
}

// Sizes of the picture of labels. Six columns are as wide as the page, so the text keeps its size with 40 labels.
const (
	boxWide, boxHigh = 128.0, 46.0
	rowPitch         = 84.0
	labelsBeside     = 44.0 // for bows beside the first and the last column
	labelsAbove      = 24.0 // for loops
	labelsWide       = 1150.0
	widestGap        = 120.0
	labelColumns     = 5 // at most, and one for the goal
	leastOfMost      = 0.25
)

// Labels draws labels as boxes, filled by their worth, and steps between them as arrows, wider for larger weights. The goal
// is on the right, and the labels of least worth are on the left. steps has the weight of the step from label i to label j at
// [i*L+j], where L is len(all). Of the steps with a weight above 0, the strongest from each label are drawn; Steps lists them.
func Labels(all []Label, steps []float64) Picture {
	drawn := StrongSteps(len(all), steps)
	l := placeLabels(all, drawn)
	p := Picture{Width: l.width, Height: l.height}
	most := 0.0
	for _, s := range drawn {
		most = math.Max(most, s.Weight)
	}
	ports := l.ports(drawn)
	for i, s := range drawn {
		p.Edges = append(p.Edges, Edge{Path: l.line(s, ports[i]), Class: l.class(s), Weight: tenth(1 + 3*s.Weight/most),
			Title: fmt.Sprintf("From %s to %s: weight %+.2f", all[s.From].Name, all[s.To].Name, s.Weight)})
	}
	for i, label := range all {
		at := l.at[i]
		class := ""
		if label.Goal {
			class = "target"
		}
		worth := math.Min(math.Max(label.Worth, 0), 1)
		p.Boxes = append(p.Boxes, Box{X: at.X, Y: at.Y, Left: at.X - boxWide/2, Top: at.Y - boxHigh/2, Width: boxWide, Height: boxHigh,
			Class: class, Fill: math.Round(worth*100) / 100, Text: Shorten(16, label.Name), Sub: fmt.Sprintf("worth %.2f", label.Worth),
			Title: fmt.Sprintf("%s: %s\nworth %.3f", label.Name, label.Meaning, label.Worth)})
	}
	p.Desc = labelsDesc(all, drawn)
	p.round()
	return p
}

// Step is a step from a label to a label.
type Step struct {
	From, To int
	Weight   float64
}

// StrongSteps returns the steps that are drawn: from each label the one with the largest weight above 0, and up to two more
// with at least a quarter of the largest weight of all; fewer when there are many labels. The strongest is first.
func StrongSteps(labels int, steps []float64) []Step {
	var most float64
	for _, w := range steps {
		most = math.Max(most, w)
	}
	count := min(3, max(1, 36/max(1, labels)))
	var all []Step
	strongest := func(a, b Step) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	}
	for from := range labels {
		var row []Step
		for to, w := range steps[from*labels : (from+1)*labels] {
			if w > 0 {
				row = append(row, Step{from, to, w})
			}
		}
		slices.SortFunc(row, strongest)
		for i, s := range row[:min(count, len(row))] {
			if i == 0 || s.Weight >= leastOfMost*most {
				all = append(all, s)
			}
		}
	}
	slices.SortFunc(all, strongest)
	return all
}

func labelsDesc(all []Label, steps []Step) string {
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b Label) int { return cmp.Compare(b.Worth, a.Worth) })
	var worth, strong []string
	for _, label := range order {
		worth = append(worth, fmt.Sprintf("%s %.2f", label.Name, label.Worth))
	}
	for _, s := range steps {
		strong = append(strong, fmt.Sprintf("from %s to %s %+.2f", all[s.From].Name, all[s.To].Name, s.Weight))
	}
	text := "Labels by worth: " + strings.Join(worth, ", ") + "."
	if len(strong) > 0 {
		text += " Strongest steps by weight: " + strings.Join(strong, ", ") + "."
	}
	return text
}
