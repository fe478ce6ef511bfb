package chart

import (
	"cmp"
	"math"
	"slices"
)

// labelPlaces has the middle and the column of each box.
type labelPlaces struct {
	at            []Point
	column        []int
	middle        []float64 // of each column
	width, height float64
	passed        [][]float64 // for each column the heights of the lines that pass through it
}

// placeLabels puts the labels into columns by their worth. Every other column is half a row lower, so that a level arrow
// passes between the boxes of the next column.
func placeLabels(all []Label, steps []Step) *labelPlaces {
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
	l := &labelPlaces{at: make([]Point, len(all)), column: make([]int, len(all))}
	l.passed = make([][]float64, len(columns))
	for c, column := range columns {
		first := float64((rows - len(column)) / 2)
		l.middle = append(l.middle, labelsBeside+boxWide/2+float64(c)*(boxWide+gap))
		for r, i := range column {
			l.column[i] = c
			l.at[i] = Point{l.middle[c],
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
func (l *labelPlaces) sides(s Step) (from, to float64) {
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
func (l *labelPlaces) ports(steps []Step) [][2]float64 {
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

// line draws a step: a loop above the box, a bow beside the column, or a curve that passes between the boxes of the columns
// on its way.
func (l *labelPlaces) line(s Step, port [2]float64) string {
	const head = 6 // the tip of the arrow is that far beyond the end of its line
	a, b := l.at[s.From], l.at[s.To]
	if s.From == s.To {
		top := a.Y - boxHigh/2
		return path("M", a.X-16, top, "C", a.X-18, top-22, a.X+14, top-24, a.X+14, top-head)
	}
	from, to := l.sides(s)
	at, end := Point{a.X + from*boxWide/2, port[0]}, Point{b.X + to*(boxWide/2+head), port[1]}
	if from == to {
		reach := math.Min(22+0.06*math.Abs(b.Y-a.Y), labelsBeside-head)
		return path("M", at.X, at.Y, "C", at.X+from*reach, at.Y, end.X+to*reach, end.Y, end.X, end.Y)
	}
	d := path("M", at.X, at.Y)
	for c := l.column[s.From] + int(from); c != l.column[s.To]; c += int(from) {
		middle := l.middle[c]
		y := l.free(c, at.Y+(end.Y-at.Y)*(middle-at.X)/(end.X-at.X))
		d += " " + curve(at, Point{middle - from*boxWide/2, y}) + " " + path("L", middle+from*boxWide/2, y)
		at = Point{middle + from*boxWide/2, y}
	}
	return d + " " + curve(at, end)
}

// curve is the path from a to b, which leaves and arrives level.
func curve(a, b Point) string {
	reach := 0.45 * (b.X - a.X)
	return path("C", a.X+reach, a.Y, b.X-reach, b.Y, b.X, b.Y)
}

// free is a height near y at which a line can pass through a column: between its boxes, and beside the lines that pass there
// already.
func (l *labelPlaces) free(column int, y float64) float64 {
	const room, lane, lanes = 7, 7, 2
	for i, at := range l.at {
		if l.column[i] == column && math.Abs(at.Y-y) < boxHigh/2+room {
			y = at.Y + math.Copysign(rowPitch/2, y-at.Y)
			break
		}
	}
	for n := range 2*lanes + 1 { // y, then one lane above and below it, then two
		at := y + lane*float64((n+1)/2)*float64(1-n%2*2)
		if at > 2 && at < l.height-2 && l.clear(column, at, lane) {
			y = at
			break
		}
	}
	y = math.Min(math.Max(y, 2), l.height-2)
	l.passed[column] = append(l.passed[column], y)
	return y
}

// clear reports whether a line at height y touches no box of the column, and is that far from every line through it.
func (l *labelPlaces) clear(column int, y, far float64) bool {
	for i, at := range l.at {
		if l.column[i] == column && math.Abs(at.Y-y) < boxHigh/2+2 {
			return false
		}
	}
	return !slices.ContainsFunc(l.passed[column], func(other float64) bool { return math.Abs(other-y) < far })
}

// class is the style of a step: towards the goal, away from it, or to the same label.
func (l *labelPlaces) class(s Step) string {
	switch {
	case s.From == s.To:
		return "arc stay"
	case l.column[s.To] > l.column[s.From]:
		return "arc"
	}
	return "arc away"
}
