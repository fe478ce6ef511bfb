package frame

import "nightjar/daemon/chart"

// Plots is a plot, drawn for wide and for narrow windows, and its table.
type Plots struct {
	Wide, Narrow Plot
	Columns      []string
	Rows         [][]string
}

// Plot is a plot with what its elements are called.
type Plot struct {
	ID, Class, Title string
	Plot             chart.Plot
}

// PlotsOf draws a plot for both kinds of windows. wide is its width in a wide one.
func PlotsOf(id, title string, wide float64, draw func(width float64) chart.Plot, columns ...string) *Plots {
	v := &Plots{Plot{id, "row-of", title, draw(wide)}, Plot{id + "-narrow", "column-of", title, draw(340)}, columns, nil}
	v.Rows = v.Wide.Plot.Rows
	return v
}

// Intervals is a picture of figures with their intervals.
type Intervals struct {
	ID, Title, Caption string
	Plot               chart.Intervals
}

// ClusterKey is a line of the legend of a picture: a cluster with its most telling words.
type ClusterKey struct {
	N     int
	Class string
	Shape int
	Pages int
	Words []string
}
