package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// randomLabels makes labels and the weights of the steps between them, about half of them 0 or less.
func randomLabels(rng *rand.Rand, n int) ([]Label, []float64) {
	all, steps := make([]Label, n), make([]float64, n*n)
	for i := range all {
		all[i] = Label{Name: fmt.Sprint("label-", i), Worth: math.Round(10*rng.Float64()) / 10, Goal: i == n/2}
	}
	for i := range steps {
		steps[i] = math.Max(-1, rng.NormFloat64())
	}
	return all, steps
}

func TestLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, n := range []int{1, 2, 3, 4, 6, 7, 9, 13, 25, 40} {
		for range 20 {
			all, steps := randomLabels(rng, n)
			name := fmt.Sprint(n, " labels")
			p := Labels(all, steps)
			checkInside(t, name, p)
			if again := Labels(all, steps); !reflect.DeepEqual(p, again) {
				t.Errorf("%s: two drawings differ", name)
			}
			if len(p.Boxes) != n || len(p.Edges) != len(StrongSteps(n, steps)) {
				t.Fatalf("%s: %d boxes, %d arrows", name, len(p.Boxes), len(p.Edges))
			}
			if p.Width > labelsWide {
				t.Errorf("%s: %v wide", name, p.Width)
			}
			checkBoxes(t, name, p, all)
			checkArrows(t, name, p)
		}
	}
}

// checkBoxes holds that boxes are inside and do not overlap, that the goal is rightmost, and that a box to the left of
// another has no more worth.
func checkBoxes(t *testing.T, name string, p Picture, all []Label) {
	t.Helper()
	for i, a := range p.Boxes {
		if a.Left < 0 || a.Top < 0 || a.Left+a.Width > p.Width || a.Top+a.Height > p.Height {
			t.Fatalf("%s: box %s is outside", name, a.Text)
		}
		for j, b := range p.Boxes {
			if i != j && math.Abs(a.X-b.X) < a.Width && math.Abs(a.Y-b.Y) < a.Height+8 {
				t.Fatalf("%s: boxes %s and %s overlap", name, a.Text, b.Text)
			}
			if i != j && all[i].Goal && b.X >= a.X {
				t.Fatalf("%s: %s is not left of the goal", name, b.Text)
			}
			if !all[i].Goal && !all[j].Goal && a.X < b.X && all[i].Worth > all[j].Worth {
				t.Fatalf("%s: %s has more worth than %s on its right", name, a.Text, b.Text)
			}
		}
		if a.Fill != all[i].Worth || (a.Class == "target") != all[i].Goal {
			t.Errorf("%s: box %+v of label %+v", name, a, all[i])
		}
	}
}

// checkArrows holds that arrows are inside the picture, and begin and end at boxes.
func checkArrows(t *testing.T, name string, p Picture) {
	t.Helper()
	for _, e := range p.Edges {
		var at []float64
		for _, text := range numbers.FindAllString(e.Path, -1) {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			at = append(at, v)
		}
		if len(at) < 8 || len(at)%8 != 0 { // a curve, and a line and a curve for each column on the way
			t.Fatalf("%s: path %s", name, e.Path)
		}
		for i := 0; i < len(at); i += 2 { // the curve stays within its points
			if at[i] < 0 || at[i] > p.Width || at[i+1] < 0 || at[i+1] > p.Height {
				t.Errorf("%s: %s leaves the picture with %s", name, e.Title, e.Path)
			}
		}
		touches := func(x, y float64) bool {
			return slices.ContainsFunc(p.Boxes, func(b Box) bool {
				return math.Abs(x-b.X) <= b.Width/2+6.2 && math.Abs(y-b.Y) <= b.Height/2+6.2
			})
		}
		if !touches(at[0], at[1]) || !touches(at[len(at)-2], at[len(at)-1]) {
			t.Errorf("%s: %s hangs in the air with %s", name, e.Title, e.Path)
		}
		// A line through a column passes between its boxes.
		for i := 6; i+3 < len(at); i += 8 {
			for _, b := range p.Boxes {
				if math.Abs(b.X-(at[i]+at[i+2])/2) < 1 && math.Abs(b.Y-at[i+1]) < b.Height/2 {
					t.Errorf("%s: %s runs through %s with %s", name, e.Title, b.Text, e.Path)
				}
			}
		}
		if e.Weight < 1 || e.Weight > 4 {
			t.Errorf("%s: width %v", name, e.Weight)
		}
	}
}

func TestStrongSteps(t *testing.T) {
	got := StrongSteps(3, []float64{
		.5, 4, 1.5, // the loop is under a quarter of the largest weight
		-1, 0, -2, // none above 0
		.1, .2, .3, // the strongest of a label is drawn, however weak
	})
	want := []Step{{0, 1, 4}, {0, 2, 1.5}, {2, 2, .3}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for labels, most := range map[int]int{3: 3, 12: 3, 13: 2, 18: 2, 19: 1, 40: 1} {
		steps := make([]float64, labels*labels)
		for i := range steps {
			steps[i] = 1
		}
		if n := len(StrongSteps(labels, steps)); n != labels*most {
			t.Errorf("%d labels: %d steps, want %d from each", labels, n, most)
		}
	}
}

// TestLabelsOfOneWorth draws labels that nothing tells apart, and a picture without arrows.
func TestLabelsOfOneWorth(t *testing.T) {
	all := []Label{{Name: "goal", Goal: true}, {Name: "a"}, {Name: "b"}}
	p := Labels(all, make([]float64, 9))
	if len(p.Edges) != 0 || len(p.Boxes) != 3 {
		t.Errorf("%d arrows, %d boxes", len(p.Edges), len(p.Boxes))
	}
	if p.Desc != "Labels by worth: goal 0.00, a 0.00, b 0.00." {
		t.Errorf("a screen reader hears %q", p.Desc)
	}
	p = Labels(all, []float64{0, 0, 0, 2, 0, 0, 0, 1, .5})
	if !strings.HasSuffix(p.Desc, "Strongest steps by weight: from a to goal +2.00, from b to a +1.00, from b to b +0.50.") {
		t.Errorf("a screen reader hears %q", p.Desc)
	}
	classes := []string{p.Edges[0].Class, p.Edges[1].Class, p.Edges[2].Class}
	if !slices.Equal(classes, []string{"arc", "arc away", "arc stay"}) {
		t.Errorf("arrows %q", classes)
	}
	if p.Edges[0].Weight != 4 || p.Edges[1].Weight != 2.5 {
		t.Errorf("widths %v, %v", p.Edges[0].Weight, p.Edges[1].Weight)
	}
}
