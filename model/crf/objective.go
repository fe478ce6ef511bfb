package crf

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"

	"nightjar/model/internal/parallel"
)

// objective computes F and ∇F. The weights are those of pages, then of links, each in the order of sights.pairs, then of
// steps.
type objective struct {
	*material
	ctx      context.Context
	c2       float64
	weights  int       // how many
	observed []float64 // Σ_l m_l times how often each weight is on in the labelled paths

	at       []float64 // the point that was evaluated last; nil before
	value    float64   // F there
	gradient []float64 // ∇F there

	a      *steps
	page   []float64   // s of each sight of pages, sights×L; then what is left to explain there
	link   []float64   // the same of links
	left   []float64   // m P(y_t=y | x), places×L
	logZ   []float64   // of each path
	blocks []block     // fixed by the paths alone, so that sums do not depend on the number of processors
	rooms  [][]float64 // of each block: room for its longest path's sums
}

// block is a run of paths that are gone through one after the other.
type block struct {
	from, to int       // paths
	pairs    []float64 // L×L: the expected number of steps from label to label
}

// pieces is into how many parts a pass is cut.
const pieces = 16

func newObjective(ctx context.Context, m *material, c2 float64) *objective {
	l := m.labels
	o := &objective{
		material: m, ctx: ctx, c2: c2, weights: len(m.pages.pairs.all) + len(m.links.pairs.all) + len(m.steps),
		a:    &steps{labels: l, log: make([]float64, l*l), exp: make([]float64, l*l)},
		page: make([]float64, len(m.pages.features)*l), link: make([]float64, len(m.links.features)*l),
		left: make([]float64, len(m.label)*l), logZ: make([]float64, len(m.paths)),
	}
	o.gradient = make([]float64, o.weights)
	o.observe()
	n := min(pieces, len(m.paths))
	for i := range n {
		b := block{from: i * len(m.paths) / n, to: (i + 1) * len(m.paths) / n, pairs: make([]float64, l*l)}
		longest := 0
		for _, p := range m.paths[b.from:b.to] {
			longest = max(longest, p.n)
		}
		o.blocks = append(o.blocks, b)
		o.rooms = append(o.rooms, make([]float64, 5*longest*l+l*l))
	}
	return o
}

// split cuts a vector of weights into its three parts.
func (o *objective) split(w []float64) (pages, links, steps []float64) {
	a := len(o.pages.pairs.all)
	b := a + len(o.links.pairs.all)
	return w[:a], w[a:b], w[b:]
}

// observe counts the labelled paths, until ctx ends.
func (o *objective) observe() {
	o.observed = make([]float64, o.weights)
	pages, links, steps := o.split(o.observed)
	for _, p := range o.paths {
		if o.ctx.Err() != nil {
			return
		}
		for t := p.from; t < p.from+p.n; t++ {
			o.pages.count(pages, t, o.label[t], p.count)
			o.links.count(links, t, o.label[t], p.count)
			if t > p.from {
				k, _ := slices.BinarySearch(o.steps, o.label[t-1]*int32(o.labels)+o.label[t])
				steps[k] += p.count
			}
		}
	}
}

func (s *sights) count(to []float64, place int, label int32, count float64) {
	if s.of[place] < 0 {
		return
	}
	for _, f := range s.features[s.of[place]] {
		k, _ := slices.BinarySearch(s.pairs.at(int(f)), label)
		to[int(s.pairs.start[f])+k] += count
	}
}

// evaluate is F and ∇F at a point. The gradient is overwritten by the next call. Once ctx has ended the results mean
// nothing.
func (o *objective) evaluate(x []float64) (value float64, gradient []float64) {
	if o.at != nil && slices.Equal(o.at, x) {
		return o.value, o.gradient
	}
	o.at = append(o.at[:0], x...)
	pages, links, steps := o.split(x)
	clear(o.a.log)
	for k, at := range o.material.steps {
		o.a.log[at] = steps[k]
	}
	o.a.prepare()
	o.score(&o.pages, o.page, pages)
	o.score(&o.links, o.link, links)
	parallel.Each(len(o.blocks), o.walk)

	o.value = o.c2*floats.Dot(x, x) - floats.Dot(x, o.observed)
	for i, p := range o.paths {
		o.value += p.count * o.logZ[i]
	}
	floats.ScaleTo(o.gradient, 2*o.c2, x)
	floats.Sub(o.gradient, o.observed)
	pages, links, steps = o.split(o.gradient)
	o.expect(&o.pages, o.page, pages)
	o.expect(&o.links, o.link, links)
	for _, b := range o.blocks {
		for k, at := range o.material.steps {
			steps[k] += b.pairs[at]
		}
	}
	return o.value, o.gradient
}

// each calls do for [0, n), several at a time, until ctx ends.
func (o *objective) each(n int, do func(i int)) {
	parallel.Ranges(n, pieces, func(from, to int) {
		for i := from; i < to && o.ctx.Err() == nil; i++ {
			do(i)
		}
	})
}

// score sums the weights of each sight's features.
func (o *objective) score(s *sights, to, weights []float64) {
	l := o.labels
	o.each(len(s.features), func(at int) {
		sum := to[at*l : (at+1)*l]
		clear(sum)
		for _, f := range s.features[at] {
			from, end := s.pairs.start[f], s.pairs.start[f+1]
			w := weights[from:end]
			for k, y := range s.pairs.all[from:end] {
				sum[y] += w[k]
			}
		}
	})
}

// walk goes through the paths of a block: log Z, the marginals and the expected steps.
func (o *objective) walk(i int) {
	b := &o.blocks[i]
	clear(b.pairs)
	for k := b.from; k < b.to && o.ctx.Err() == nil; k++ {
		o.walkPath(k, b.pairs, o.rooms[i])
	}
}

func (o *objective) walkPath(k int, pairs, room []float64) {
	p, l := o.paths[k], o.labels
	size := p.n * l
	r := sums{
		scores: room[:size], alpha: room[size : 2*size], beta: room[2*size : 3*size],
		before: room[3*size : 4*size], after: room[4*size : 5*size],
	}
	for t := range p.n {
		s := r.scores[t*l : (t+1)*l]
		clear(s)
		if at := int(o.pages.of[p.from+t]); at >= 0 {
			addTo(s, o.page[at*l:(at+1)*l])
		}
		if at := int(o.links.of[p.from+t]); at >= 0 {
			addTo(s, o.link[at*l:(at+1)*l])
		}
	}
	o.logZ[k] = o.a.sums(r)
	for t := range p.n {
		marginal := o.left[(p.from+t)*l : (p.from+t+1)*l]
		copy(marginal, r.alpha[t*l:(t+1)*l])
		addTo(marginal, r.beta[t*l:(t+1)*l])
		softmax(marginal)
		floats.Scale(p.count, marginal)
	}
	for t := l; t < size; t += l {
		o.a.addPairs(pairs, p.count, r, t, room[5*size:5*size+l*l])
	}
}

// addPairs adds count·P(y_{t-1}=y', y_t=y | x) for each step y' → y to the page at offset t of the sums. room is L×L.
//
//	P(y_{t-1}=y', y_t=y | x) = exp(α_{t-1}(y') + A[y'][y] + s_t(y) + β_t(y) - log Z)
func (s *steps) addPairs(to []float64, count float64, r sums, t int, room []float64) {
	l, sum := s.labels, 0.0
	u, v := r.before[t-l:t], r.after[t:t+l]
	for before, p := range u {
		row, e := room[before*l:(before+1)*l], s.exp[before*l:(before+1)*l]
		for y := range row {
			row[y] = p * e[y] * v[y]
			sum += row[y]
		}
	}
	if sum < faint {
		for before := range u {
			for y := range v {
				room[before*l+y] = r.alpha[t-l+before] + s.log[before*l+y] + r.scores[t+y] + r.beta[t+y]
			}
		}
		softmax(room)
		sum = 1
	}
	floats.AddScaled(to, count/sum, room)
}

// expect adds each weight's expectation to the gradient: first what its sights expect of each label, then for each feature
// the sum over the sights that have it.
func (o *objective) expect(s *sights, room, gradient []float64) {
	l := o.labels
	o.each(len(s.features), func(at int) {
		sum := room[at*l : (at+1)*l]
		clear(sum)
		for _, place := range s.places.at(at) {
			addTo(sum, o.left[int(place)*l:int(place+1)*l])
		}
	})
	o.each(s.users.len(), func(f int) {
		from, end := s.pairs.start[f], s.pairs.start[f+1]
		g := gradient[from:end]
		for _, at := range s.users.at(f) {
			sum := room[int(at)*l : int(at+1)*l]
			for k, y := range s.pairs.all[from:end] {
				g[k] += sum[y]
			}
		}
	})
}

// model copies weights into tables.
func (o *objective) model(x []float64) *Model {
	pages, links, _ := o.split(x)
	m := &Model{Labels: o.labels, Pages: o.pages.table(pages), Links: o.links.table(links), Steps: slices.Clone(o.a.log)}
	return m
}

func (s *sights) table(weights []float64) Table {
	return Table{Start: slices.Clone(s.pairs.start), Label: slices.Clone(s.pairs.all), Weight: slices.Clone(weights)}
}
