package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// numbers are all numbers of a path.
var numbers = regexp.MustCompile(`-?[0-9.]+|NaN|Inf`)

// checkInside reports what of a picture is outside of it, or no number at all.
func checkInside(t *testing.T, name string, p Picture) {
	t.Helper()
	for _, n := range p.Nodes {
		if !(n.X-n.R >= 0 && n.Y-n.R >= 0 && n.X+n.R <= p.Width && n.Y+n.R <= p.Height) {
			t.Errorf("%s: circle %q at %v, %v is outside of %v×%v", name, n.Text, n.X, n.Y, p.Width, p.Height)
		}
	}
	for _, e := range p.Edges {
		for _, text := range numbers.FindAllString(e.Path, -1) {
			if v, err := strconv.ParseFloat(text, 64); err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: path %s", name, e.Path)
			}
		}
	}
}

func TestStates(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for n := 2; n <= 12; n++ {
		a := make([][]float64, n)
		shown := 0
		for i := range a {
			a[i] = make([]float64, n)
			for j := range a[i] {
				a[i][j] = rng.Float64() / float64(n)
				if a[i][j] >= leastShown {
					shown++
				}
			}
		}
		row, column := States(a, false), States(a, true)
		if row.Width != column.Height || row.Height != column.Width || row.Desc != column.Desc {
			t.Errorf("%d states: a row of %v×%v and a column of %v×%v", n, row.Width, row.Height, column.Width, column.Height)
		}
		for _, p := range []Picture{row, column} {
			checkInside(t, fmt.Sprint(n, " states"), p)
			if len(p.Edges) != shown || len(p.Nodes) != n {
				t.Errorf("%d states: %d arcs, want %d", n, len(p.Edges), shown)
			}
			for _, e := range p.Edges {
				if e.Y < 8 || e.Y > p.Height || e.X < 16 || e.X > p.Width-16 {
					t.Errorf("%d states: label %s at %v, %v of %v×%v", n, e.Label, e.X, e.Y, p.Width, p.Height)
				}
			}
		}
		for s := 1; s < n; s++ {
			if row.Nodes[s].X >= row.Nodes[s-1].X || column.Nodes[s].Y >= column.Nodes[s-1].Y {
				t.Errorf("%d states: T%d does not stand before T%d", n, s, s-1)
			}
		}
	}
}

func TestCurves(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{1, 2, 50, 5000} {
		var c Course
		for i := range n {
			c.Fetched = append(c.Fetched, 1+i)
			c.Relevant = append(c.Relevant, rng.Float64())
			c.Similarity = append(c.Similarity, 2*rng.Float64()-1)
		}
		p := Curves(c, 760)
		for _, l := range p.Lines {
			values := numbers.FindAllString(l.Path, -1)
			if len(values) != 2*n {
				t.Fatalf("%d points: %d numbers", n, len(values))
			}
			for i := 0; i < len(values); i += 2 {
				x, _ := strconv.ParseFloat(values[i], 64)
				y, _ := strconv.ParseFloat(values[i+1], 64)
				if x < p.Left-.1 || x > p.Right+.1 || y < p.Top-.1 || y > p.Bottom+.1 {
					t.Fatalf("%d points: %v, %v is outside", n, x, y)
				}
			}
		}
	}
}

// TestPromised: the lines stay inside the picture, the table ends with the last point, and the text says why the crawl ended.
func TestPromised(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{1, 2, 50, 500} {
		c := Promise{Wanted: 1, Ended: n == 50}
		for i := range n {
			c.Fetched = append(c.Fetched, 10*(1+i))
			c.Next = append(c.Next, 30*rng.Float64())
		}
		p := Promised(c, 340)
		if len(p.Lines) != 2 || p.Rows[len(p.Rows)-1][0] != Number(10*n) || strings.Contains(p.Desc, "ended") != c.Ended {
			t.Errorf("%d points: %d lines, rows %v: %s", n, len(p.Lines), p.Rows, p.Desc)
		}
		for _, l := range p.Lines {
			values := numbers.FindAllString(l.Path, -1)
			for i := 0; i < len(values); i += 2 {
				x, _ := strconv.ParseFloat(values[i], 64)
				y, _ := strconv.ParseFloat(values[i+1], 64)
				if x < p.Left-.1 || x > p.Right+.1 || y < p.Top-.1 || y > p.Bottom+.1 {
					t.Fatalf("%d points: %v, %v is outside", n, x, y)
				}
			}
		}
	}
	if p := Promised(Promise{Fetched: []int{10, 20}, Next: []float64{3, 2}}, 340); len(p.Lines) != 1 {
		t.Errorf("nothing is wanted, and %d lines are drawn", len(p.Lines))
	}
}

func TestStep(t *testing.T) {
	for top, want := range map[float64]float64{1: 0.2, 0.1: 0.02, 0.34: 0.1, 100: 20, 120: 50, 7: 2, 0: 1} {
		if got := Step(top, 5); math.Abs(got-want) > 1e-12 {
			t.Errorf("step(%v) = %v, want %v", top, got, want)
		}
	}
}
