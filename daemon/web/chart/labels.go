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
		p.Edges = append(p.Edges, Edge{Path: l.line(s, ports[i]), Class: l.class(s), Weight: tenth(1 + 4*s.Weight/most),
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

// labelPlaces has the middle and the column of each box.
type labelPlaces struct {
	at            []Point
	column        []int
	width, height float64
}

// placeLabels puts the labels into columns by their worth. Every other column is half a row lower, so that a level arrow
// passes between the boxes of the next column.
func placeLabels(all []Label, steps []Step) labelPlaces {
	columns := columnsOf(all)
	untangle(columns, steps, len(all))
	rows := 1
	for _, c := range columns {
		rows = max(rows, len(c))
	}
	gap := widestGap
	if n := float64(len(columns)); n > 1 {
		gap = math.Min(gap, (labelsWide-2*labelsBeside-n*boxWide)/(n-1))
	}
	l := labelPlaces{at: make([]Point, len(all)), column: make([]int, len(all))}
	for c, column := range columns {
		first := float64((rows - len(column)) / 2)
		for r, i := range column {
			l.column[i] = c
			l.at[i] = Point{labelsBeside + boxWide/2 + float64(c)*(boxWide+gap),
				labelsAbove + boxHigh/2 + (first+float64(r)+0.5*float64(c%2))*rowPitch}
		}
	}
	l.width = 2*labelsBeside + float64(len(columns))*boxWide + float64(max(0, len(columns)-1))*gap
	for _, at := range l.at {
		l.height = math.Max(l.height, at.Y+boxHigh/2+labelsAbove)
	}
	return l
}

// columnsOf splits the labels by worth, least first, and puts the goal into the last column.
func columnsOf(all []Label) [][]int {
	var order, goal []int
	for i, label := range all {
		if label.Goal {
			goal = append(goal, i)
		} else {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(all[a].Worth, all[b].Worth) })
	var columns [][]int
	count := min(labelColumns, len(order))
	for c := range count {
		columns = append(columns, slices.Clone(order[c*len(order)/count:(c+1)*len(order)/count]))
	}
	if len(goal) > 0 {
		columns = append(columns, goal)
	}
	return columns
}

// untangle sorts each column by the mean height of the boxes that its boxes have arrows to or from, a few times over, so that
// fewer arrows cross.
func untangle(columns [][]int, steps []Step, labels int) {
	height := make([]float64, labels)
	set := func() {
		for _, column := range columns {
			for r, i := range column {
				height[i] = float64(r) - float64(len(column)-1)/2
			}
		}
	}
	set()
	for range 6 {
		for _, column := range columns {
			mean := make(map[int]float64, len(column))
			for _, i := range column {
				sum, n := height[i], 1.0
				for _, s := range steps {
					if s.From == i && s.To != i {
						sum, n = sum+height[s.To], n+1
					} else if s.To == i && s.From != i {
						sum, n = sum+height[s.From], n+1
					}
				}
				mean[i] = sum / n
			}
			slices.SortStableFunc(column, func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
			set()
		}
	}
}

// sides says where a step leaves and where it arrives: +1 is the right side, -1 the left side of a box. A step within a
// column leaves and arrives on the same side.
func (l labelPlaces) sides(s Step) (from, to float64) {
	a, b := l.column[s.From], l.column[s.To]
	switch {
	case a < b:
		return 1, -1
	case a > b:
		return -1, 1
	case l.at[s.From].Y < l.at[s.To].Y:
		return 1, 1
	}
	return -1, -1
}

// ports spreads the ends of the arrows over the sides of the boxes: for each step the heights where it begins and ends.
func (l labelPlaces) ports(steps []Step) [][2]float64 {
	type end struct {
		step, which int
		other       float64 // height of the box at the other end
	}
	type side struct {
		box   int
		right bool
	}
	ends := map[side][]end{}
	for i, s := range steps {
		if s.From != s.To {
			from, to := l.sides(s)
			a, b := side{s.From, from > 0}, side{s.To, to > 0}
			ends[a] = append(ends[a], end{i, 0, l.at[s.To].Y})
			ends[b] = append(ends[b], end{i, 1, l.at[s.From].Y})
		}
	}
	ports := make([][2]float64, len(steps))
	for at, list := range ends {
		slices.SortStableFunc(list, func(a, b end) int { return cmp.Compare(a.other, b.other) })
		apart := math.Min(10, (boxHigh-12)/math.Max(1, float64(len(list)-1)))
		for n, e := range list {
			ports[e.step][e.which] = l.at[at.box].Y + (float64(n)-float64(len(list)-1)/2)*apart
		}
	}
	return ports
}

// line draws a step: a loop above the box, a bow beside the column, or a curve between columns.
func (l labelPlaces) line(s Step, port [2]float64) string {
	const head = 6 // the tip of the arrow is that far beyond the end of its line
	a, b := l.at[s.From], l.at[s.To]
	if s.From == s.To {
		top := a.Y - boxHigh/2
		return path("M", a.X-16, top, "C", a.X-18, top-22, a.X+14, top-24, a.X+14, top-head)
	}
	from, to := l.sides(s)
	x, end := a.X+from*boxWide/2, b.X+to*(boxWide/2+head)
	reach := math.Max(22, 0.45*math.Abs(end-x))
	if from == to {
		reach = math.Min(22+0.06*math.Abs(b.Y-a.Y), labelsBeside-head)
	}
	return path("M", x, port[0], "C", x+from*reach, port[0], end+to*reach, port[1], end, port[1])
}

// class is the style of a step: towards the goal, away from it, or to the same label.
func (l labelPlaces) class(s Step) string {
	switch {
	case s.From == s.To:
		return "arc stay"
	case l.column[s.To] > l.column[s.From]:
		return "arc"
	}
	return "arc away"
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
