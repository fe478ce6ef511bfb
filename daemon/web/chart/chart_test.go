package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strconv"
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

func randomWeb(rng *rand.Rand, n int) ([]WebPage, [][2]int, []Move) {
	var pages []WebPage
	var links [][2]int
	var moves []Move
	for i := range n {
		pages = append(pages, WebPage{Title: fmt.Sprint("page ", i), Target: rng.IntN(5) == 0})
		if i > 0 {
			from := rng.IntN(i)
			moves = append(moves, Move{From: from, To: i}, Move{From: i, To: from, Back: true})
		}
	}
	for range 4 * n {
		if n > 0 {
			links = append(links, [2]int{rng.IntN(n), rng.IntN(n)})
		}
	}
	return pages, links, moves
}

func TestWeb(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{0, 1, 2, 3, 7, 40, 120, 400} {
		pages, links, moves := randomWeb(rng, n)
		p := Web(pages, links, moves)
		if len(p.Nodes) != n {
			t.Errorf("%d circles for %d pages", len(p.Nodes), n)
		}
		checkInside(t, fmt.Sprint(n, " pages"), p)
		if again := Web(pages, links, moves); !reflect.DeepEqual(p, again) {
			t.Errorf("%d pages: two drawings differ", n)
		}
		if n > 120 {
			continue
		}
		for i, a := range p.Nodes {
			for _, b := range p.Nodes[:i] {
				if math.Hypot(a.X-b.X, a.Y-b.Y) < a.R+b.R {
					t.Errorf("%d pages: circles %s and %s overlap", n, a.Text, b.Text)
				}
			}
		}
	}
}

// TestWebInOnePlace draws pages that nothing holds apart but themselves.
func TestWebInOnePlace(t *testing.T) {
	pages := make([]WebPage, 12)
	var links [][2]int
	for i := range pages {
		for j := range pages {
			links = append(links, [2]int{i, j})
		}
	}
	checkInside(t, "all linked", Web(pages, links, nil))
	checkInside(t, "none linked", Web(pages, nil, nil))
	checkInside(t, "to itself", Web(pages, [][2]int{{1, 1}}, []Move{{From: 2, To: 2}}))
}

func TestWebNumbersMoves(t *testing.T) {
	p := Web(make([]WebPage, 3), [][2]int{{0, 1}, {0, 2}}, []Move{{0, 1, false}, {1, 0, true}, {0, 1, false}, {1, 2, false}})
	labels := map[string]string{}
	for _, e := range p.Edges {
		labels[e.Class] += "[" + e.Label + "]"
	}
	want := map[string]string{"link": "[]", "move": "[1, 2][3]", "back": "[]"}
	if !reflect.DeepEqual(labels, want) {
		t.Errorf("edges %v, want %v", labels, want)
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
		p := States(a)
		checkInside(t, fmt.Sprint(n, " states"), p)
		if len(p.Edges) != shown || len(p.Nodes) != n {
			t.Errorf("%d states: %d arcs, want %d", n, len(p.Edges), shown)
		}
		for _, e := range p.Edges {
			if e.Y < 8 || e.Y > p.Height {
				t.Errorf("%d states: label %s at height %v of %v", n, e.Label, e.Y, p.Height)
			}
		}
	}
}

func TestCurves(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, n := range []int{0, 1, 2, 50, 5000} {
		var c Course
		for i := range n {
			c.Fetched = append(c.Fetched, 1+i)
			c.Relevant = append(c.Relevant, rng.Float64())
			c.Similarity = append(c.Similarity, 2*rng.Float64()-1)
		}
		p := Curves(c)
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

func TestStep(t *testing.T) {
	for top, want := range map[float64]float64{1: 0.2, 0.1: 0.02, 0.34: 0.1, 100: 20, 120: 50, 7: 2, 0: 1} {
		if got := step(top, 5); math.Abs(got-want) > 1e-12 {
			t.Errorf("step(%v) = %v, want %v", top, got, want)
		}
	}
}
