package cobweb

import "slices"

// Level is the clusters at a depth of a tree: the nodes that are so many steps below the root, and the leaves above them.
type Level struct {
	Depth   int   // from 1
	Cluster []int // of each object: its cluster, or Outside
	Sizes   []int // objects of each cluster, at least 2
	Parent  []int // of each cluster, the one of the next level that holds its objects; nil at the last level
}

// Grouped is the number of objects in clusters.
func (l *Level) Grouped() int {
	n := 0
	for _, size := range l.Sizes {
		n += size
	}
	return n
}

// Levels gives the clusters of the objects 0 to n-1 at the depths of the tree, the deepest first and depth 1 last. A leaf with
// several equal objects is a cluster at all depths below its own, too. An object that is alone in its leaf is Outside from
// there on downwards, and so is always one that is not in the tree. Clusters of a level are numbered by their first object.
//
// There are at most so many levels as most, at least one. They end above a depth at which there is no cluster, and where the
// tree ends. A root that is a leaf is the only cluster of depth 1.
func (t *Tree) Levels(n, most int) []Level {
	var nodes []*node
	switch {
	case t.root != nil && len(t.root.children) > 0:
		nodes = t.root.children
	case t.root != nil:
		nodes = []*node{t.root}
	}
	levels := []Level{levelOf(1, nodes, n)}
	for deeper := true; deeper && len(levels) < most; {
		deeper = false
		var next []*node
		for _, node := range nodes {
			if len(node.children) == 0 {
				next = append(next, node)
				continue
			}
			next, deeper = append(next, node.children...), true
		}
		if nodes = next; !deeper {
			break
		}
		level := levelOf(len(levels)+1, nodes, n)
		if len(level.Sizes) == 0 {
			break
		}
		level.Parent = make([]int, len(level.Sizes))
		above := levels[len(levels)-1].Cluster
		for i, c := range level.Cluster {
			if c != Outside {
				level.Parent[c] = above[i]
			}
		}
		levels = append(levels, level)
	}
	slices.Reverse(levels)
	return levels
}

func levelOf(depth int, nodes []*node, n int) Level {
	var members [][]int
	for _, node := range nodes {
		if node.count > 1 {
			members = append(members, node.members())
		}
	}
	slices.SortFunc(members, func(a, b []int) int { return a[0] - b[0] })
	l := Level{Depth: depth, Cluster: make([]int, n), Sizes: make([]int, len(members))}
	for i := range l.Cluster {
		l.Cluster[i] = Outside
	}
	for c, list := range members {
		l.Sizes[c] = len(list)
		for _, i := range list {
			if i >= 0 && i < n {
				l.Cluster[i] = c
			}
		}
	}
	return l
}

const (
	firstDepth = 3  // the deepest that Default gives
	leastShare = .5 // of the objects in the tree that are in clusters of the default level
)

// Default is the place, in what Levels gave, of the level to show first: the deepest one, of depth 3 at most, that has at least
// half of the objects in clusters which are in clusters of depth 1; the last one if there is none. At depth 3 clusters fit
// categories best (daemon/lab/reports/EXPLORE.md), but in a tree of few objects most are alone there. It is 0 without
// levels.
func Default(levels []Level) int {
	if len(levels) == 0 {
		return 0
	}
	last := len(levels) - 1
	all := float64(levels[last].Grouped())
	for k := range levels {
		if levels[k].Depth <= firstDepth && float64(levels[k].Grouped()) >= leastShare*all {
			return k
		}
	}
	return last
}
