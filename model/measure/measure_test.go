package measure

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

const relTol = 1e-12 // sums of at most some thousand terms

func seeded(n uint64) *rand.Rand { return rand.New(rand.NewPCG(n, 7)) }

func near(a, b float64) bool { return math.Abs(a-b) <= relTol*max(1, math.Abs(b)) }

// permutations calls f with each order of 0..n-1.
func permutations(n int, f func([]int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var at func(int)
	at = func(i int) {
		if i == n {
			f(order)
			return
		}
		for j := i; j < n; j++ {
			order[i], order[j] = order[j], order[i]
			at(i + 1)
			order[i], order[j] = order[j], order[i]
		}
	}
	at(0)
}

// bruteReciprocalRank averages over all orders that respect the scores.
func bruteReciprocalRank(scores []float64, right []bool) float64 {
	sum, orders := 0.0, 0
	permutations(len(scores), func(order []int) {
		first := 0
		for n, i := range order {
			if n > 0 && scores[order[n-1]] < scores[i] {
				return
			}
			if right[i] && first == 0 {
				first = n + 1
			}
		}
		orders++
		if first > 0 {
			sum += 1 / float64(first)
		}
	})
	return sum / float64(orders)
}

func TestReciprocalRankAgainstAllOrders(t *testing.T) {
	rng := seeded(1)
	for range 300 {
		n := 1 + rng.IntN(7)
		scores, right := make([]float64, n), make([]bool, n)
		for i := range scores {
			scores[i] = float64(rng.IntN(4))
			right[i] = rng.IntN(3) == 0
		}
		if got, want := ReciprocalRank(scores, right), bruteReciprocalRank(scores, right); !near(got, want) {
			t.Errorf("scores %v, right %v: %v, want %v", scores, right, got, want)
		}
	}
}

func TestChanceReciprocalRankAgainstAllOrders(t *testing.T) {
	for n := range 8 {
		for right := range n + 1 {
			labels := make([]bool, n)
			for i := range right {
				labels[i] = true
			}
			want := bruteReciprocalRank(make([]float64, n), labels)
			if got := ChanceReciprocalRank(n, right); !near(got, want) {
				t.Errorf("%d right of %d: %v, want %v", right, n, got, want)
			}
		}
	}
}

// One right among n at random is the harmonic number over n, also where binomials overflow.
func TestChanceReciprocalRankIsHarmonic(t *testing.T) {
	harmonic := 0.0
	for n := 1; n <= 20000; n++ {
		harmonic += 1 / float64(n)
		if n%997 == 0 && !near(ChanceReciprocalRank(n, 1), harmonic/float64(n)) {
			t.Errorf("n = %d: %v, want %v", n, ChanceReciprocalRank(n, 1), harmonic/float64(n))
		}
	}
	if got := ChanceReciprocalRank(5000, 2500); !(got > 0.69 && got < 0.70) { // about ln 2, the geometric limit
		t.Errorf("half of 5000 right: %v", got)
	}
}

func pairsAUC(scores []float64, positive []bool) float64 {
	sum, pairs := 0.0, 0.0
	for i, p := range positive {
		for j, q := range positive {
			if !p || q {
				continue
			}
			pairs++
			switch {
			case scores[i] > scores[j]:
				sum++
			case scores[i] == scores[j]:
				sum += 0.5
			}
		}
	}
	return sum / pairs
}

// simulated draws scores that are higher for positives; few different ones when rounded.
func simulated(n int, rounded bool, rng *rand.Rand) (scores []float64, positive []bool) {
	for i := range n {
		yes := i%3 == 0
		s := rng.NormFloat64()
		if yes {
			s++
		}
		if rounded {
			s = math.Round(s)
		}
		scores, positive = append(scores, s), append(positive, yes)
	}
	return scores, positive
}

func TestAUCAgainstPairs(t *testing.T) {
	rng := seeded(2)
	for n := 2; n < 80; n++ {
		scores, positive := simulated(n, n%2 == 0, rng)
		got := AUC(scores, positive, rng)
		if want := pairsAUC(scores, positive); !near(got.Value, want) || got.N != n {
			t.Errorf("n = %d: %v, want %v", n, got, want)
		}
		if !(0 <= got.Low && got.Low <= got.High && got.High <= 1) {
			t.Errorf("interval of %v", got)
		}
		other, _ := simulated(n, false, rng)
		d := AUCDifference(scores, other, positive, rng)
		if want := pairsAUC(scores, positive) - pairsAUC(other, positive); !near(d.Value, want) {
			t.Errorf("n = %d: difference %v, want %v", n, d, want)
		}
	}
}

// Negating the scores turns the ranking round; a monotone function of them changes nothing.
func TestAUCSymmetries(t *testing.T) {
	scores, positive := simulated(60, true, seeded(3))
	turned, cubed := make([]float64, 60), make([]float64, 60)
	for i, s := range scores {
		turned[i], cubed[i] = -s, s*s*s
	}
	a, b := AUC(scores, positive, seeded(4)), AUC(turned, positive, seeded(4))
	if !near(a.Value, 1-b.Value) || !near(a.Low, 1-b.High) || !near(a.High, 1-b.Low) {
		t.Errorf("%v and turned round %v", a, b)
	}
	if c := AUC(cubed, positive, seeded(4)); c != a {
		t.Errorf("%v, monotone function %v", a, c)
	}
	if d := AUCDifference(scores, cubed, positive, seeded(4)); d != (Figure{N: 60}) {
		t.Errorf("difference to itself: %v", d)
	}
}

func TestDegenerate(t *testing.T) {
	rng := seeded(5)
	zero := Figure{}
	for name, got := range map[string]Figure{
		"mean of nothing":       Mean(nil, rng),
		"difference of nothing": Difference(nil, nil, rng),
		"brier of nothing":      Brier(nil, nil, rng),
		"auc of nothing":        AUC(nil, nil, rng),
		"auc without negatives": AUC([]float64{1, 2}, []bool{true, true}, rng),
		"auc without positives": AUC([]float64{1, 2}, []bool{false, false}, rng),
		"auc difference":        AUCDifference([]float64{1}, []float64{2}, []bool{true}, rng),
	} {
		if got != zero {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := Mean([]float64{3}, rng); got != (Figure{3, 3, 3, 1}) {
		t.Errorf("mean of one: %v", got)
	}
	if got := Mean([]float64{.1, .1, .1, .1, .1, .1, .1}, rng); got.Low != got.High {
		t.Errorf("mean of equals: %v", got)
	}
	if got := AUC([]float64{1, 2}, []bool{false, true}, rng); got.Value != 1 || got.High != 1 || got.N != 2 || got.Low > .3 {
		t.Errorf("auc of two: %v", got)
	}
	if got := ReciprocalRank(nil, nil); got != 0 {
		t.Errorf("reciprocal rank of nothing: %v", got)
	}
}

func TestBrier(t *testing.T) {
	got := Brier([]float64{0, 0.5, 1, 0.75}, []bool{false, true, false, true}, seeded(6))
	if want := (0 + 0.25 + 1 + 0.0625) / 4; !near(got.Value, want) || got.N != 4 {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestSameSeedSameFigure(t *testing.T) {
	scores, positive := simulated(50, false, seeded(8))
	if a, b := AUC(scores, positive, seeded(9)), AUC(scores, positive, seeded(9)); a != b {
		t.Errorf("%v and %v", a, b)
	}
	if a, b := Mean(scores, seeded(9)), Mean(scores, seeded(9)); a != b {
		t.Errorf("%v and %v", a, b)
	}
}

func TestFigureJSON(t *testing.T) {
	got, err := json.Marshal(Figure{0.5, 0.25, 0.75, 9})
	if want := `{"value":0.5,"low":0.25,"high":0.75,"n":9}`; err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

// The value that scikit-learn gives, from the reference folder. TestAUCAgainstPairs always runs.
func TestReferenceAUC(t *testing.T) {
	folder := os.Getenv("NIGHTJAR_REFERENCE")
	if folder == "" {
		t.Skip("NIGHTJAR_REFERENCE is not set")
	}
	data, err := os.ReadFile(filepath.Join(folder, "learning", "metrics.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		AP struct {
			Y     []int
			Score []float64
			AUC   float64
		}
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.AP.Y) == 0 {
		t.Fatal("no scores")
	}
	positive := make([]bool, len(want.AP.Y))
	for i, y := range want.AP.Y {
		positive[i] = y == 1
	}
	if got := AUC(want.AP.Score, positive, seeded(11)); !near(got.Value, want.AP.AUC) {
		t.Errorf("%v, want %v", got.Value, want.AP.AUC)
	}
}

func BenchmarkAUC(b *testing.B) {
	scores, positive := simulated(5000, false, seeded(12))
	for b.Loop() {
		AUC(scores, positive, seeded(13))
	}
}

func BenchmarkMean(b *testing.B) {
	scores, _ := simulated(5000, false, seeded(12))
	for b.Loop() {
		Mean(scores, seeded(13))
	}
}
