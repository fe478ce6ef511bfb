package spherical

import (
	"cmp"
	"slices"

	"nightjar/model/internal/parallel"
	"nightjar/model/tfidf"
)

// Centres gives the centre of each cluster, K×columns:
//
//	Q_c = 1/|c| Σ_{p∈c} v_p                                [PANORAMA] §3.5, eq. (3.3)
//
// For pages of length 1, its length is at most 1, and is the smaller the more the pages of the cluster differ.
func (c Clustering) Centres(pages []tfidf.Vector, columns int) [][]float64 {
	centres := make([][]float64, len(c.Sizes))
	for k := range centres {
		centres[k] = make([]float64, columns)
	}
	for i, p := range pages {
		if k := c.Assign[i]; k != None {
			p.AddTo(centres[k], 1/float64(c.Sizes[k]))
		}
	}
	return centres
}

// Similarities gives the cosine of each centre and each page, K×R ([PANORAMA] §3.5, eq. (3.2)), in [0, 1] for weights
// that are not negative. It is 0 for a page without terms.
func Similarities(pages []tfidf.Vector, centres [][]float64) [][]float64 {
	out := make([][]float64, len(centres))
	parallel.Each(len(centres), func(k int) {
		out[k] = make([]float64, len(pages))
		norm := length(centres[k])
		for i, p := range pages {
			if d := p.Dense(centres[k]); d != 0 {
				out[k][i] = min(1, d/(norm*lengthOf(p)))
			}
		}
	})
	return out
}

// Between gives the cosines of the centres with each other, K×K and symmetric, 1 on the diagonal; 0 for a centre of
// length 0. They are the strength of the connection of two clusters, [PANORAMA] §5.2.
func Between(centres [][]float64) [][]float64 {
	out := make([][]float64, len(centres))
	for i, a := range centres {
		out[i] = make([]float64, len(centres))
		out[i][i] = 1
		for j, b := range centres[:i] {
			dot := 0.0
			for t, x := range a {
				dot += x * b[t]
			}
			if dot != 0 {
				dot = min(1, dot/(length(a)*length(b)))
			}
			out[i][j], out[j][i] = dot, dot
		}
	}
	return out
}

// Examples lists the pages of a cluster that are most similar to its centre, best first, at most count, ties by page
// ([PANORAMA] §3.5). similarity has one value a page, as a row of Similarities.
func (c Clustering) Examples(cluster int, similarity []float64, count int) []int {
	var own []int
	for i, k := range c.Assign {
		if k == cluster {
			own = append(own, i)
		}
	}
	slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(similarity[b], similarity[a]) })
	return own[:min(len(own), count)]
}
