package cluster

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"nightjar/model/text"
)

func TestWordsOfAWorkedTable(t *testing.T) {
	// "ice" is in 3 of the 4 documents of cluster 0 and in 1 of the 6 others.
	docs := make([]text.Counts, 11)
	assign := []int{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, -1}
	for i := range docs {
		docs[i] = text.Counts{"all": 1 + i}
	}
	for _, i := range []int{0, 1, 2, 4, 10} {
		docs[i]["ice"] = 7
	}
	logOdds, mutual := Words(docs, assign, 2, 30)
	got := map[string][2]float64{}
	for _, s := range logOdds[0] {
		got[s.Term] = [2]float64{s.Score, 0}
	}
	for _, s := range mutual[0] {
		got[s.Term] = [2]float64{got[s.Term][0], s.Score}
	}
	wantOdds := math.Log(3.5 * 5.5 / (1.5 * 1.5))
	wantInformation := 0.0
	cells := [2][2]float64{{3.5, 1.5}, {1.5, 5.5}} // [has][inside]
	for _, row := range cells {
		for y, n := range row {
			px, py := (row[0]+row[1])/12, (cells[0][y]+cells[1][y])/12
			wantInformation += n / 12 * math.Log2(n/12/(px*py))
		}
	}
	if g := got["ice"]; math.Abs(g[0]-wantOdds) > 1e-12 || math.Abs(g[1]-wantInformation) > 1e-12 {
		t.Errorf("ice: %v, want %v and %v", g, wantOdds, wantInformation)
	}
	if _, listed := got["all"]; listed {
		t.Error("a word of every document is listed as telling")
	}
}

func TestWordsAreThoseOfTheCluster(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	docs := make([]text.Counts, 90)
	assign := make([]int, len(docs))
	for i := range docs {
		assign[i] = i % 3
		docs[i] = text.Counts{}
		for range 40 {
			docs[i][fmt.Sprintf("common%d", rng.IntN(200))]++
		}
		for w := range 30 {
			if rng.IntN(10) < 7 {
				docs[i][fmt.Sprintf("own%d-%02d", i%3, w)] = 1 + rng.IntN(3)
			}
		}
	}
	logOdds, mutual := Words(docs, assign, 3, 30)
	for c := range 3 {
		for name, list := range map[string][]Scored{"log odds": logOdds[c], "mutual information": mutual[c]} {
			if len(list) != 30 {
				t.Fatalf("%s: %d words, want 30", name, len(list))
			}
			for i, s := range list {
				if s.Term[:4] != fmt.Sprintf("own%d", c) {
					t.Errorf("%s of cluster %d: %s at %d", name, c, s.Term, i)
				}
				if i > 0 && s.Score > list[i-1].Score {
					t.Errorf("%s of cluster %d: not descending at %d", name, c, i)
				}
			}
		}
	}
}

func TestWordsOfEmptyAndOnlyClusters(t *testing.T) {
	docs := []text.Counts{{"a": 1, "b": 2}, {"a": 1}, {}}
	logOdds, mutual := Words(docs, []int{0, 0, 0}, 2, 30)
	if len(logOdds[1])+len(mutual[1]) > 0 {
		t.Errorf("words of an empty cluster: %v %v", logOdds[1], mutual[1])
	}
	if len(mutual[0]) == 0 || mutual[0][0].Term != "a" {
		t.Errorf("words of the only cluster: %v, want a first", mutual[0])
	}
}
