package cluster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// blobs gives clouds of size points each around centres on the axes, unit vectors like those of an LSI space.
func blobs(rng *rand.Rand, clouds, size, dims int, spread float64) (points [][]float64, cloud []int) {
	for i := range clouds * size {
		p := make([]float64, dims)
		p[i%clouds] = 1
		length := 0.0
		for d := range p {
			p[d] += spread * rng.NormFloat64()
			length += p[d] * p[d]
		}
		for d := range p {
			p[d] /= math.Sqrt(length)
		}
		points, cloud = append(points, p), append(cloud, i%clouds)
	}
	return points, cloud
}

func TestXMeansFindsClouds(t *testing.T) {
	for clouds := 3; clouds <= 8; clouds++ {
		for seed := range uint64(5) {
			rng := rand.New(rand.NewPCG(seed, 4))
			points, cloud := blobs(rng, clouds, 25, 10, 0.1)
			c := XMeans(points, 3, 8, rng)
			check(t, points, c)
			if len(c.Centroids) != clouds {
				t.Errorf("seed %d: %d clusters, want %d", seed, len(c.Centroids), clouds)
				continue
			}
			name := map[int]int{}
			for i := range points {
				if n, seen := name[cloud[i]]; seen && n != c.Assign[i] {
					t.Errorf("seed %d: cloud %d is in clusters %d and %d", seed, cloud[i], n, c.Assign[i])
					break
				}
				name[cloud[i]] = c.Assign[i]
			}
		}
	}
}

func TestXMeansKeepsToTheRange(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 5))
		points := random(rng, 2+rng.IntN(60), 1+rng.IntN(3))
		low, high := 1+rng.IntN(5), 1+rng.IntN(10)
		c := XMeans(points, low, high, rng)
		check(t, points, c)
		most := distinct(points, len(points))
		if k := len(c.Centroids); k < min(low, most) || k > min(max(low, high), most) {
			t.Errorf("seed %d: %d clusters of %d different points in %d..%d", seed, k, most, low, high)
		}
	}
}

// Points that are nothing but copies of a few places are as many clusters as places, wherever these are: at the corners of
// a simplex no two of them are nearer to each other than to the others, on a line they are. A place may be much fuller than another.
func TestXMeansTellsCopiesApart(t *testing.T) {
	for places := 1; places <= 8; places++ {
		for low := 1; low <= 3; low++ {
			for _, onLine := range []bool{false, true} {
				rng := rand.New(rand.NewPCG(uint64(places), uint64(low)))
				var points [][]float64
				for place := range places {
					p := make([]float64, 8)
					if p[place] = 1; onLine {
						p[0], p[place] = float64(place+1), float64(place+1)
					}
					for range 2 + rng.IntN(40) {
						points = append(points, p)
					}
				}
				rng.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
				c := XMeans(points, low, 8, rng)
				check(t, points, c)
				if len(c.Centroids) != places || c.SSE != 0 {
					t.Errorf("low %d, line %v: %d clusters with SSE %g of copies of %d points", low, onLine, len(c.Centroids), c.SSE, places)
				}
			}
		}
	}
}

// Among clouds, a cluster of copies of two places is split, too. A place that one point stands at is no cluster of copies.
func TestXMeansSplitsCopiesAmongClouds(t *testing.T) {
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 11))
		points, _ := blobs(rng, 3, 25, 10, 0.1)
		for i := range 30 {
			p := make([]float64, 10)
			p[3], p[4] = 5, 0.3*float64(i%2)
			points = append(points, p)
		}
		c := XMeans(points, 3, 8, rng)
		check(t, points, c)
		if len(c.Centroids) != 5 {
			t.Errorf("seed %d: %d clusters of three clouds and two places", seed, len(c.Centroids))
		}
	}
	a, b := []float64{1, 0}, []float64{0, 1}
	if c := XMeans([][]float64{a, a, a, a, b}, 1, 8, rand.New(rand.NewPCG(1, 12))); len(c.Centroids) != 1 {
		t.Errorf("%d clusters of four copies and one other point", len(c.Centroids))
	}
}

// The answer is never worse by the BIC of the whole than the smallest number of clusters allowed.
func TestXMeansAnswersWithTheBestRound(t *testing.T) {
	for seed := range uint64(20) {
		points := random(rand.New(rand.NewPCG(seed, 6)), 80, 3)
		few := KMeans(points, 2, rand.New(rand.NewPCG(seed, 7)))
		c := XMeans(points, 2, 8, rand.New(rand.NewPCG(seed, 7)))
		if c.BIC < few.BIC {
			t.Errorf("seed %d: BIC %v of %d clusters, but %v of 2", seed, c.BIC, len(c.Centroids), few.BIC)
		}
	}
}

// The likelihood in the BIC, summed point by point: each point has the prior R_n/R of its cluster and the density of a
// spherical Gaussian of variance σ². The closed form replaces SSE/(2σ²) by M(R-K)/2, which is exact.
func TestBICIsTheLikelihoodOfThePoints(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 8))
		points := random(rng, 40, 3)
		c := KMeans(points, 1+int(seed%6), rng)
		r, k, m := float64(len(points)), float64(len(c.Centroids)), 3.0
		sizes := count(c.Assign, len(c.Centroids))
		variance := c.SSE / (m * (r - k))
		want := 0.0
		for i, p := range points {
			n := c.Assign[i]
			want += math.Log(float64(sizes[n]) / r)
			want += -m/2*math.Log(2*math.Pi*variance) - squared(p, c.Centroids[n])/(2*variance)
		}
		want -= ((k - 1) + k*m + 1) / 2 * math.Log(r)
		if math.Abs(c.BIC-want) > 1e-9*math.Abs(want) {
			t.Errorf("seed %d: BIC %v, want %v", seed, c.BIC, want)
		}
	}
}

func TestBICAtItsLimits(t *testing.T) {
	if got := bic([]int{1, 1, 1}, 0, 2); !math.IsInf(got, -1) {
		t.Errorf("as many clusters as points: %v, want -Inf", got)
	}
	if got := bic([]int{2, 2}, 0, 2); !math.IsInf(got, 1) {
		t.Errorf("no variance: %v, want +Inf", got)
	}
}

// Vectors like those of an LSI space: clouds of pages in 50 dimensions that count less and less.
func BenchmarkXMeans(b *testing.B) {
	for _, n := range []int{200, 700, 5000} {
		rng := rand.New(rand.NewPCG(1, 9))
		clouds, points := random(rng, 12, 50), make([][]float64, n)
		for i := range points {
			points[i] = make([]float64, 50)
			length := 0.0
			for d, c := range clouds[i%len(clouds)] {
				points[i][d] = (c + rng.NormFloat64()) / float64(1+d)
				length += points[i][d] * points[i][d]
			}
			for d := range points[i] {
				points[i][d] /= math.Sqrt(length)
			}
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				XMeans(points, 3, 8, rand.New(rand.NewPCG(1, 0)))
			}
		})
	}
}
