package corpus

import (
	"slices"

	"nightjar/crawler"
)

// Score measures a crawl. Call Add for every fetch.
type Score struct {
	Relevant func(url string) bool // of a final URL; nil means what the strategy says
	Known    map[string]bool       // pages of the training, which never count as relevant
	Total    int                   // relevant pages that can be reached; 0 if unknown
	Oracle   []int                 // curve of Web.Oracle; nil if unknown
	Budget   int                   // pages

	curve      []int     // relevant pages found after n pages, curve[0] for n = 1
	similar    []float64 // Similarity after n pages
	found      map[string]bool
	similarity float64
	read       int
}

// Add counts a fetch and reports whether it found a new relevant page.
func (s *Score) Add(f *crawler.Fetch) bool {
	if s.found == nil {
		s.found = make(map[string]bool)
	}
	hit := false
	if f.Page != nil && !s.Known[f.FinalURL] && !s.found[f.FinalURL] {
		hit = f.Relevant
		if s.Relevant != nil {
			hit = s.Relevant(f.FinalURL)
		}
	}
	if hit {
		s.found[f.FinalURL] = true
	}
	if f.Page != nil {
		s.read++
		s.similarity += f.Judgement.Similarity
	}
	for range f.Cost {
		s.curve, s.similar = append(s.curve, 0), append(s.similar, 0)
	}
	if n := len(s.curve); n > 0 {
		s.curve[n-1], s.similar[n-1] = len(s.found), s.Similarity()
	}
	return hit
}

// Found is the number of relevant pages found.
func (s *Score) Found() int { return len(s.found) }

// Curve is the number of relevant pages after n pages of budget, at index n-1. It ends with the crawl.
func (s *Score) Curve() []int { return slices.Clone(s.curve) }

// Similarities is Similarity after n pages of budget, at index n-1.
func (s *Score) Similarities() []float64 { return slices.Clone(s.similar) }

// Harvest is the harvest rate after n pages, as at most about 100 pairs of n and rate.
func (s *Score) Harvest() [][2]float64 {
	pairs := [][2]float64{}
	step := max(1, (len(s.curve)+99)/100)
	for n := 1; n <= len(s.curve); n++ {
		if n%step == 0 || n == len(s.curve) {
			pairs = append(pairs, [2]float64{float64(n), float64(s.curve[n-1]) / float64(n)})
		}
	}
	return pairs
}

// Recall is the share of the relevant pages that was found, 0 if Total is.
func (s *Score) Recall() float64 {
	if s.Total == 0 {
		return 0
	}
	return float64(len(s.found)) / float64(s.Total)
}

// Area is the mean over n = 1..Budget of the recall after n pages; the curve of a crawl that ended early continues flat.
func (s *Score) Area() float64 {
	if s.Total == 0 || s.Budget == 0 {
		return 0
	}
	return float64(Under(s.curve, s.Budget)) / float64(s.Budget) / float64(s.Total)
}

// AreaVsOracle is the area relative to the oracle's under the same budget, 0 if that is.
func (s *Score) AreaVsOracle() float64 {
	best := Under(s.Oracle, s.Budget)
	if best == 0 {
		return 0
	}
	return float64(Under(s.curve, s.Budget)) / float64(best)
}

// Under is the sum of a curve over a budget of pages; a curve that ends early continues flat.
func Under(curve []int, budget int) int {
	sum, last := 0, 0
	for n := range budget {
		if n < len(curve) {
			last = curve[n]
		}
		sum += last
	}
	return sum
}

// Similarity is the mean over the pages read of the largest cosine to a target ([HMM] §5.1, fig. 10-16).
func (s *Score) Similarity() float64 {
	if s.read == 0 {
		return 0
	}
	return s.similarity / float64(s.read)
}
