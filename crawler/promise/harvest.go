package promise

import (
	"math"
	"slices"
)

// Kept is the number of pages that a Harvest keeps: older ones count for nothing.
const Kept = 800

// Page is a page of budget.
type Page struct {
	N       int     // number of the fetch, larger than those before
	Brought float64 // the probability that it is a new useful page, in [0, 1]
	Chance  float64 // of a useful page, as foretold before it was fetched; below 0 when nothing was
}

// Harvest is what the last pages of a crawl brought. Use NewHarvest.
type Harvest struct{ pages []Page }

// NewHarvest returns the harvest of a crawl without pages.
func NewHarvest() *Harvest { return &Harvest{} }

// Add adds the newest page. Values that are no probabilities count as the nearest one.
func (h *Harvest) Add(p Page) {
	p.Brought = within(p.Brought)
	if p.Chance >= 0 {
		p.Chance = within(p.Chance)
	}
	if h.pages = append(h.pages, p); len(h.pages) > 2*Kept { // not at each page
		h.pages = append([]Page(nil), h.pages[len(h.pages)-Kept:]...)
	}
}

// Remove takes back the page of a fetch.
func (h *Harvest) Remove(n int) {
	h.pages = slices.DeleteFunc(h.pages, func(p Page) bool { return p.N == n })
}

// within is the nearest probability to x, 0 for NaN.
func within(x float64) float64 {
	if !(x > 0) {
		return 0
	}
	return math.Min(x, 1)
}

// recent are the sums of the last pages, in which a page counts by exp(-age/memory).
type recent struct {
	pages   float64
	brought float64
	chance  float64 // of the pages of which something was foretold
	of      float64 // what these brought
}

func (h *Harvest) recent() (r recent) {
	keep := math.Exp(-1 / memory)
	for _, p := range h.pages[max(0, len(h.pages)-Kept):] {
		r.pages, r.brought, r.chance, r.of = r.pages*keep+1, r.brought*keep+p.Brought, r.chance*keep, r.of*keep
		if p.Chance >= 0 {
			r.chance += p.Chance
			r.of += p.Brought
		}
	}
	return r
}
