package dbscan

import "context"

// MinSims are the similarities of a hierarchy of pages: .95, .90, ..., .50. [THESUS] §5.4
func MinSims() []float64 { return []float64{.95, .9, .85, .8, .75, .7, .65, .6, .55, .5} }

// Level is a clustering at one similarity, and how it hangs together with the next level, of a smaller similarity.
type Level struct {
	Clustering

	// Parent is, for each cluster, the cluster of the next level that has all its cores. There always is one, since cores
	// stay cores and stay connected when the similarity falls. Border objects may change to another cluster. It is nil at
	// the last level.
	Parent []int
}

// Hierarchy runs Find at each of the similarities, which must fall. progress, which may be nil, is called with the levels
// done and their number. The error is ctx.Err() when ctx ends first.
func Hierarchy(ctx context.Context, n int, near Near, minSims []float64, minDocs int, progress func(done, of int)) ([]Level, error) {
	levels := make([]Level, len(minSims))
	for k, minSim := range minSims {
		if k > 0 && minSim >= minSims[k-1] {
			panic("dbscan: the similarities of a hierarchy must fall")
		}
		c, err := Find(ctx, n, near, minSim, minDocs)
		if err != nil {
			return nil, err
		}
		levels[k].Clustering = *c
		if k > 0 {
			levels[k-1].Parent = parents(&levels[k-1].Clustering, c)
		}
		if progress != nil {
			progress(k+1, len(minSims))
		}
	}
	return levels, nil
}

func parents(from, to *Clustering) []int {
	parent := make([]int, len(from.Sizes))
	for i, core := range from.Core {
		if core {
			parent[from.Cluster[i]] = to.Cluster[i]
		}
	}
	return parent
}

// largestShare is the largest share of the grouped objects that one cluster of the default level may hold. When similarity
// falls, there is often a level from which on nearly all objects are in one cluster.
const largestShare = .4

// Default is the number of the level to show first: the one with the most objects in clusters, among those whose largest
// cluster holds at most 40 % of the objects in clusters. Of equal ones it is the first. When no level has so small a
// largest cluster, it is the level where the largest cluster's share is smallest, and of equal ones the one with the
// most objects in clusters. It is 0 when there are no clusters or no levels.
func Default(levels []Level) int {
	best, bestShare, bestGrouped := 0, 2., 0
	for k := range levels {
		grouped := levels[k].Grouped()
		if grouped == 0 {
			continue
		}
		share := max(largestShare, float64(levels[k].Largest())/float64(grouped))
		if share < bestShare || share == bestShare && grouped > bestGrouped {
			best, bestShare, bestGrouped = k, share, grouped
		}
	}
	return best
}
