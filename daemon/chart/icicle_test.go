package chart

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func icicleOf(rng *rand.Rand, pages int) []IcicleLevel {
	levels := make([]IcicleLevel, 2+rng.IntN(6))
	above := []int{pages}
	for l := len(levels) - 1; l >= 0; l-- {
		levels[l].Name = fmt.Sprintf("0.%d", 95-5*l)
		var now []int
		for parent, size := range above {
			for size > 1 && rng.IntN(4) > 0 {
				n := 1 + rng.IntN(size)
				c := IcicleCluster{Label: fmt.Sprintf("label %d", rng.IntN(99)), Pages: n, Parent: parent, Href: "/x"}
				if l == len(levels)-1 {
					c.Parent = -1
				}
				levels[l].Clusters = append(levels[l].Clusters, c)
				now = append(now, n)
				size -= n
			}
		}
		above = now
	}
	return levels
}

func percentOf(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v / icicleRoom
}

// TestIcicleFits: boxes of a level do not overlap, are as wide as their share, and stand below the box of their parent.
func TestIcicleFits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 16))
	for range 200 {
		const pages = 300
		levels := icicleOf(rng, pages)
		now := rng.IntN(len(levels))
		p := Icicles(levels, pages, now, 0)
		if len(p.Rows) != len(levels) {
			t.Fatalf("%d rows of %d levels", len(p.Rows), len(levels))
		}
		for r, row := range p.Rows {
			level := levels[len(levels)-1-r]
			if row.Now != (len(levels)-1-r == now) || len(row.Boxes) != min(len(level.Clusters), icicleBoxes) {
				t.Fatalf("row %d: %d boxes of %d clusters, shown %t", r, len(row.Boxes), len(level.Clusters), row.Now)
			}
			for i, box := range row.Boxes {
				from, wide := percentOf(t, box.X), percentOf(t, box.Wide)
				if want := 100 * float64(level.Clusters[i].Pages) / pages; wide < want-.02 || wide > want+.02 {
					t.Fatalf("box %d is %v wide, want %v", i, wide, want)
				}
				if from < 0 || from+wide > 100.02 {
					t.Fatalf("box %d reaches from %v to %v", i, from, from+wide)
				}
				for _, other := range row.Boxes[:i] {
					if o := percentOf(t, other.X); from+wide > o+.02 && o+percentOf(t, other.Wide) > from+.02 {
						t.Fatalf("two boxes overlap: %v and %v", box, other)
					}
				}
				if parent := level.Clusters[i].Parent; parent >= 0 && parent < icicleBoxes {
					up := p.Rows[r-1].Boxes[parent]
					if at := percentOf(t, up.X); from < at-.02 || from+wide > at+percentOf(t, up.Wide)+.02 {
						t.Fatalf("box %d is not below its parent", i)
					}
				}
			}
		}
	}
}

// TestIcicleHand draws two levels by hand: a box of the level that is shown and the one inside of it have the same colour, pages
// that changed sides do not make boxes overlap, and small clusters are counted.
func TestIcicleHand(t *testing.T) {
	levels := []IcicleLevel{
		{Name: "0.95", Says: "similarity 0.95", Clusters: []IcicleCluster{{Label: "guitar", Pages: 400, Parent: 0, Href: "/g"}, {Label: "violin\u202e", Pages: 200, Parent: 0, Href: "/v"}}},
		{Name: "0.90", Says: "similarity 0.90", Clusters: []IcicleCluster{{Label: "strings", Pages: 500, Parent: -1, Href: "/s"}, {Label: "tiny", Pages: 1, Parent: -1, Href: "/t"}}},
	}
	p := Icicles(levels, 2000, 1, 0)
	top, below := p.Rows[0], p.Rows[1]
	if len(top.Boxes) != 1 || top.Small != 1 || top.Grouped != 501 || !top.Boxes[0].Now || top.Boxes[0].Class != "c1" || top.Boxes[0].Wide != "22.50%" {
		t.Errorf("above: %+v", top)
	}
	if len(below.Boxes) != 2 || below.Boxes[0].Wide != "15.00%" || below.Boxes[1].X != "15.00%" || below.Boxes[1].Wide != "7.50%" || below.Boxes[1].Class != "c1" {
		t.Errorf("below: %+v", below)
	}
	if got := below.Boxes[1].Title; got != "violin: 200 pages at similarity 0.95" {
		t.Errorf("title %q", got)
	}
	if want := "At similarity 0.90: 501 pages in 2 clusters. At similarity 0.95: 600 pages in 2 clusters. "; p.Desc != want {
		t.Errorf("description %q", p.Desc)
	}
	if top.Boxes[0].Label != "strings" || top.Boxes[0].Needs != "w1" || below.Boxes[1].Label != "violin" {
		t.Errorf("labels %q from %s on, and %q", top.Boxes[0].Label, top.Boxes[0].Needs, below.Boxes[1].Label)
	}
	bars := LevelBars(levels, 2000)
	if bars[0] != (LevelBar{30, 20}) || bars[1] != (LevelBar{25.1, 25}) {
		t.Errorf("bars %v", bars)
	}
	if empty := Icicles(nil, 0, 0, -1); len(empty.Rows) != 0 || empty.Desc != "" {
		t.Errorf("nothing is drawn as %+v", empty)
	}
}
