package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func randomSeries(rng *rand.Rand, n int) []series {
	all := make([]series, n)
	for i := range all {
		all[i] = series{Name: strings.Repeat("名w", rng.IntN(30)), Class: "x"}
		for page := 1; page < rng.IntN(400); page += 1 + rng.IntN(9) {
			v := rng.Float64()
			switch rng.IntN(20) {
			case 0:
				v = math.NaN()
			case 1:
				v = math.Inf(1 - 2*rng.IntN(2))
			case 2:
				v = -v
			}
			all[i].At = append(all[i].At, point{float64(page), v})
		}
	}
	return all
}

// TestCompare draws random series: all lines stay in the box, names stand apart beside it and within the picture.
func TestCompare(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for round := range 200 {
		c := comparison{Series: randomSeries(rng, rng.IntN(30)), Last: float64(rng.IntN(500)), Percent: round%2 == 0, Top: 40}
		if round%3 == 0 {
			c.Most = 0.05 + rng.Float64()
		}
		p := c.draw()
		if again := c.draw(); !reflect.DeepEqual(p, again) {
			t.Fatal("two drawings differ")
		}
		if len(p.Lines) != len(c.Series) {
			t.Fatalf("%d lines of %d series", len(p.Lines), len(c.Series))
		}
		for i, l := range p.Lines {
			checkBox(t, p, l.Path, p.Right)
			checkBox(t, p, l.Way, l.X)
			if l.Y < p.Top-6 || l.Y > p.Bottom || l.X+wide(l.Name+"  "+l.Value) > p.Width {
				t.Fatalf("%q at %v, %v leaves the picture", l.Name, l.X, l.Y)
			}
			for _, other := range p.Lines[:i] {
				if math.Abs(l.Y-other.Y) < nameHigh-0.11 { // heights are rounded to tenths
					t.Fatalf("names at %v and %v of %d", l.Y, other.Y, len(p.Lines))
				}
			}
		}
		for _, tick := range append(slices.Clone(p.XTicks), p.YTicks...) {
			if math.IsNaN(tick.At) || strings.Contains(tick.Text, "NaN") {
				t.Fatalf("tick %v", tick)
			}
		}
	}
}

// numbers are those of a path.
var numbers = regexp.MustCompile(`-?[0-9.]+|NaN|Inf`)

func checkBox(t *testing.T, p plot, path string, right float64) {
	t.Helper()
	values := numbers.FindAllString(path, -1)
	for i := 0; i+1 < len(values); i += 2 {
		x, errX := strconv.ParseFloat(values[i], 64)
		y, errY := strconv.ParseFloat(values[i+1], 64)
		if errX != nil || errY != nil || !(x >= p.Left && x <= right && y >= p.Top && y <= p.Bottom) {
			t.Fatalf("%s, %s is outside of %v to %v, %v to %v", values[i], values[i+1], p.Left, right, p.Top, p.Bottom)
		}
	}
}

// TestThin leaves out points of a straight line and keeps to within the tolerance of all others.
func TestThin(t *testing.T) {
	if got := thin([]point{{0, 0}, {1, 1}, {2, 2}, {3, 0}, {4, 0}}, 0.1); !reflect.DeepEqual(got, []point{{0, 0}, {2, 2}, {3, 0}, {4, 0}}) {
		t.Errorf("thinned to %v", got)
	}
	const off = 0.4
	rng := rand.New(rand.NewPCG(8, 8))
	for range 50 {
		var all []point
		for x := range 300 {
			all = append(all, point{float64(x), 3 * rng.Float64()})
		}
		before := fmt.Sprint(all)
		kept := thin(all, off)
		if fmt.Sprint(all) != before {
			t.Fatal("the points given have changed")
		}
		for _, q := range all {
			at, _ := slices.BinarySearchFunc(kept, q.X, func(p point, x float64) int { return int(p.X) - int(x) })
			a, b := kept[max(at-1, 0)], kept[at]
			if a == b {
				continue
			}
			d := math.Abs((b.X-a.X)*(q.Y-a.Y)-(b.Y-a.Y)*(q.X-a.X)) / math.Hypot(b.X-a.X, b.Y-a.Y)
			if d > off {
				t.Fatalf("%v is %v off", q, d)
			}
		}
	}
}

func TestBelowCutsWhereALineCrosses(t *testing.T) {
	got := below([]point{{0, 0}, {10, 20}, {20, 20}, {30, 0}, {40, 5}, {50, 15}}, 10)
	want := [][]point{{{5, 10}, {10, 20}, {20, 20}, {25, 10}}, {{45, 10}, {50, 15}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("cut to %v, want %v", got, want)
	}
}
