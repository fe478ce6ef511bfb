package chart

import (
	"cmp"
	"math"
	"slices"
)

// ways chooses for each page of a concept graph one link that leads a state nearer to a target: to the page that most
// other pages are led by, so that what many ways share is seen.
type ways struct {
	next     []int   // by page: where its way goes, -1 for targets and where no link leads nearer
	children []int   // by page: how many ways go to it
	nearer   []int   // by page: its links that lead nearer
	others   []int   // by page: its other links
	to       [][]int // by page: the pages that its links nearer lead to
	from     []int   // by page: links to it that lead nearer
	pages    []ConceptPage
}

func newWays(pages []ConceptPage, edges [][2]int) *ways {
	n := len(pages)
	w := &ways{next: make([]int, n), children: make([]int, n), nearer: make([]int, n), others: make([]int, n),
		to: make([][]int, n), from: make([]int, n), pages: pages}
	for _, e := range edges {
		if pages[e[1]].State >= pages[e[0]].State {
			w.others[e[0]]++
			continue
		}
		w.nearer[e[0]]++
		w.to[e[0]] = append(w.to[e[0]], e[1])
		w.from[e[1]]++
	}
	w.choose(func(int) bool { return true })
	return w
}

// choose picks each page's way among the pages that may be shown.
func (w *ways) choose(shown func(page int) bool) {
	clear(w.children)
	for i := range w.next {
		w.next[i] = -1
		for _, j := range w.to[i] {
			if best := w.next[i]; shown(j) && (best < 0 || w.from[j] > w.from[best] || w.from[j] == w.from[best] && j < best) {
				w.next[i] = j
			}
		}
		if w.next[i] >= 0 {
			w.children[w.next[i]]++
		}
	}
}

// blocks are the pages of each state that are drawn, the nearest state first, and how many of each are left out: those
// that the fewest ways go through, then those with the fewest links nearer.
func (w *ways) blocks(states int) (blocks [][]int, left []int) {
	blocks, left = make([][]int, states), make([]int, states)
	for i, p := range w.pages {
		blocks[p.State] = append(blocks[p.State], i)
	}
	drawn := make([]bool, len(w.pages))
	for s, block := range blocks {
		slices.SortStableFunc(block, func(a, b int) int {
			return cmp.Or(cmp.Compare(w.children[b], w.children[a]), cmp.Compare(w.nearer[b]+w.from[b], w.nearer[a]+w.from[a]))
		})
		keep := min(len(block), mostRows*mostColumns)
		blocks[s], left[s] = block[:keep], len(block)-keep
		for _, i := range blocks[s] {
			drawn[i] = true
		}
	}
	w.choose(func(i int) bool { return drawn[i] })
	return blocks, left
}

// order sorts a block by the height of the page that each page's way leads to, then by cluster.
func (w *ways) order(block []int, at map[int]Point, pages []ConceptPage) {
	height := func(i int) float64 {
		if w.next[i] < 0 {
			return math.Inf(1)
		}
		return at[w.next[i]].Y
	}
	slices.SortStableFunc(block, func(a, b int) int {
		return cmp.Or(cmp.Compare(height(a), height(b)), cmp.Compare(w.next[a], w.next[b]), cmp.Compare(pages[a].Cluster, pages[b].Cluster))
	})
	if len(block) > 0 && pages[block[0]].State == 0 {
		w.scatter(block)
	}
}

// scatter puts the targets that ways lead to as far down their column as the ways before theirs take room in the next.
func (w *ways) scatter(block []int) {
	total := 0
	for _, i := range block {
		total += w.children[i]
	}
	if total == 0 {
		return
	}
	all := slices.Clone(block)
	taken, before := make([]bool, len(block)), 0
	for _, i := range all { // those with most ways first
		if w.children[i] == 0 {
			continue
		}
		slot := len(block) * (2*before + w.children[i]) / (2 * total)
		for slot = min(slot, len(block)-1); slot > 0 && taken[slot]; slot-- {
		}
		for taken[slot] {
			slot++
		}
		block[slot], taken[slot] = i, true
		before += w.children[i]
	}
	slot := 0
	for _, i := range all {
		if w.children[i] > 0 {
			continue
		}
		for taken[slot] {
			slot++
		}
		block[slot], taken[slot] = i, true
	}
}
