package measure

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// Values of scikit-learn 1.2.1.
var (
	trueLabels      = []int{0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 3}
	predictedLabels = []int{0, 0, 1, 1, 2, 2, 2, 3, 3, 1, 3}
)

func TestNMIAndARI(t *testing.T) {
	if got := NMI(trueLabels, predictedLabels); !near(got, .7328771459467802) {
		t.Errorf("NMI %v", got)
	}
	if got := ARI(trueLabels, predictedLabels); !near(got, 8./17) {
		t.Errorf("ARI %v", got)
	}
	for _, tt := range []struct {
		a, b     []int
		nmi, ari float64
	}{
		{nil, nil, 1, 1}, {[]int{7}, []int{9}, 1, 1}, {[]int{1, 1, 1}, []int{2, 2, 2}, 1, 1}, {[]int{1, 2, 3}, []int{3, 1, 2}, 1, 1},
		{[]int{1, 1, 2, 2}, []int{9, 9, -4, -4}, 1, 1}, {[]int{1, 1, 1, 1}, []int{1, 1, 2, 2}, 0, 0}, {[]int{1, 1, 2, 2}, []int{1, 2, 1, 2}, 0, -.5},
	} {
		if nmi, ari := NMI(tt.a, tt.b), ARI(tt.a, tt.b); !near(nmi, tt.nmi) || !near(ari, tt.ari) {
			t.Errorf("%v and %v: NMI %v, ARI %v, want %v and %v", tt.a, tt.b, nmi, ari, tt.nmi, tt.ari)
		}
	}
}

// bruteNMI is the sum over all pairs of groups, with joint probabilities counted anew.
func bruteNMI(a, b []int) float64 {
	share := func(is func(i int) bool) float64 {
		n := 0
		for i := range a {
			if is(i) {
				n++
			}
		}
		return float64(n) / float64(len(a))
	}
	information, ha, hb := 0.0, 0.0, 0.0
	for x := -1; x < 6; x++ {
		px := share(func(i int) bool { return a[i] == x })
		qx := share(func(i int) bool { return b[i] == x })
		for y := -1; y < 6; y++ {
			py := share(func(i int) bool { return b[i] == y })
			if pxy := share(func(i int) bool { return a[i] == x && b[i] == y }); pxy > 0 {
				information += pxy * math.Log2(pxy/px/py)
			}
		}
		if px > 0 {
			ha -= px * math.Log2(px)
		}
		if qx > 0 {
			hb -= qx * math.Log2(qx)
		}
	}
	if ha == 0 && hb == 0 {
		return 1
	}
	return 2 * information / (ha + hb)
}

// bruteARI counts pairs: a and d of the same kind, b and c of different kinds.
func bruteARI(x, y []int) float64 {
	var a, b, c, d float64
	for i := range x {
		for j := range i {
			switch sameX, sameY := x[i] == x[j], y[i] == y[j]; {
			case sameX && sameY:
				a++
			case sameX:
				b++
			case sameY:
				c++
			default:
				d++
			}
		}
	}
	if b == 0 && c == 0 {
		return 1
	}
	return 2 * (a*d - b*c) / ((a+b)*(b+d) + (a+c)*(c+d))
}

func TestAgreeAgainstCounts(t *testing.T) {
	rng := seeded(21)
	for range 400 {
		n := 1 + rng.IntN(30)
		cluster, category, noisy := make([]int, n), make([]int, n), make([]int, n)
		for i := range cluster {
			cluster[i], category[i] = rng.IntN(5)-1, rng.IntN(1+rng.IntN(5))
			noisy[i] = cluster[i]
			if cluster[i] < 0 { // any negative number is no cluster
				noisy[i] = -1 - rng.IntN(3)
			}
		}
		got := Agree(noisy, category)
		if want := bruteNMI(cluster, category); math.Abs(got.NMI-want) > 1e-12 {
			t.Fatalf("%v, %v: NMI %v, want %v", cluster, category, got.NMI, want)
		}
		if want := bruteARI(cluster, category); math.Abs(got.ARI-want) > 1e-12 {
			t.Fatalf("%v, %v: ARI %v, want %v", cluster, category, got.ARI, want)
		}
		checkEntropy(t, got, cluster, category)
	}
}

// checkEntropy compares with the formula as it is printed.
func checkEntropy(t *testing.T, got Agreement, cluster, category []int) {
	t.Helper()
	clustered, clusters, e := 0, 0, 0.0
	categories := map[int]bool{}
	for j := range 5 {
		size, of := 0, map[int]int{}
		for i, c := range cluster {
			categories[category[i]] = true
			if c == j {
				size++
				of[category[i]]++
			}
		}
		if size == 0 {
			continue
		}
		clustered, clusters = clustered+size, clusters+1
		for _, m := range of {
			p := float64(m) / float64(size)
			e -= float64(size) * p * math.Log10(p)
		}
	}
	want := Agreement{Clusters: clusters, Clustered: float64(clustered) / float64(len(cluster)), NMI: got.NMI, ARI: got.ARI}
	if clustered > 0 {
		want.Entropy = e / float64(clustered)
		if n := float64(len(categories)); n > 1 {
			want.Decrease = 1 - want.Entropy/math.Log10(n)
		}
	}
	if got.Clusters != want.Clusters || got.Clustered != want.Clustered ||
		math.Abs(got.Entropy-want.Entropy) > 1e-12 || math.Abs(got.Decrease-want.Decrease) > 1e-12 {
		t.Fatalf("%v, %v: %+v, want %+v", cluster, category, got, want)
	}
}

// One cluster with all of 23 categories has the entropy that [THESUS] §6.3 gives as the largest, 1.36.
func TestEntropyBase(t *testing.T) {
	cluster, category := make([]int, 46), make([]int, 46)
	for i := range category {
		category[i] = i % 23
	}
	got := Agree(cluster, category)
	if math.Round(100*got.Entropy) != 136 || math.Abs(got.Decrease) > 1e-12 || got.Clusters != 1 || got.Clustered != 1 {
		t.Errorf("%+v", got)
	}
	for i := range cluster {
		cluster[i] = -1
	}
	if got := Agree(cluster, category); got != (Agreement{}) {
		t.Errorf("nothing in clusters: %+v", got)
	}
	if got := Agree(nil, nil); got != (Agreement{NMI: 1, ARI: 1}) {
		t.Errorf("no units: %+v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("lengths that differ are taken")
		}
	}()
	Agree([]int{-1, -1}, []int{1})
}

// TestReferenceAgreement reads what TestNMIAndARI has in its code; that always runs.
func TestReferenceAgreement(t *testing.T) {
	folder := os.Getenv("NIGHTJAR_REFERENCE")
	if folder == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference data")
	}
	data, err := os.ReadFile(filepath.Join(folder, "learning", "metrics.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		True                  []int `json:"labels_true"`
		Predicted             []int `json:"labels_pred"`
		ARI, NMI, Homogeneity float64
	}
	if err := json.Unmarshal(data, &want); err != nil || len(want.True) == 0 {
		t.Fatalf("%d labels, %v", len(want.True), err)
	}
	got := Agree(want.Predicted, want.True)
	if !near(got.ARI, want.ARI) || !near(got.NMI, want.NMI) {
		t.Errorf("ARI %v, want %v; NMI %v, want %v", got.ARI, want.ARI, got.NMI, want.NMI)
	}
	// Homogeneity is 1 - H(category | cluster)/H(category), so that E follows from it.
	h := 0.0
	for _, n := range crossTabulate(want.True, want.True).rows {
		p := float64(n) / float64(len(want.True))
		h -= p * math.Log10(p)
	}
	if !near(got.Entropy, (1-want.Homogeneity)*h) {
		t.Errorf("entropy %v, want %v", got.Entropy, (1-want.Homogeneity)*h)
	}
}
