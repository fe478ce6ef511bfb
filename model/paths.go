package model

import "nightjar/model/hmm"

// paths are the shortest paths along links from the pages where the sessions began. A page that cannot be reached starts
// a path of its own.
type paths struct {
	order  []int // every page once, a page after its parent
	parent []int // by page, -1 for the first of a path
}

func (m *material) paths() paths {
	n := len(m.set.Pages)
	p := paths{parent: make([]int, n)}
	children := m.children()
	seen := make([]bool, n)
	begin := func(i int) {
		if seen[i] {
			return
		}
		seen[i], p.parent[i] = true, -1
		for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
			u := queue[0]
			p.order = append(p.order, u)
			for _, v := range children[u] {
				if !seen[v] {
					seen[v], p.parent[v] = true, u
					queue = append(queue, v)
				}
			}
		}
	}
	for _, i := range m.set.Entries {
		begin(i)
	}
	for i := range n {
		begin(i)
	}
	return p
}

// children lists the pages that each page links to, ascending.
func (m *material) children() [][]int {
	children := make([][]int, len(m.set.Pages))
	for _, e := range m.set.Edges {
		children[e[0]] = append(children[e[0]], e[1])
	}
	return children
}

// filter returns the distribution over states of each page, filtered along its path.
func (p paths) filter(h *hmm.Model, evidence [][]float64) [][]float64 {
	alpha := make([][]float64, len(p.parent))
	for _, i := range p.order {
		if u := p.parent[i]; u < 0 {
			alpha[i] = h.Start(evidence[i])
		} else {
			alpha[i] = h.Filter(alpha[u], evidence[i])
		}
	}
	return alpha
}
