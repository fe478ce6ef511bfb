package cluster

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
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
	logOdds, mutual := Words(text.Collect(docs), assign, 2, 30)
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
	logOdds, mutual := Words(text.Collect(docs), assign, 3, 30)
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

// scores computes both measures of a term from nothing but the documents: the odds by counting, the information from
// entropies, I(X;Y) = H(X) + H(Y) - H(X,Y). listed says for each whether the term may be in the cluster's list.
func scores(docs []text.Counts, assign []int, cluster int, term string) (odds, information float64, oddsListed, listed bool) {
	var cells [2][2]float64 // has the term, is in the cluster
	for i, d := range docs {
		if assign[i] < 0 {
			continue
		}
		x, y := 0, 0
		if d[term] > 0 {
			x = 1
		}
		if assign[i] == cluster {
			y = 1
		}
		cells[x][y]++
	}
	inside, documents := cells[1][1], cells[0][1]+cells[1][1]
	for x := range cells {
		for y := range cells[x] {
			cells[x][y] += 0.5
		}
	}
	entropy := func(counts ...float64) float64 {
		total, h := 0.0, 0.0
		for _, n := range counts {
			total += n
		}
		for _, n := range counts {
			h -= n / total * math.Log2(n/total)
		}
		return h
	}
	odds = math.Log(cells[1][1]/cells[0][1]) - math.Log(cells[1][0]/cells[0][0])
	information = entropy(cells[0][0]+cells[0][1], cells[1][0]+cells[1][1]) +
		entropy(cells[0][0]+cells[1][0], cells[0][1]+cells[1][1]) -
		entropy(cells[0][0], cells[0][1], cells[1][0], cells[1][1])
	listed = inside > 0 && odds > 0 // more odds inside than outside is a higher rate inside
	oddsListed = listed && inside >= math.Floor(documents/10) && (documents <= 2 || inside >= 2)
	return odds, information, oddsListed, listed
}

func TestWordsAgainstAllTerms(t *testing.T) {
	const absTol = 1e-9 // entropies of some hundred documents lose a few digits
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 11))
		docs, assign := make([]text.Counts, 120), make([]int, 120)
		all := map[string]bool{}
		for i := range docs {
			assign[i] = rng.IntN(5) - 1
			docs[i] = text.Counts{}
			for range 60 {
				term := fmt.Sprint("w", int(math.Exp(rng.Float64()*7)), "-", rng.IntN(2)*(assign[i]+1))
				docs[i][term] += rng.IntN(3) // 0 is no occurrence
				all[term] = true
			}
		}
		logOdds, mutual := Words(text.Collect(docs), assign, 4, 30)
		for c := range 4 {
			var odds, information []float64
			for term := range all {
				o, m, oddsListed, listed := scores(docs, assign, c, term)
				if oddsListed {
					odds = append(odds, o)
				}
				if listed {
					information = append(information, m)
				}
			}
			testRanking(t, "log odds", logOdds[c], odds, func(term string) float64 { o, _, _, _ := scores(docs, assign, c, term); return o }, absTol)
			testRanking(t, "mutual information", mutual[c], information, func(term string) float64 { _, m, _, _ := scores(docs, assign, c, term); return m }, absTol)
		}
	}
}

// testRanking holds that got are the 30 best of all scores, each with its own.
func testRanking(t *testing.T, name string, got []Scored, all []float64, own func(term string) float64, absTol float64) {
	t.Helper()
	slices.Sort(all)
	slices.Reverse(all)
	if len(got) != min(30, len(all)) {
		t.Fatalf("%s: %d words, want %d", name, len(got), min(30, len(all)))
	}
	for i, s := range got {
		if math.Abs(s.Score-all[i]) > absTol || math.Abs(s.Score-own(s.Term)) > absTol {
			t.Errorf("%s, %d: %s with %v; the word has %v, the place %v", name, i, s.Term, s.Score, own(s.Term), all[i])
		}
	}
	if again := slices.IsSortedFunc(got, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) }); !again {
		t.Errorf("%s: not descending", name)
	}
}

func TestWordsOfEqualScore(t *testing.T) {
	// All of a, b, … z are in both documents of cluster 0 only, so that their order is that of the alphabet.
	docs := []text.Counts{{}, {}, {"other": 1}, {"other": 2}}
	for c := 'z'; c >= 'a'; c-- {
		docs[0][string(c)], docs[1][string(c)] = 1, int(c)
	}
	logOdds, mutual := Words(text.Collect(docs), []int{0, 0, 1, 1}, 2, 5)
	for _, list := range [][]Scored{logOdds[0], mutual[0]} {
		got := ""
		for _, s := range list {
			got += s.Term
		}
		if got != "abcde" {
			t.Errorf("listed %q, want abcde", got)
		}
	}
}

func TestWordsOfEmptyAndOnlyClusters(t *testing.T) {
	docs := []text.Counts{{"a": 1, "b": 2}, {"a": 1}, {}}
	logOdds, mutual := Words(text.Collect(docs), []int{0, 0, 0}, 2, 30)
	if len(logOdds[1])+len(mutual[1]) > 0 {
		t.Errorf("words of an empty cluster: %v %v", logOdds[1], mutual[1])
	}
	if len(mutual[0]) == 0 || mutual[0][0].Term != "a" {
		t.Errorf("words of the only cluster: %v, want a first", mutual[0])
	}
}
