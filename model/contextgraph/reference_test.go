package contextgraph

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// naiveBayes is scikit-learn 1.2's MultinomialNB(alpha=1) of the first 1,200 rows of the digits data.
type naiveBayes struct {
	Models map[string]struct {
		Prior   []float64   `json:"class_log_prior"`
		First   [][]float64 `json:"first5_log_proba"`
		Predict []int       `json:"pred"`
		Class0  []float64   `json:"feature_log_prob_class0"`
	} `json:"models"`
}

// TestNaiveBayesIsThatOfScikitLearn: with all words kept, eq. (4) is the multinomial Naive Bayes with one added to each
// count. The reference has priors of the classes' sizes, so that they are added here.
// TestNaiveBayesByHand always runs.
func TestNaiveBayesIsThatOfScikitLearn(t *testing.T) {
	folder := os.Getenv("NIGHTJAR_REFERENCE")
	if folder == "" {
		t.Skip("left out: NIGHTJAR_REFERENCE does not name the folder of reference data")
	}
	rows, label := mustDigits(t, filepath.Join(folder, "learning", "digits_counts.csv"))
	var file naiveBayes
	data, err := os.ReadFile(filepath.Join(folder, "learning", "naive_bayes_digits.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	want := file.Models["multinomial_a1"]
	if len(want.Class0) == 0 || len(want.First) == 0 || len(want.Predict) != len(rows)-1200 {
		t.Fatalf("%d words, %d rows, %d classes of %d rows", len(want.Class0), len(want.First), len(want.Predict), len(rows))
	}
	const pixels, train, absTol = 64, 1200, 1e-9 // of logs of up to 300
	m := &Model{o: Options{Components: pixels, Depth: 9}, inverse: make([]float64, pixels), vocabulary: pixels}
	for w := range m.inverse {
		m.inverse[w] = 1
	}
	for class := range 10 {
		var docs []Document
		for i := range train {
			if label[i] == class {
				docs = append(docs, m.reduce(rows[i]))
			}
		}
		m.addClass(class, docs)
	}
	for w, p := range want.Class0 {
		if math.Abs(m.logWord[0][w]-p) > absTol {
			t.Errorf("P(%d|0) is e^%v, want e^%v", w, m.logWord[0][w], p)
		}
	}
	for i, d := range rows[train:] {
		log, best := make([]float64, 10), 0
		for class := range log {
			sum, _ := likelihood(m.logWord[class], d)
			if log[class] = sum + want.Prior[class]; log[class] > log[best] {
				best = class
			}
		}
		if best != want.Predict[i] {
			t.Errorf("row %d is a %d, want %d", i, best, want.Predict[i])
		}
		if i >= len(want.First) {
			continue
		}
		for class, x := range log {
			total := 0.0
			for _, y := range log {
				total += math.Exp(y - log[best])
			}
			if got := x - log[best] - math.Log(total); math.Abs(got-want.First[i][class]) > absTol {
				t.Errorf("row %d: P(%d) is e^%v, want e^%v", i, class, got, want.First[i][class])
			}
		}
	}
}

func mustDigits(tb testing.TB, file string) (rows []Document, label []int) {
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
		var d Document
		for w, s := range r {
			n, err := strconv.Atoi(s)
			if err != nil {
				tb.Fatal(err)
			}
			switch {
			case w == len(r)-1:
				label = append(label, n)
			case n > 0:
				d.Index, d.Count = append(d.Index, int32(w)), append(d.Count, int32(n))
			}
		}
		rows = append(rows, d)
	}
	return rows, label
}
