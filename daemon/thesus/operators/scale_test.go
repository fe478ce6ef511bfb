package operators_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"nightjar/daemon/lab/linkfarm"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/links"
	"nightjar/daemon/thesus/operators"
)

// farm makes a database with NIGHTJAR_LINKS links, or 20,000, and a tenth as many pages. NIGHTJAR_LINKS_DB names a file to keep
// it in, and to read it from the next time.
func farm(b *testing.B) (*store.Store, int) {
	b.Helper()
	n, err := strconv.Atoi(os.Getenv("NIGHTJAR_LINKS"))
	if err != nil {
		n = 20_000
	}
	path := os.Getenv("NIGHTJAR_LINKS_DB")
	if path == "" {
		path = filepath.Join(b.TempDir(), "nightjar.db")
	}
	s, err := store.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	_, there, _, err := links.Counts(b.Context(), s.DB, 1<<40)
	if err == nil && there == 0 {
		_, err = linkfarm.Make(b.Context(), s, n/10, n, 1)
	}
	if err != nil {
		b.Fatal(err)
	}
	return s, n / 10
}

// ask draws a program with one operator: about single pages, sites of 40 pages, what is a link away from a page, and words
// that are about as frequent as words of a text.
func ask(rng *rand.Rand, pages int) string {
	page := func() string { return "[" + linkfarm.URL(rng.IntN(pages)) + "]" }
	site := func() string { return fmt.Sprintf("[http://site%d.test/*]", rng.IntN(max(1, pages/40))) }
	set := func() string {
		switch rng.IntN(4) {
		case 0:
			return page()
		case 1:
			return fmt.Sprintf("crawl(%s, 1)", page())
		}
		return site()
	}
	words := func() string {
		text := linkfarm.Word(rng.IntN(1 + rng.IntN(2000)))
		for range rng.IntN(3) {
			text += ", " + linkfarm.Word(rng.IntN(1+rng.IntN(2000)))
		}
		return "{" + text + "}"
	}
	from, to := "[]", set()
	if rng.IntN(2) == 0 {
		from, to = to, from
	}
	if rng.IntN(3) == 0 {
		from, to = set(), set()
	}
	all := []string{
		fmt.Sprintf("groupMatch(%s)", site()),
		fmt.Sprintf("crawl(%s, %d)", page(), []int{-1, 1, 2}[rng.IntN(3)]),
		fmt.Sprintf("thematicCrawl(%s, %s, %d)", set(), words(), []int{-2, -1, 1, 2, 3}[rng.IntN(5)]),
		fmt.Sprintf("linkKeywords(%s, %s)", page(), page()),
		fmt.Sprintf("groupKeywords(%s, %s)", from, to),
		fmt.Sprintf("weightedGroupKeywords(%s, %s)", from, to),
		fmt.Sprintf("weightedGroupKeywords(%s, %s, count=pairs)", from, to),
		fmt.Sprintf("weightedTargetKeywords(%s, %s)", from, to),
		fmt.Sprintf("weightedSourceKeywords(%s, %s)", from, to),
	}
	for _, op := range []string{"TAuthorities", "THubs", "TCocitations", "TCouplings"} {
		all = append(all, fmt.Sprintf("%s(%s, %d, %s)", op, set(), rng.IntN(4), words()), fmt.Sprintf("%s([], %d, %s)", op, 1+rng.IntN(4), words()))
	}
	return all[rng.IntN(len(all))]
}

// BenchmarkOperators measures a mix of operators and says which one was the slowest.
func BenchmarkOperators(b *testing.B) {
	s, pages := farm(b)
	engine := operators.New(s, operators.Options{})
	rng := rand.New(rand.NewPCG(1, 2))
	var took []time.Duration
	slowest := ""
	for b.Loop() {
		text := ask(rng, pages)
		start := time.Now()
		if _, err := engine.Run(b.Context(), text); err != nil {
			b.Fatalf("%s: %v", text, err)
		}
		took = append(took, time.Since(start))
		if took[len(took)-1] >= slices.Max(took) {
			slowest = text
		}
	}
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(took[len(took)/2]), "ms/p50")
	b.ReportMetric(ms(took[len(took)*95/100]), "ms/p95")
	b.ReportMetric(ms(took[len(took)-1]), "ms/max")
	b.Logf("slowest of %d: %s", len(took), slowest)
}

// BenchmarkOperatorsOnAll measures operators on all pages.
func BenchmarkOperatorsOnAll(b *testing.B) {
	s, _ := farm(b)
	engine := operators.New(s, operators.Options{Limit: time.Hour})
	for _, text := range []string{
		"[]", "[topic:Farm]", "crawl([http://site0.test/page0], 2)", "groupKeywords([], [])", "weightedGroupKeywords([], [])", "weightedTargetKeywords([], [])",
		"weightedSourceKeywords([], [])", "weightedTargetKeywords([], [topic:Farm])", "weightedTargetKeywords([], [http://site0.test/*])",
		"TAuthorities([], 3, {})", "THubs([], 3, {})",
	} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				if _, err := engine.Run(b.Context(), text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
