package spherical

import "nightjar/model/tfidf"

const (
	fewest = 2 // numbers of clusters that Auto tries
	most   = 8
)

// Auto partitions the pages into two to eight clusters: the number with the largest Silhouette, ties to the smaller
// one. When the pages have fewer than two directions, there is one cluster, or none.
func Auto(pages []tfidf.Vector, columns int, seed uint64) Clustering {
	best, value := KMeans(pages, columns, fewest, seed), 0.0
	for k := fewest; k <= most; k++ {
		c := best
		if k > fewest {
			c = KMeans(pages, columns, k, seed)
		}
		if len(c.Sizes) < k { // no more directions
			break
		}
		if s := c.Silhouette(pages, columns); k == fewest || s > value {
			best, value = c, s
		}
	}
	return best
}

// Silhouette is the mean silhouette of the pages with the distance 1-cosine (Rousseeuw, J. Comput. Appl. Math. 20,
// 1987), in [-1, 1]. With a page's mean distance a to the other pages of its cluster, and b to those of the nearest
// other cluster, its silhouette is (b-a)/max(a, b). It is 0 for the only page of a cluster and for pages without terms,
// which do not count for the mean. It is 0 when there are fewer than two clusters.
//
// The mean cosine of a page and the pages of a cluster is v_p·Σv_q/n for directions v, so that it takes no more than a round of k-means.
func (c Clustering) Silhouette(pages []tfidf.Vector, columns int) float64 {
	if len(c.Sizes) < 2 {
		return 0
	}
	directions := make([]tfidf.Vector, len(pages))
	for i, p := range pages {
		directions[i], _ = direction(p)
	}
	pages = directions
	centres := c.Centres(pages, columns)
	sum, count := 0.0, 0
	for i, p := range pages {
		own := c.Assign[i]
		if own == None {
			continue
		}
		count++
		if c.Sizes[own] == 1 {
			continue
		}
		n := float64(c.Sizes[own])
		a := 1 - (n*p.Dense(centres[own])-tfidf.Dot(p, p))/(n-1)
		b := 2.0
		for k, centre := range centres {
			if k != own {
				b = min(b, 1-p.Dense(centre))
			}
		}
		if larger := max(a, b); larger > same {
			sum += (b - a) / larger
		}
	}
	if count == 0 {
		return 0
	}
	return sum / float64(count)
}
