package papers

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"nightjar/model/measure"
)

// pairedT is the one-tailed paired t-test of whether a is larger than b: the probability of so large a t if it is not. It is 1/2
// without any difference, or with fewer than two pairs.
func pairedT(a, b []float64) (t, p float64) {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	m, se := measure.MeanError(d)
	if se == 0 {
		return 0, .5
	}
	t = m / se
	return t, distuv.StudentsT{Sigma: 1, Nu: float64(len(d) - 1)}.Survival(t)
}

// window is the mean of the last n values after each value, of all while there are fewer.
func window(values []float64, n int) []float64 {
	means, sum := make([]float64, len(values)), 0.0
	for i, v := range values {
		if sum += v; i >= n {
			sum -= values[i-n]
		}
		means[i] = sum / float64(min(i+1, n))
	}
	return means
}

// resamples are how many times units are drawn again for an interval.
const resamples = 4000

// gain is Σa/Σb - 1 over paired units, with the 95 % percentile interval of bootstrap samples of the units.
func gain(a, b []float64, seed uint64) measure.Figure {
	rng := rand.New(rand.NewPCG(seed, 1))
	f := measure.Figure{Value: ratio(sum(a), sum(b)) - 1, N: len(a)}
	var drawn []float64
	for range resamples {
		x, y := 0.0, 0.0
		for range a {
			i := rng.IntN(len(a))
			x, y = x+a[i], y+b[i]
		}
		if y > 0 {
			drawn = append(drawn, x/y-1)
		}
	}
	if slices.Sort(drawn); len(drawn) > 0 {
		last := float64(len(drawn) - 1)
		f.Low, f.High = drawn[int(.025*last+.5)], drawn[int(.975*last+.5)]
	}
	return f
}

func sum(values []float64) (s float64) {
	for _, v := range values {
		s += v
	}
	return s
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// agreement says how well clusters agree with categories, both of the same pages.
type agreement struct {
	Pages, Clusters, Categories int
	Entropy, Most               float64 // [THESUS] §6.3, and log₁₀ of the categories, its maximum
	Decrease                    float64 // 1 - Entropy/Most; 0 with one category
	Purity                      float64 // share of the pages that are of the commonest category of their cluster
	ARI                         float64 // adjusted Rand index (Hubert & Arabie 1985)
}

// agree compares the clusters of pages with their categories. Pages in no cluster, below 0, are left out, as in the paper.
func agree(cluster, category []int) agreement {
	cells, rows, columns := map[[2]int]int{}, map[int]int{}, map[int]int{}
	a := agreement{}
	for i, c := range cluster {
		if c >= 0 {
			cells[[2]int{c, category[i]}]++
			rows[c]++
			columns[category[i]]++
			a.Pages++
		}
	}
	a.Clusters, a.Categories = len(rows), len(columns)
	if a.Pages == 0 {
		return a
	}
	n := float64(a.Pages)
	largest := map[int]int{}
	var together, inRows, inColumns float64
	for _, k := range slices.SortedFunc(maps.Keys(cells), func(x, y [2]int) int { return slices.Compare(x[:], y[:]) }) {
		in := float64(cells[k])
		a.Entropy -= in / n * math.Log10(in/float64(rows[k[0]]))
		largest[k[0]] = max(largest[k[0]], cells[k])
		together += in * (in - 1) / 2
	}
	for c, in := range rows {
		a.Purity += float64(largest[c]) / n
		inRows += float64(in*(in-1)) / 2
	}
	for _, in := range columns {
		inColumns += float64(in*(in-1)) / 2
	}
	if a.Most = math.Log10(float64(a.Categories)); a.Most > 0 {
		a.Decrease = 1 - a.Entropy/a.Most
	}
	expected, most := ratio(inRows*inColumns, n*(n-1)/2), (inRows+inColumns)/2
	if a.ARI = 1; most != expected {
		a.ARI = (together - expected) / (most - expected)
	}
	return a
}

// chance is what agree gives on average, in `draws` draws, when the same pages fall into clusters of the same number and sizes by
// chance, and the share of draws that decrease the entropy at least as much as these clusters do.
func chance(cluster, category []int, draws int, rng *rand.Rand) (mean agreement, asGood float64) {
	var in, of []int
	for i, c := range cluster {
		if c >= 0 {
			in, of = append(in, c), append(of, category[i])
		}
	}
	mean = agree(in, of)
	ours := mean.Decrease
	mean.Entropy, mean.Decrease, mean.Purity, mean.ARI = 0, 0, 0, 0
	share := 1 / float64(draws)
	for range draws {
		rng.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		a := agree(in, of)
		mean.Entropy += share * a.Entropy
		mean.Decrease += share * a.Decrease
		mean.Purity += share * a.Purity
		mean.ARI += share * a.ARI
		if a.Decrease >= ours-1e-12 {
			asGood += share
		}
	}
	return mean, asGood
}
