package dbscan

import (
	"context"
	"iter"
)

// Noise is the cluster of objects that are in none.
const Noise = -1

// Near gives the other objects with their similarity to object i: each at most once, never i itself. It must be
// symmetric. It may leave out objects that are less similar than MinSim.
type Near func(i int) iter.Seq2[int, float64]

// Clustering says which objects are in which cluster.
type Clustering struct {
	MinSim  float64
	Cluster []int  // of each object, in [0, len(Sizes)) or Noise
	Core    []bool // of each object
	Sizes   []int  // of each cluster: its cores and border objects
}

// Grouped is the number of objects in clusters.
func (c *Clustering) Grouped() int {
	n := 0
	for _, size := range c.Sizes {
		n += size
	}
	return n
}

// Largest is the size of the largest cluster, 0 if there is none.
func (c *Clustering) Largest() int {
	n := 0
	for _, size := range c.Sizes {
		n = max(n, size)
	}
	return n
}

// Find groups n objects. minSim is compared with what near gives, of any range. minDocs is at least 1; less counts as 1. It
// reads the neighbours of each object three times. The error is ctx.Err() when ctx ends first.
func Find(ctx context.Context, n int, near Near, minSim float64, minDocs int) (*Clustering, error) {
	c := &Clustering{MinSim: minSim, Cluster: make([]int, n), Core: make([]bool, n)}
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.Cluster[i] = Noise
		c.Core[i] = c.core(near(i), max(1, minDocs))
	}
	for i := range n {
		if c.Core[i] && c.Cluster[i] == Noise {
			if err := c.grow(ctx, i, near); err != nil {
				return nil, err
			}
		}
	}
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !c.Core[i] {
			c.border(i, near(i))
		}
	}
	return c, nil
}

func (c *Clustering) core(near iter.Seq2[int, float64], minDocs int) bool {
	count := 0
	for _, s := range near {
		if s >= c.MinSim {
			count++
		}
		if count == minDocs {
			return true
		}
	}
	return false
}

// grow makes a cluster of all cores that are connected with a core.
func (c *Clustering) grow(ctx context.Context, first int, near Near) error {
	cluster := len(c.Sizes)
	c.Cluster[first] = cluster
	todo := []int{first}
	size := 0
	for ; len(todo) > 0; size++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for j, s := range near(i) {
			if s >= c.MinSim && c.Core[j] && c.Cluster[j] == Noise {
				c.Cluster[j] = cluster
				todo = append(todo, j)
			}
		}
	}
	c.Sizes = append(c.Sizes, size)
	return nil
}

// border puts an object that is no core into the cluster of its most similar core.
func (c *Clustering) border(i int, near iter.Seq2[int, float64]) {
	best, most := Noise, c.MinSim
	for j, s := range near {
		if s < most || !c.Core[j] {
			continue
		}
		if best == Noise || s > most || j < best {
			best, most = j, s
		}
	}
	if best != Noise {
		c.Cluster[i] = c.Cluster[best]
		c.Sizes[c.Cluster[i]]++
	}
}
