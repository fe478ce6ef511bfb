package webgraph

// Layers labels each of n pages with its hidden state, [HMM] §3.1: 0 for a target, i for a page whose shortest way along
// links to a target has i links, and states-1 for "that many or more" and for pages from which no way is known. It
// searches breadth-first from the targets against the direction of the links.
//
// edges are pairs from, to in [0, n); target has n entries; states is at least 1.
func Layers(n int, edges [][2]int, target []bool, states int) []int {
	if len(target) != n {
		panic("webgraph: one target mark a page wanted")
	}
	if states < 1 {
		panic("webgraph: at least one state wanted")
	}
	parents := make([][]int, n)
	for _, e := range edges {
		parents[e[1]] = append(parents[e[1]], e[0])
	}
	layer := make([]int, n)
	queue := make([]int, 0, n)
	for i := range layer {
		layer[i] = states - 1
		if target[i] {
			layer[i] = 0
			queue = append(queue, i)
		}
	}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, u := range parents[v] {
			if !target[u] && layer[v]+1 < layer[u] {
				layer[u] = layer[v] + 1
				queue = append(queue, u)
			}
		}
	}
	return layer
}
