package chart

import (
	"fmt"
	"math"
	"strings"

	"nightjar/model"
)

// Reliability is a drawn reliability diagram: the probability along x, the share of useful pages along y, and the diagonal
// where both are equal.
type Reliability struct {
	Size                     float64 // of the square picture
	Left, Right, Top, Bottom float64 // the inner box
	Ticks                    []ReliabilityTick
	Bands                    []ReliabilityBand
	XName, YName             string // of the axes, with their units
	Path                     string // through the bands' dots
	Desc                     string
}

// ReliabilityTick is a share with its places on both axes.
type ReliabilityTick struct {
	X, Y float64
	Text string
}

// ReliabilityBand is the dot of one band; its area grows with the pages in it.
type ReliabilityBand struct {
	X, Y, R float64
	Off     string // path from the diagonal to the dot, the error of the band
	Title   string
}

// DrawReliability draws the bands that hold pages.
func DrawReliability(bands []model.Band) Reliability {
	p := Reliability{Size: 340, Left: 60, Right: 316, Top: 34, Bottom: 282,
		XName: axisName("probability of the judge", "%"), YName: axisName("share of useful pages", "%")}
	x := func(v float64) float64 { return Tenth(p.Left + (p.Right-p.Left)*math.Min(math.Max(v, 0), 1)) }
	y := func(v float64) float64 { return Tenth(p.Bottom - (p.Bottom-p.Top)*math.Min(math.Max(v, 0), 1)) }
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		p.Ticks = append(p.Ticks, ReliabilityTick{x(v), y(v), short(v, true)})
	}
	most := 1
	for _, b := range bands {
		most = max(most, b.N)
	}
	var parts []any
	var told []string
	for _, b := range bands {
		if b.N == 0 {
			continue
		}
		at := Point{x(b.Said), y(b.Useful)}
		text := fmt.Sprintf("probability %s, useful %s of %d", share(b.Said), share(b.Useful), b.N)
		p.Bands = append(p.Bands, ReliabilityBand{X: at.X, Y: at.Y, R: Tenth(3 + 6*math.Sqrt(float64(b.N)/float64(most))),
			Off: Path("M", at.X, y(b.Said), "L", at.X, at.Y), Title: text})
		command := "L"
		if len(parts) == 0 {
			command = "M"
		}
		parts = append(parts, command, at.X, at.Y)
		told = append(told, text)
	}
	p.Path = Path(parts...)
	p.Desc = "The probability of the judge and the share of useful pages, by bands of the probability: " + strings.Join(told, "; ") + "."
	return p
}

// share writes a share in percent, with a decimal below one.
func share(v float64) string {
	if v > 0 && v < 0.0095 {
		return fmt.Sprintf("%.1f %%", math.Max(v*100, 0.1))
	}
	return fmt.Sprintf("%.0f %%", v*100)
}
