package model

import (
	"container/heap"
	"math"

	"nightjar/model/hmm"
)

// rehearse crawls the session's own graph as a strategy would: from the entry pages, best link first, by the value of the
// prediction for a page's children. It returns the area under the recall curve of the wanted pages: the mean recall over
// all pages fetched after the entry pages, which no strategy chooses. ok is false when no wanted page can be reached.
func (m *material) rehearse(h *hmm.Model, r reader, children [][]int, wanted map[int]bool) (area float64, ok bool) {
	evidence := r.evidence
	var q queue
	at := make(map[int]*waiting)
	alpha := make([][]float64, len(children)) // forward variable of each page fetched
	push := func(page, parent int, value float64) {
		if w := at[page]; w == nil {
			at[page] = &waiting{page: page, parent: parent, value: value, number: len(at)}
			heap.Push(&q, at[page])
		} else if value > w.value && alpha[page] == nil {
			w.parent, w.value = parent, value
			heap.Fix(&q, w.place)
		}
	}
	for _, i := range m.starts() {
		push(i, -1, math.Inf(1))
	}
	fetched, found, sum := 0, 0, 0
	for len(q) > 0 {
		w := heap.Pop(&q).(*waiting)
		if w.parent < 0 {
			alpha[w.page] = h.Start(evidence[w.page])
		} else {
			alpha[w.page] = h.Filter(alpha[w.parent], evidence[w.page])
		}
		if w.value < math.Inf(1) {
			fetched++
			if wanted[w.page] {
				found++
			}
			sum += found
		}
		value := r.worth(h.Predict(alpha[w.page]))
		for _, v := range children[w.page] {
			push(v, w.page, value)
		}
	}
	if found == 0 {
		return 0, false
	}
	return float64(sum) / float64(found*fetched), true
}

// starts are the pages where the sessions began, or else the first page of the session.
func (m *material) starts() []int {
	if len(m.set.Entries) > 0 {
		return m.set.Entries
	}
	return []int{0}
}

// ExpectedValue is the value of a page with this distribution over states: Σ_j 0.5^j P(T_j), in (0, 1]. A useful page has
// the value 1, and each link that is left halves it.
func ExpectedValue(p []float64) float64 {
	value, worth := 0.0, 1.0
	for _, x := range p {
		value += worth * x
		worth /= 2
	}
	return value
}

// lexicalWorth orders distributions over states as [HMM] §4.1 does: by P(T_0), on a tie by P(T_1), and so on.
// Probabilities are rounded to steps of .001. Only the first few states fit into the number.
func lexicalWorth(p []float64) float64 {
	const step, digits = 0.001, 1001
	value, unit := 0.0, 1.0
	for _, x := range p {
		value += unit * math.Floor(x/step+1e-9)
		unit /= digits
	}
	return value
}

// waiting is a page of the frontier.
type waiting struct {
	page, parent  int
	value         float64
	number, place int
}

// queue is a heap of waiting pages, the best first, ties in the order in which they were found.
type queue []*waiting

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].value != q[j].value {
		return q[i].value > q[j].value
	}
	return q[i].number < q[j].number
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i]; q[i].place, q[j].place = i, j }
func (q *queue) Push(x any)   { w := x.(*waiting); w.place = len(*q); *q = append(*q, w) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
