package layout

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

const relTol = 1e-9

// random gives cosines of centres: those of random vectors, or all the same, and sizes.
func random(rng *rand.Rand, n int) (cosines [][]float64, pages []int) {
	const dims = 4
	vectors := make([][dims]float64, n)
	for i := range vectors {
		norm := 0.0
		for d := range dims {
			vectors[i][d] = rng.Float64() * rng.Float64()
			norm += vectors[i][d] * vectors[i][d]
		}
		for d := range dims {
			vectors[i][d] /= math.Sqrt(norm)
		}
		pages = append(pages, 1+rng.IntN(1000))
	}
	same := rng.IntN(4) == 0
	all := rng.Float64()
	for i := range vectors {
		row := make([]float64, n)
		for j := range row {
			for d := range dims {
				row[j] += vectors[i][d] * vectors[j][d]
			}
			switch {
			case i == j:
				row[j] = 1
			case same:
				row[j] = all
			}
		}
		cosines = append(cosines, row)
	}
	return cosines, pages
}

// check holds what must be true of every map.
func check(t *testing.T, circles []Circle, pages []int, width, height float64) {
	t.Helper()
	for i, c := range circles {
		if !(c.R > 0) || c.X-c.R < -relTol*width || c.X+c.R > width*(1+relTol) || c.Y-c.R < -relTol*height || c.Y+c.R > height*(1+relTol) {
			t.Errorf("circle %d is not on the map: %+v", i, c)
		}
		for j, d := range circles[:i] {
			if math.Hypot(c.X-d.X, c.Y-d.Y) < (c.R+d.R)*(1-relTol) {
				t.Errorf("circles %d and %d overlap: %+v, %+v", i, j, c, d)
			}
			if got, want := c.R*c.R*float64(pages[j]), d.R*d.R*float64(pages[i]); math.Abs(got-want) > relTol*want {
				t.Errorf("areas of %d and %d pages are as %v to %v", pages[i], pages[j], c.R*c.R, d.R*d.R)
			}
		}
	}
}

func TestProperties(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		cosines, pages := random(rng, 1+rng.IntN(8))
		o := Options{Width: 300 + 700*rng.Float64(), Height: 300 + 700*rng.Float64(), Gap: 40 * rng.Float64()}
		circles := Places(cosines, pages, o)
		check(t, circles, pages, o.Width, o.Height)
		if again := Places(cosines, pages, o); !reflect.DeepEqual(circles, again) {
			t.Errorf("seed %d: the same input gives two maps", seed)
		}
	}
}

// Without need to push, the distances of points in a plane are those of the map, up to one scale.
func TestPlaneIsReproduced(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var points [][2]float64
		for i := range 6 {
			points = append(points, [2]float64{float64(i%3)*.3 + .1*rng.Float64(), float64(i/3)*.3 + .1*rng.Float64()})
		}
		cosines := make([][]float64, 6)
		for i, p := range points {
			for _, q := range points {
				cosines[i] = append(cosines[i], 1-math.Hypot(p[0]-q[0], p[1]-q[1]))
			}
		}
		circles := Places(cosines, []int{1, 1, 1, 1, 1, 1}, Options{Gap: 1, Cover: .001})
		factor := 0.0
		for i, p := range points {
			for j, q := range points[:i] {
				ratio := math.Hypot(circles[i].X-circles[j].X, circles[i].Y-circles[j].Y) / math.Hypot(p[0]-q[0], p[1]-q[1])
				if factor == 0 {
					factor = ratio
				}
				if math.Abs(ratio-factor) > 1e-6*factor { // of eigenvectors of a small matrix
					t.Errorf("seed %d: distance of %d and %d is %v as large, others %v", seed, i, j, ratio, factor)
				}
			}
		}
	}
}

func TestSimilarClustersAreNear(t *testing.T) {
	cosines := [][]float64{{1, .8, .1}, {.8, 1, .15}, {.1, .15, 1}}
	for _, o := range []Options{{}, {Width: 360, Height: 640}} {
		c := Places(cosines, []int{40, 30, 20}, o)
		distance := func(i, j int) float64 { return math.Hypot(c[i].X-c[j].X, c[i].Y-c[j].Y) }
		if distance(0, 1) >= distance(0, 2) || distance(0, 1) >= distance(1, 2) {
			t.Errorf("places %+v", c)
		}
		if across, along := math.Abs(c[0].X-c[2].X), math.Abs(c[0].Y-c[2].Y); (o.Height > o.Width) != (along > across) {
			t.Errorf("%+v: the widest dimension is not along the longer side: %+v", o, c)
		}
	}
}

func TestOddMaps(t *testing.T) {
	equal := func(n int, x float64) (m [][]float64) {
		for i := range n {
			m = append(m, make([]float64, n))
			for j := range n {
				if m[i][j] = x; i == j {
					m[i][j] = 1
				}
			}
		}
		return m
	}
	if got := Places(nil, nil, Options{}); len(got) != 0 {
		t.Errorf("no clusters: %v", got)
	}
	for _, n := range []int{1, 2, 5, 8, 16} {
		for _, x := range []float64{0, .5, 1, 1 + 1e-16} {
			t.Run(fmt.Sprintf("%d with cosine %v", n, x), func(t *testing.T) {
				pages := make([]int, n)
				for i := range pages {
					pages[i] = 1 + 99*(i%2)
				}
				check(t, Places(equal(n, x), pages, Options{Width: 400, Height: 300}), pages, 400, 300)
				check(t, Places(equal(n, x), pages, Options{Width: 400, Height: 300, Gap: 190, Cover: .9}), pages, 400, 300)
			})
		}
	}
	if c := Places(equal(1, 1), []int{0}, Options{}); c[0].X != 480 || c[0].Y != 320 {
		t.Errorf("the only circle is at %+v", c)
	}
}

func TestLineWidth(t *testing.T) {
	for _, tt := range []struct{ cosine, want float64 }{{0, 0}, {.0999, 0}, {.1, 1.2}, {.5, 6}, {1, 12}, {1.0000001, 12}, {math.NaN(), 0}} {
		if got := LineWidth(tt.cosine); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("cosine %v: %v px, want %v", tt.cosine, got, tt.want)
		}
	}
}
