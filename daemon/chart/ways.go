package chart

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// ways has for each page of a concept graph one link that leads a state nearer to a target: to the page that most other
// pages link to, so that paths share as many pages as possible.
type ways struct {
	next     []int   // by page: the next page on its path, -1 for targets and pages without a link that leads nearer
	children []int   // by page: how many paths go to it next
	nearer   []int   // by page: number of its links that lead nearer
	others   []int   // by page: number of its other links
	to       [][]int // by page: targets of its links that lead nearer
	from     []int   // by page: number of links to it that lead nearer
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

// choose picks the next page of each page among the shown ones.
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

// blocks returns the drawn pages of each state, nearest state first, and the number left out of each: the pages that the
// fewest paths go through, then those with the fewest links that lead nearer.
func (w *ways) blocks(states int) (blocks [][]int, left []int) {
	blocks, left = make([][]int, states), make([]int, states)
	for i, p := range w.pages {
		blocks[p.State] = append(blocks[p.State], i)
	}
	drawn := make([]bool, len(w.pages))
	most := largest(blocks, MostDrawn)
	for s, block := range blocks {
		slices.SortStableFunc(block, func(a, b int) int {
			return cmp.Or(cmp.Compare(w.children[b], w.children[a]), cmp.Compare(w.nearer[b]+w.from[b], w.nearer[a]+w.from[a]))
		})
		keep := min(len(block), most)
		blocks[s], left[s] = block[:keep], len(block)-keep
		for _, i := range blocks[s] {
			drawn[i] = true
		}
	}
	w.choose(func(i int) bool { return drawn[i] })
	return blocks, left
}

// largest returns the size to which blocks must be cut so that they have at most room pages together.
func largest(blocks [][]int, room int) int {
	return sort.Search(room, func(size int) bool {
		sum := 0
		for _, block := range blocks {
			sum += min(len(block), size+1)
		}
		return sum > room
	})
}

// order sorts a block by the height of the next page on each path, then by cluster.
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

// scatter spreads the targets that paths lead to over their column, in proportion to the number of those paths.
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
	for _, i := range all { // the block has those with most paths first
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
