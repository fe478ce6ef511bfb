package measure

import "math"

// Agreement says how well clusters agree with known categories. Entropy and Decrease are of the units in clusters only,
// so that they look good when few units are clustered: show them beside Clustered, NMI and ARI.
type Agreement struct {
	Clusters  int     `json:"clusters"`
	Clustered float64 `json:"clustered"` // share of the units that are in clusters, in [0, 1]

	// Entropy of the categories in the clusters, weighted by their sizes n_j, over the n units in clusters: from 0, when
	// no cluster has units of two categories, to log₁₀ N for N categories. [THESUS] §6.3
	//
	//	E = Σ_j (n_j/n)·(-Σ_i p_ij log₁₀ p_ij)
	Entropy float64 `json:"entropy"`

	// Decrease is 1 - E/log₁₀ N, where N counts the categories of all units: 1 when no cluster has units of two
	// categories. It is 0 when no unit is in a cluster, and with fewer than two categories.
	Decrease float64 `json:"decrease"`

	NMI float64 `json:"nmi"` // of all units; those in no cluster are one group
	ARI float64 `json:"ari"` // likewise
}

// Agree compares the cluster of each unit, negative for units in none, with its category, which may be any number. It panics
// when the lengths differ.
func Agree(cluster, category []int) Agreement {
	all := make([]int, len(cluster))
	var inside, of []int // of the units in clusters
	for i, c := range cluster {
		all[i] = max(c, -1)
		if c >= 0 {
			inside, of = append(inside, c), append(of, category[i])
		}
	}
	a := Agreement{NMI: NMI(all, category), ARI: ARI(all, category)}
	if len(inside) == 0 {
		return a
	}
	t := crossTabulate(inside, of)
	a.Clusters = len(t.rows)
	a.Clustered = float64(len(inside)) / float64(len(cluster))
	// Σ_j (n_j/n)·H(category | j) is the entropy of the pairs less that of the clusters.
	a.Entropy = max(0, (entropy(t.cells, t.n)-entropy(t.rows, t.n))/math.Ln10)
	if categories := len(crossTabulate(category, category).rows); categories > 1 {
		a.Decrease = 1 - a.Entropy/math.Log10(float64(categories))
	}
	return a
}

// NMI is the normalised mutual information of two groupings of the same units, 2·I(a; b)/(H(a) + H(b)), in [0, 1]; 1 when
// both put all units into one group. Groups are named by any numbers. It panics when the lengths differ.
func NMI(a, b []int) float64 {
	t := crossTabulate(a, b)
	ha, hb := entropy(t.rows, t.n), entropy(t.columns, t.n)
	if ha+hb == 0 {
		return 1
	}
	return max(0, 2*(ha+hb-entropy(t.cells, t.n))/(ha+hb))
}

// ARI is the adjusted Rand index of two groupings of the same units (Hubert & Arabie 1985): 1 when they are the same, 0 on
// average for random groupings with these sizes; it can be negative. Groups are named by any numbers. It panics when
// the lengths differ.
func ARI(a, b []int) float64 {
	t := crossTabulate(a, b)
	together, inA, inB := pairs(t.cells), pairs(t.rows), pairs(t.columns)
	expected, most := 0.0, (inA+inB)/2
	if all := pairs([]int{t.n}); all > 0 {
		expected = inA * inB / all
	}
	if most == expected { // both have one group, or as many groups as units
		return 1
	}
	return (together - expected) / (most - expected)
}

// table counts the units of each group of two groupings, and of each pair of groups that has units. The counts are in the
// order in which groups first come.
type table struct {
	n                    int
	rows, columns, cells []int
}

func crossTabulate(a, b []int) table {
	if len(a) != len(b) {
		panic("measure: groupings of different length")
	}
	t := table{n: len(a)}
	row, column, cell := map[int]int{}, map[int]int{}, map[[2]int]int{}
	for i := range a {
		count(&t.rows, row, a[i])
		count(&t.columns, column, b[i])
		count(&t.cells, cell, [2]int{a[i], b[i]})
	}
	return t
}

func count[K comparable](counts *[]int, place map[K]int, key K) {
	k, ok := place[key]
	if !ok {
		k = len(*counts)
		place[key] = k
		*counts = append(*counts, 0)
	}
	(*counts)[k]++
}

// entropy is that of the shares counts/n, by the natural logarithm.
func entropy(counts []int, n int) float64 {
	h := 0.0
	for _, c := range counts {
		p := float64(c) / float64(n)
		h -= p * math.Log(p)
	}
	return h
}

// pairs is how many pairs of units are in the same group.
func pairs(counts []int) float64 {
	sum := 0.0
	for _, c := range counts {
		sum += float64(c) * float64(c-1) / 2
	}
	return sum
}
