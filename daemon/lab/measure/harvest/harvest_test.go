package harvest

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestHarvest(t *testing.T) {
	h := harvest([]float64{1, 0, .5, .5})
	if want := []float64{1, .5, .5, .5}; !slices.Equal(h, want) {
		t.Errorf("%v, want %v", h, want)
	}
	for n, want := range map[int]float64{1: 1, 2: .5, 4: .5, 9: .5} {
		if got := after(h, n); got != want {
			t.Errorf("after %d pages %v, want %v", n, got, want)
		}
	}
	if len(harvest(nil)) != 0 || after(nil, 3) != 0 {
		t.Error("a crawl without pages has a harvest")
	}
}

func TestDrawDocuments(t *testing.T) {
	links := make([][]int, 100)
	fit := 0
	for i := range links {
		links[i] = make([]int, i)
		if i >= fewestLinks && i <= mostLinks {
			fit++
		}
	}
	drawn := drawDocuments(links, 20, rand.New(rand.NewPCG(1, 1)))
	again := drawDocuments(links, 20, rand.New(rand.NewPCG(1, 1)))
	other := drawDocuments(links, 20, rand.New(rand.NewPCG(2, 1)))
	if len(drawn) != 20 || !slices.Equal(drawn, again) || slices.Equal(drawn, other) {
		t.Errorf("%v, %v, %v", drawn, again, other)
	}
	all := drawDocuments(links, 1000, rand.New(rand.NewPCG(1, 1)))
	slices.Sort(all)
	if len(all) != fit || all[0] != fewestLinks || all[fit-1] != mostLinks || len(slices.Compact(all)) != fit {
		t.Errorf("%d of %d: %v", len(all), fit, all)
	}
}

func TestHalfAndNegatives(t *testing.T) {
	pages := []int{3, 5, 7, 9, 11}
	h := half(pages, rand.New(rand.NewPCG(1, 1)))
	if len(h) != 3 || len(setOf(h)) != 3 || !subset(h, pages) || !slices.Equal(pages, []int{3, 5, 7, 9, 11}) {
		t.Errorf("half of %v: %v", pages, h)
	}
	pool := []int{1, 2, 2, 3, 4, 5, 6, 6, 7}
	n := drawNegatives(pool, setOf([]int{3, 5}), 4, rand.New(rand.NewPCG(1, 1)))
	if len(n) != 4 || len(setOf(n)) != 4 || !subset(n, []int{1, 2, 4, 6, 7}) {
		t.Errorf("negatives %v", n)
	}
	if n := drawNegatives(pool, setOf([]int{3, 5}), 40, rand.New(rand.NewPCG(1, 1))); len(n) != 5 {
		t.Errorf("all negatives: %v", n)
	}
}

func TestStartPages(t *testing.T) {
	back := make([][]int, 40)
	back[0] = []int{1, 2, 39}
	for p := 10; p < 35; p++ {
		back[1] = append(back[1], p)
	}
	starts := startPages([]int{0, 1}, back, map[int]bool{39: true}, 10, rand.New(rand.NewPCG(1, 1)))
	if !slices.Equal(starts[:3], []int{0, 1, 2}) || len(starts) != 3+10 || len(setOf(starts)) != len(starts) || !subset(starts[3:], back[1]) {
		t.Errorf("start pages %v", starts)
	}
}

func subset(part, whole []int) bool {
	return !slices.ContainsFunc(part, func(p int) bool { return !slices.Contains(whole, p) })
}
