package logistic

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// What scikit-learn says; testdata/reference.py makes the file.
type reference struct {
	Regression []struct {
		Classes       int
		C             float64
		X             [][]float64
		Y             []int
		Weight        []float64
		Coef          [][]float64 // class by term; one line for two classes
		Intercept     []float64
		Probabilities [][]float64
	}
	Calibration []struct {
		Scores   []float64
		Positive []bool
		Weight   []float64
		A, B     float64
		At       []float64
		Isotonic []float64
	}
}

func mustRead(tb testing.TB) (r reference) {
	tb.Helper()
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		tb.Fatal(err)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		tb.Fatal(err)
	}
	if len(r.Regression) == 0 || len(r.Calibration) == 0 {
		tb.Fatal("reference.json lacks cases")
	}
	return r
}

func sparseRow(values []float64) (r Row) {
	for t, v := range values {
		if v != 0 {
			r.Index, r.Value = append(r.Index, int32(t)), append(r.Value, float32(v))
		}
	}
	return r
}

// Both searches end at a gradient of some length; ours at `near`, which bounds the error of a weight.
func TestRegressionAgainstScikitLearn(t *testing.T) {
	const weightTol, probabilityTol = near, 1e-5
	for n, want := range mustRead(t).Regression {
		var rows []Row
		for _, x := range want.X {
			rows = append(rows, sparseRow(x))
		}
		p := NewProblem(rows, len(want.X[0]))
		for _, name := range []string{"sparse", "dense"} {
			m := fitBy(t, p, func(use []int, k int) design { return designs(t, p, use, k)[name] }, want.Y, want.Weight, want.Classes, want.C)
			for c, line := range want.Coef {
				if got := m.Bias[c]; math.Abs(got-want.Intercept[c]) > weightTol {
					t.Errorf("case %d, %s: bias %d is %v, want %v", n, name, c, got, want.Intercept[c])
				}
				for j, w := range line {
					if got := float64(m.Weights[j*len(want.Coef)+c]); math.Abs(got-w) > weightTol {
						t.Errorf("case %d, %s: weight %d of class %d is %v, want %v", n, name, j, c, got, w)
					}
				}
			}
			for i, r := range rows {
				for c, got := range m.Probabilities(r) {
					if math.Abs(got-want.Probabilities[i][c]) > probabilityTol {
						t.Errorf("case %d, %s, row %d: P(%d) = %v, want %v", n, name, i, c, got, want.Probabilities[i][c])
					}
				}
			}
		}
	}
}

func TestPlattAgainstScikitLearn(t *testing.T) {
	const absTol = 1e-5 // theirs ends at a gradient of 1e-5
	for n, want := range mustRead(t).Calibration {
		got, theirs := Platt(want.Scores, want.Positive, want.Weight), Sigmoid{A: want.A, B: want.B}
		for _, x := range want.At {
			if math.Abs(got.P(x)-theirs.P(x)) > absTol {
				t.Errorf("case %d: P(%v) = %v, want %v", n, x, got.P(x), theirs.P(x))
			}
		}
	}
}

func TestIsotonicAgainstScikitLearn(t *testing.T) {
	const absTol = 1e-9 // the file has 12 decimals, of scores, too
	for n, want := range mustRead(t).Calibration {
		got := isotonic(want.Scores, want.Positive, want.Weight)
		for i, x := range want.At {
			if math.Abs(got.P(x)-want.Isotonic[i]) > absTol {
				t.Errorf("case %d: P(%v) = %v, want %v", n, x, got.P(x), want.Isotonic[i])
			}
		}
	}
}
