package crf

// Lattice holds the sums over all labellings of a path of n pages, as natural logarithms. [CRF] §4.3.1 and §5.2.3.
//
// [CRF] §5.2.3 prints α_0(y) = 1, which puts a step before the first page that training never saw: α_1 = e^{s_1} instead.
type Lattice struct {
	Alpha [][]float64 // n×L: α_t(y), over the labellings of the pages up to t that end in y
	Beta  [][]float64 // n×L: β_t(y), over those of the pages after t when t has y
	LogZ  float64     // over all labellings of the path; 0 for a path of no pages
}

// Lattice computes the sums for a path. Features out of range count for nothing.
func (m *Model) Lattice(path []Step) *Lattice { return newLattice(m.steps(), m.scores(path)) }

func newLattice(s *steps, scores []float64) *Lattice {
	size := len(scores)
	room := make([]float64, 4*size)
	alpha, beta := room[:size], room[size:2*size]
	logZ := s.sums(sums{scores: scores, alpha: alpha, beta: beta, before: room[2*size : 3*size], after: room[3*size:]})
	return &Lattice{Alpha: rows(alpha, s.labels), Beta: rows(beta, s.labels), LogZ: logZ}
}

// sums is room for the sums over a path, n×L each, row-major.
type sums struct {
	scores []float64 // s_t(y), given
	alpha  []float64
	beta   []float64
	before []float64 // e^(α_t - its largest), without the last page
	after  []float64 // e^(s_t + β_t - its largest), without the first page
}

// sums fills all but the scores, and gives log Z.
func (s *steps) sums(r sums) (logZ float64) {
	l, size := s.labels, len(r.scores)
	if size == 0 {
		return 0
	}
	copy(r.alpha[:l], r.scores)
	for t := l; t < size; t += l {
		s.forward(r.alpha[t:t+l], r.alpha[t-l:t], r.before[t-l:t])
		addTo(r.alpha[t:t+l], r.scores[t:t+l])
	}
	clear(r.beta[size-l:])
	v := r.before[size-l:] // the last page has no page after it
	for t := size - l; t > 0; t -= l {
		copy(v, r.scores[t:t+l])
		addTo(v, r.beta[t:t+l])
		s.backward(r.beta[t-l:t], v, r.after[t:t+l])
	}
	return LogSumExp(r.alpha[size-l:])
}

// Marginal is P(y_t = y | path) for each label; t is in [0, n).
func (l *Lattice) Marginal(t int) []float64 {
	p := make([]float64, len(l.Alpha[t]))
	copy(p, l.Alpha[t])
	addTo(p, l.Beta[t])
	softmax(p) // the sum of e^(α+β) is Z on each page; divided by itself it leaves no rounding of a long path
	return p
}

// rows cuts a row-major matrix into its rows.
func rows(v []float64, width int) [][]float64 {
	cut := make([][]float64, len(v)/width)
	for i := range cut {
		cut[i] = v[i*width : (i+1)*width : (i+1)*width]
	}
	return cut
}

func (m *Model) steps() *steps { return newSteps(m.Labels, m.Steps) }

// scores is s_t(y) for each page of a path, n×L, row-major.
func (m *Model) scores(path []Step) []float64 {
	all := make([]float64, len(path)*m.Labels)
	for t := range path {
		s := all[t*m.Labels : (t+1)*m.Labels]
		m.Pages.add(s, path[t].Page)
		if t > 0 {
			m.Links.add(s, path[t].Link)
		}
	}
	return all
}

// add adds the rows of features to a sum over labels. A feature without a row adds nothing.
func (t *Table) add(sum []float64, features []int32) {
	n := int32(t.Rows())
	for _, f := range features {
		if f < 0 || f >= n {
			continue
		}
		for e := t.Start[f]; e < t.Start[f+1]; e++ {
			sum[t.Label[e]] += t.Weight[e]
		}
	}
}
