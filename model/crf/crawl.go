package crf

import "slices"

// Start is the state after the first page of a path, whose features are page. α_1 and δ_1 are both s_1, see Lattice and
// Viterbi. Features out of range count for nothing, here and in Follow and Arrive.
func (m *Model) Start(page []int32) State {
	s := m.newState()
	m.Pages.add(s.Alpha, page)
	copy(s.Delta, s.Alpha)
	s.normalise()
	return s
}

// Follow is the state behind a link of the page that s is of, before the page there is known: Softmax of its Alpha is
// P(y_{t+1} | path so far, link). It panics when s is not of L labels. For many links of one page, use From.
//
//	ᾱ(y) = logsumexp_{y'} (α(y') + A[y'][y]) + Σ_{f∈g} V[f][y];   δ̄(y) = max_{y'} (δ(y') + A[y'][y]) + Σ_{f∈g} V[f][y]
//
// [CRF] §5.2 has "L_{i-1} is a link to page P_i" and points to a §5.2.2 that is not there: the links L_i are what is scored,
// by §5.2.3. What §5.2.5 step 3 does "during training" is done here, during the crawl.
func (m *Model) Follow(s State, link []int32) State { return m.From(s).Link(link) }

// Arrive is the state after the page behind a link has come. s is Follow's or Link's, and is not changed.
func (m *Model) Arrive(s State, page []int32) State {
	s = m.newState().copyOf(s)
	m.Pages.add(s.Alpha, page)
	m.Pages.add(s.Delta, page)
	s.normalise()
	return s
}

// Follower scores the links of one page. It is for one goroutine at a time.
type Follower struct {
	links  *Table
	behind State     // of a link without features
	room   []float64 // L
}

// From prepares to follow the links of the page that s is of. It costs L² operations, each link then L for each feature.
func (m *Model) From(s State) *Follower {
	f := &Follower{links: &m.Links, behind: m.newState(), room: make([]float64, m.Labels)}
	s = m.newState().copyOf(s)
	a := m.steps()
	a.forward(f.behind.Alpha, s.Alpha, f.room)
	a.best(f.behind.Delta, s.Delta, nil)
	f.behind.normalise()
	return f
}

// Link is the state behind a link, as Follow gives it.
func (f *Follower) Link(link []int32) State {
	s := newState(len(f.room)).copyOf(f.behind)
	f.links.add(s.Alpha, link)
	f.links.add(s.Delta, link)
	s.normalise()
	return s
}

// Score is Σ_y R(y)·P(y | path so far, link) for rewards R, len L, and the label that is likeliest behind the link, the
// first of equals. It allocates nothing.
func (f *Follower) Score(link []int32, reward []float64) (score float64, winner int) {
	p := f.room
	copy(p, f.behind.Alpha)
	f.links.add(p, link)
	softmax(p)
	for y, r := range reward {
		score += r * p[y]
	}
	return score, largest(p)
}

func (m *Model) newState() State { return newState(m.Labels) }

func newState(labels int) State {
	room := make([]float64, 2*labels)
	return State{Alpha: room[:labels:labels], Delta: room[labels:]}
}

// copyOf fills s from another state.
func (s State) copyOf(from State) State {
	if len(from.Alpha) != len(s.Alpha) || len(from.Delta) != len(s.Delta) {
		panic("crf: state of another number of labels")
	}
	copy(s.Alpha, from.Alpha)
	copy(s.Delta, from.Delta)
	return s
}

// normalise makes the log-sum-exp of Alpha 0 and the largest of Delta 0.
func (s State) normalise() {
	shift(s.Alpha, LogSumExp(s.Alpha))
	shift(s.Delta, slices.Max(s.Delta))
}
