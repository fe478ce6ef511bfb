package naivebayes

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"nightjar/model/tfidf"
)

// scikit-learn 1.2's MultinomialNB(alpha=1) of the first 1,200 rows of the digits data. TestFourPages always runs.
func TestDigitsAgainstScikitLearn(t *testing.T) {
	folder := os.Getenv("NIGHTJAR_REFERENCE")
	if folder == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference data")
	}
	const train, pixels, digits = 1200, 64, 10
	rows, class := mustDigits(t, filepath.Join(folder, "learning", "digits_counts.csv"))
	var file struct {
		Models map[string]struct {
			Accuracy float64     `json:"accuracy_test"`
			Prior    []float64   `json:"class_log_prior"`
			First    [][]float64 `json:"first5_log_proba"`
			Predict  []int       `json:"pred"`
			Class0   []float64   `json:"feature_log_prob_class0"`
		} `json:"models"`
	}
	data, err := os.ReadFile(filepath.Join(folder, "learning", "naive_bayes_digits.json"))
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := file.Models["multinomial_a1"]
	if len(want.Predict) != len(rows)-train || len(want.Class0) != pixels || len(want.First) == 0 {
		t.Fatalf("%d rows, %d predictions, %d pixels", len(rows), len(want.Predict), len(want.Class0))
	}
	m := FitMultinomial(rows[:train], class[:train], digits, pixels)
	for p, x := range want.Class0 {
		if math.Abs(m.LogTerm[0][p]-x) > absTol {
			t.Errorf("pixel %d of class 0: %v, want %v", p, m.LogTerm[0][p], x)
		}
	}
	right := 0.0
	for i, r := range rows[train:] {
		j, best, total := m.Joint(r), 0, 0.0
		for c := range j {
			if j[c] > j[best] {
				best = c
			}
		}
		for _, x := range j {
			total += math.Exp(x - j[best])
		}
		if best != want.Predict[i] {
			t.Errorf("row %d is a %d, want %d", i, best, want.Predict[i])
		}
		if best == class[train+i] {
			right++
		}
		for c := range j {
			if got := j[c] - j[best] - math.Log(total); i < len(want.First) && math.Abs(got-want.First[i][c]) > absTol {
				t.Errorf("row %d, class %d: ln P %v, want %v", i, c, got, want.First[i][c])
			}
		}
	}
	if got := right / float64(len(want.Predict)); math.Abs(got-want.Accuracy) > absTol {
		t.Errorf("accuracy %v, want %v", got, want.Accuracy)
	}
}

func mustDigits(tb testing.TB, file string) (rows []tfidf.Vector, class []int) {
	tb.Helper()
	f, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	records, err := csv.NewReader(f).ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	for _, r := range records {
		var v tfidf.Vector
		for t, s := range r {
			n, err := strconv.Atoi(s)
			if err != nil {
				tb.Fatal(err)
			}
			switch {
			case t == len(r)-1:
				class = append(class, n)
			case n > 0:
				v.Index, v.Value = append(v.Index, int32(t)), append(v.Value, float64(n))
			}
		}
		rows = append(rows, v)
	}
	return rows, class
}
