package spherical

import (
	"math"
	"math/rand/v2"
	"slices"

	"nightjar/model/internal/parallel"
	"nightjar/model/internal/weighted"
	"nightjar/model/tfidf"
)

const (
	// DefaultK is the number of clusters of [PANORAMA] §3.5.
	DefaultK = 5

	starts    = 10
	maxRounds = 100
	same      = 1e-12 // pages whose 1-cosine is less have one direction; it is some thousand roundings
)

// None is the cluster of a page without terms.
const None = -1

// Clustering is a partition of R pages into K clusters, numbered by size, the largest first, ties by their first page.
type Clustering struct {
	Assign    []int   // cluster of each page, in [0, K), or None; len R
	Sizes     []int   // pages of each cluster, at least 1; len K
	Objective float64 // Σ_p v_p·c_{a(p)}; in [0, R] for pages of length 1
}

// KMeans partitions the pages into k clusters so that
//
//	Σ_p v_p·c_{a(p)},  c_j = Σ_{a(p)=j} v_p / ‖Σ_{a(p)=j} v_p‖
//
// is as large as ten starts can make it. A start draws its centres as k-means++ (Arthur & Vassilvitskii, SODA 2007)
// with probabilities proportional to 1-cosine, which is half the squared distance of directions. Then it
// assigns pages to centres by their directions, and makes new centres, until no page moves or for 100 rounds. The objective never falls. A
// cluster that lost all pages takes the page with the lowest similarity to its own centre.
//
// columns is the number of terms; the indices of the vectors are below it. k is at least 1, and is lowered to the
// number of directions that pages have. Pages without terms are in no cluster. Without others, there are no clusters.
func KMeans(pages []tfidf.Vector, columns, k int, seed uint64) Clustering {
	which := withTerms(pages)
	rows, lengths := make([]tfidf.Vector, len(which)), make([]float64, len(which))
	for i, p := range which {
		rows[i], lengths[i] = direction(pages[p])
	}
	out := Clustering{Assign: slices.Repeat([]int{None}, len(pages))}
	if len(rows) == 0 {
		return out
	}
	found := make([]*start, starts)
	parallel.Each(starts, func(i int) {
		found[i] = newStart(rows, lengths, columns, max(1, k), rand.New(rand.NewPCG(seed, uint64(i))))
		found[i].run()
	})
	whole := 0.0
	for _, l := range lengths {
		whole += l
	}
	best := slices.MaxFunc(found, func(a, b *start) int { // the first of equal ones
		if math.Abs(a.objective-b.objective) <= same*whole {
			return 0
		}
		return int(math.Copysign(1, a.objective-b.objective))
	})
	out.Objective = best.objective
	renamed := best.bySize()
	out.Sizes = make([]int, len(best.sizes))
	for i, c := range best.assign {
		out.Assign[which[i]] = renamed[c]
		out.Sizes[renamed[c]]++
	}
	return out
}

func withTerms(pages []tfidf.Vector) (which []int) {
	for i, p := range pages {
		if p.Norm() > 0 {
			which = append(which, i)
		}
	}
	return which
}

// direction returns a page scaled to length 1, and its length. One that has this length but for rounding is left as it is.
func direction(p tfidf.Vector) (tfidf.Vector, float64) {
	if l := lengthOf(p); l != 1 {
		return p.Unit(), l
	}
	return p, 1
}

// lengthOf is the length of a page, exactly 1 where it differs by rounding only.
func lengthOf(p tfidf.Vector) float64 {
	if l := p.Norm(); math.Abs(l-1) > same {
		return l
	}
	return 1
}

// start is one run of the algorithm.
type start struct {
	pages      []tfidf.Vector // of length 1
	lengths    []float64      // that they had
	centres    [][]float64    // k×columns, of length 1
	assign     []int
	similarity []float64 // of each page to its centre
	sizes      []int
	objective  float64
	flat       []float64 // see byTerm
	trace      []float64 // the objective after each step, for tests; not kept unless it is not nil
}

func newStart(pages []tfidf.Vector, lengths []float64, columns, k int, rng *rand.Rand) *start {
	s := &start{pages: pages, lengths: lengths, assign: slices.Repeat([]int{None}, len(pages)), similarity: make([]float64, len(pages))}
	distance := slices.Repeat([]float64{1}, len(pages)) // of each page to the nearest centre; at first all are as likely
	for len(s.centres) < k {
		next := weighted.Draw(distance, rng)
		if next < 0 {
			break
		}
		centre := make([]float64, columns)
		pages[next].AddTo(centre, 1)
		s.centres = append(s.centres, centre)
		for i, p := range pages {
			if d := 1 - p.Dense(centre); d < same {
				distance[i] = 0
			} else if len(s.centres) == 1 || d < distance[i] {
				distance[i] = d
			}
		}
	}
	s.sizes = make([]int, len(s.centres))
	return s
}

func (s *start) run() {
	for range maxRounds {
		moved := s.place()
		s.refill()
		s.centre()
		if !moved {
			break
		}
	}
}

// place assigns each page to the centre most similar to it; a page stays where it is when no other is more similar.
func (s *start) place() (moved bool) {
	clear(s.sizes)
	k := len(s.centres)
	byTerm, similar := s.byTerm(), make([]float64, k)
	for i, p := range s.pages {
		clear(similar)
		for e, t := range p.Index {
			x := p.Value[e]
			for c, y := range byTerm[int(t)*k : int(t)*k+k] {
				similar[c] += x * y
			}
		}
		at, best := s.assign[i], math.Inf(-1)
		if at >= 0 {
			best = similar[at]
		}
		for c, d := range similar {
			if d > best+same {
				at, best = c, d
			}
		}
		moved = moved || at != s.assign[i]
		s.assign[i], s.similarity[i] = at, best
		s.sizes[at]++
	}
	s.note()
	return moved
}

// byTerm is the centres as a columns×k matrix: what a term of a page needs of all centres lies together. Nearly all of
// the time of k-means is spent on these products.
func (s *start) byTerm() []float64 {
	k := len(s.centres)
	s.flat = slices.Grow(s.flat[:0], k*len(s.centres[0]))[:k*len(s.centres[0])]
	for c, centre := range s.centres {
		for t, x := range centre {
			s.flat[t*k+c] = x
		}
	}
	return s.flat
}

// refill gives each empty cluster the page least similar to its centre, among those of clusters that have others. The
// objective does not fall: the page's part becomes its length, and what it leaves keeps its parts with the centre as it was.
func (s *start) refill() {
	for c, n := range s.sizes {
		if n > 0 {
			continue
		}
		far := -1
		for i, d := range s.similarity {
			if s.sizes[s.assign[i]] > 1 && (far < 0 || d < s.similarity[far]) {
				far = i
			}
		}
		if far < 0 {
			return // not reached: there are at most as many centres as directions
		}
		s.sizes[s.assign[far]]--
		s.assign[far], s.similarity[far], s.sizes[c] = c, 1, 1
	}
	s.note()
}

func (s *start) note() {
	if s.trace != nil {
		sum := 0.0
		for i, d := range s.similarity {
			sum += d * s.lengths[i]
		}
		s.trace = append(s.trace, sum)
	}
}

// centre makes the centres anew. The products of the pages of a cluster with its centre sum to ‖Σ v_p‖.
func (s *start) centre() {
	for _, c := range s.centres {
		clear(c)
	}
	for i, p := range s.pages {
		p.AddTo(s.centres[s.assign[i]], s.lengths[i])
	}
	s.objective = 0
	for _, c := range s.centres {
		norm := length(c)
		s.objective += norm
		for t := range c {
			c[t] /= norm
		}
	}
	if s.trace != nil {
		s.trace = append(s.trace, s.objective)
	}
}

func length(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// bySize gives the number of each cluster: the largest first, ties by their first page.
func (s *start) bySize() []int {
	order := make([]int, len(s.sizes))
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if s.sizes[a] != s.sizes[b] {
			return s.sizes[b] - s.sizes[a]
		}
		return slices.Index(s.assign, a) - slices.Index(s.assign, b)
	})
	name := make([]int, len(order))
	for n, c := range order {
		name[c] = n
	}
	return name
}
