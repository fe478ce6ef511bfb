package chart

import (
	"math"
	"strings"
)

// Foretold is the forecast of a night and its result, in useful pages.
type Foretold struct {
	Name                string
	Low, Expected, High float64
	Came                float64
}

// Forecasts is a drawn list of forecasts beside results: for each night a bar over the interval, a stroke at the expected
// number, and a dot at the result. X is in percent of the width and Y in em, as in Intervals.
type Forecasts struct {
	Ruler
	Lines []ForecastLine
	Desc  string
}

// ForecastLine is the position of a night in the picture.
type ForecastLine struct {
	Name, Numbers          string
	Text                   float64 // em: base line of name and numbers
	Y, Top, Bottom         float64 // em: of the dot, and the edges of the bar
	Low, Wide              float64 // percent of the width: left end of the bar, and its width
	Expected, Came         float64 // percent of the width
	Held                   bool    // the result is within the interval
	Tall, StrokeT, StrokeB float64 // em: height of the bar, ends of the stroke
}

// DrawForecasts draws nights on a scale on which the step from 1 to 10 pages is about as long as that from 10 to 100.
func DrawForecasts(all []Foretold) Forecasts {
	var p Forecasts
	most := 10.0
	for _, f := range all {
		most = math.Max(most, math.Max(f.High, f.Came))
	}
	x := func(v float64) float64 {
		return Tenth(axisInset + (100-2*axisInset)*math.Log1p(math.Max(v, 0))/math.Log1p(most))
	}
	var told []string
	for i, f := range all {
		y := lineHigh*float64(i) + 2.3
		low, high := math.Round(f.Low), math.Round(f.High)
		l := ForecastLine{
			Name: f.Name, Numbers: "forecast " + FromTo(f.Low, f.High) + ", found " + Number(int(math.Round(f.Came))),
			Text: Tenth(y - 1.1), Y: Tenth(y), Top: Tenth(y - 0.45), Bottom: Tenth(y + 0.45), Tall: 0.9, StrokeT: Tenth(y - 0.65), StrokeB: Tenth(y + 0.65),
			Low: x(low), Expected: x(math.Round(f.Expected)), Came: x(math.Round(f.Came)),
			Held: low <= math.Round(f.Came) && math.Round(f.Came) <= high,
		}
		l.Wide = Tenth(math.Max(x(high)-l.Low, 0.6))
		p.Lines = append(p.Lines, l)
		told = append(told, l.Name+": "+l.Numbers)
	}
	var ticks []IntervalTick
	for _, v := range []float64{0, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000} {
		if v <= most {
			ticks = append(ticks, IntervalTick{X: x(v), Text: Number(int(v)), Anchor: anchor(x(v))})
		}
	}
	p.Ruler = rulerAt(lineHigh*float64(len(all))+0.2, axisName("useful pages", ""), ticks)
	p.Desc = strings.Join(told, "; ") + "."
	return p
}

// FromTo writes an interval in whole numbers: 8 to 24.
func FromTo(low, high float64) string {
	from, to := int(math.Round(low)), int(math.Round(high))
	if from == to {
		return Number(from)
	}
	return Number(from) + " to " + Number(to)
}
