package chart

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"nightjar/model"
	"nightjar/model/measure"
)

func TestIntervalsKeepTheirOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 200 {
		var all []Measured
		measured := 0
		for range rng.IntN(5) {
			low, wide := rng.Float64(), rng.Float64()
			m := Measured{Name: "x", Digits: 2, Figure: measure.Figure{Value: low + wide/2, Low: low, High: low + wide, N: rng.IntN(3)}}
			if m.Figure.N > 0 {
				measured++
			}
			all = append(all, m)
		}
		for _, s := range []Scale{FromZero(all), AroundHalf(all), {To: 1, Percent: true}} {
			p := DrawIntervals(s, all)
			if len(p.Lines) != measured {
				t.Fatalf("%d lines of %d measures", len(p.Lines), measured)
			}
			if !(s.From >= 0 && s.To <= 1 && s.From < s.To) {
				t.Fatalf("scale %+v", s)
			}
			last := 0.0
			for _, l := range p.Lines {
				if !(0 <= l.Low && l.Low <= l.X && l.X <= l.High && l.High <= 100) {
					t.Fatalf("dot at %v %%, whisker %v to %v", l.X, l.Low, l.High)
				}
				if !(last < l.Text && l.Text < l.Top && l.Top < l.Y && l.Y < l.Bottom && l.Bottom < p.Base && p.Base < p.High) {
					t.Fatalf("heights %+v of %v after %v", l, p.High, last)
				}
				last = l.Bottom
			}
			for i, tick := range p.Ticks {
				if tick.X < 0 || tick.X > 100 || i > 0 && tick.X <= p.Ticks[i-1].X {
					t.Fatalf("ticks %+v", p.Ticks)
				}
			}
		}
	}
}

// TestIntervalPlaces reads a value back from its place.
func TestIntervalPlaces(t *testing.T) {
	all := []Measured{
		{Name: "The model", Digits: 2, Figure: measure.Figure{Value: 0.43, Low: 0.38, High: 0.49, N: 57}},
		{Name: "Base", Alone: true, Digits: 2, Figure: measure.Figure{Value: 0.2, Low: 0.2, High: 0.2, N: 57}},
	}
	p := DrawIntervals(Scale{To: 0.5}, all)
	back := func(x float64) float64 { return (x - axisInset) / (100 - 2*axisInset) * 0.5 }
	const absTol = 0.001 // places are rounded to a tenth of a percent of the width
	for i, m := range all {
		for _, c := range [][2]float64{{p.Lines[i].X, m.Figure.Value}, {p.Lines[i].Low, m.Figure.Low}, {p.Lines[i].High, m.Figure.High}} {
			if math.Abs(back(c[0])-c[1]) > absTol {
				t.Errorf("%s: %v is drawn at %v", m.Name, c[1], back(c[0]))
			}
		}
	}
	if got := []string{p.Lines[0].Numbers, p.Lines[1].Numbers}; !reflect.DeepEqual(got, []string{"0.43 (0.38–0.49)", "0.20"}) {
		t.Errorf("numbers %q", got)
	}
	if p.Desc != "The model: 0.43 (0.38–0.49); Base: 0.20." {
		t.Errorf("description %q", p.Desc)
	}
	var ticks []string
	for _, tick := range p.Ticks {
		ticks = append(ticks, tick.Text)
	}
	if got := strings.Join(ticks, " "); got != "0 0.1 0.2 0.3 0.4 0.5" {
		t.Errorf("ticks %s", got)
	}
	if got := (Measured{Digits: 2, Figure: measure.Figure{Value: 0.61, Low: 0.55, High: 0.67, N: 1}}).numbers(true); got != "61 % (55–67 %)" {
		t.Errorf("shares are written %q", got)
	}
}

func TestReliability(t *testing.T) {
	p := DrawReliability([]model.Band{{Low: 0, High: 0.1, Said: 0.004, Useful: 0, N: 900}, {Low: 0.1, High: 0.2}, {Low: 0.5, High: 1, Said: 0.8, Useful: 0.6, N: 9}})
	if len(p.Bands) != 2 {
		t.Fatalf("%d dots; an empty band has none", len(p.Bands))
	}
	diagonal := func(x float64) float64 { return p.Bottom - (x-p.Left)*(p.Bottom-p.Top)/(p.Right-p.Left) }
	if b := p.Bands[1]; !(b.Y > diagonal(b.X)+1) { // below it, as y runs down
		t.Errorf("a judge with too high probabilities is drawn at %v, %v", b.X, b.Y)
	}
	if !(p.Bands[0].R > p.Bands[1].R) {
		t.Error("a band of more pages has no larger dot")
	}
	if !strings.Contains(p.Desc, "probability 0.4 %, useful 0 % of 900; probability 80 %, useful 60 % of 9.") {
		t.Errorf("description %q", p.Desc)
	}
	if p := DrawReliability(nil); len(p.Bands) != 0 || p.Path != "" {
		t.Errorf("nothing is drawn as %+v", p)
	}
}
