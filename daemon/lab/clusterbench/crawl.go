package main

import (
	"container/heap"
	"math"
	"slices"

	"nightjar/model/hmm"
)

// crawl crawls the web as the strategy "hmm" does: best link first, by the probabilities of the states that the page with the
// link predicts, in steps of .001. evidence returns what a page says of each state, nil when it says nothing. The links of a
// page with the text of an earlier one come last. The result is the area under the curve of the relevant pages found.
func (s *session) crawl(h *hmm.Model, evidence func(page int) []float64) int {
	f := frontier{links: make([]*link, len(s.links))}
	best, last := slices.Repeat([]int32{math.MaxInt32}, h.States()), slices.Repeat([]int32{math.MinInt32}, h.States())
	for _, start := range s.starts {
		f.add(start, -1, best)
	}
	alpha := make([][]float64, len(s.links))
	seen := make(map[string]bool) // texts
	found, area, fetched := 0, 0, 0
	for ; fetched < s.task.Budget && len(f.queue) > 0; fetched++ {
		l := heap.Pop(&f.queue).(*link)
		if e := evidence(l.page); l.parent < 0 {
			alpha[l.page] = h.Start(e)
		} else {
			alpha[l.page] = h.Filter(alpha[l.parent], e)
		}
		if s.relevant[l.page] {
			found++
		}
		area += found
		key := last
		if text := s.read(l.page).text; text == "" || !seen[text] {
			seen[text] = true
			key = steps(h.Predict(alpha[l.page]))
		}
		for _, to := range s.links[l.page] {
			f.add(to, l.page, key)
		}
	}
	return area + found*(s.task.Budget-fetched)
}

// steps are probabilities in steps of .001, [HMM] §4.1.
func steps(p []float64) []int32 {
	key := make([]int32, len(p))
	for i, x := range p {
		key[i] = int32(math.Floor(x/0.001 + 1e-9))
	}
	return key
}

// frontier holds the links to follow.
type frontier struct {
	queue queue
	links []*link // by page; nil until the page was linked to
	next  int
}

// link is a page to fetch.
type link struct {
	page, parent int // parent is -1 for a start page
	key          []int32
	number       int // of the order in which the pages were found
	place        int // in the queue, -1 once it was fetched
}

// add adds a link, or raises the one to the same page.
func (f *frontier) add(page, parent int, key []int32) {
	switch l := f.links[page]; {
	case l == nil:
		f.links[page] = &link{page: page, parent: parent, key: key, number: f.next}
		f.next++
		heap.Push(&f.queue, f.links[page])
	case l.place >= 0 && slices.Compare(key, l.key) > 0:
		l.parent, l.key = parent, key
		heap.Fix(&f.queue, l.place)
	}
}

// queue is a heap of links, the best first, ties in the order in which they were found.
type queue []*link

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if c := slices.Compare(q[i].key, q[j].key); c != 0 {
		return c > 0
	}
	return q[i].number < q[j].number
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i]; q[i].place, q[j].place = i, j }
func (q *queue) Push(x any)   { l := x.(*link); l.place = len(*q); *q = append(*q, l) }
func (q *queue) Pop() any {
	l := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	l.place = -1
	return l
}
