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
