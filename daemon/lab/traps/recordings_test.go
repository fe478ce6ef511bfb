//go:build measure

package traps_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
	"nightjar/daemon/learn/trainer"
	"nightjar/model"
)

// recorded is a search on a recording of real sites by link-value, which learned from a walk over the same sites.
type recorded struct {
	web, label, start string
	labels            string // file; without one, pages with the label in their address have it
	budgets           []int
}

// TestGuardCostsNothingOnRecordings: on real sites a guard refuses next to nothing, so a crawl finds what it finds without.
func TestGuardCostsNothingOnRecordings(t *testing.T) {
	leaveOutRaced(t)
	root := os.Getenv("NIGHTJAR_CORPORA")
	if root == "" {
		t.Skip("left out: NIGHTJAR_CORPORA does not name the folder of recorded webs")
	}
	washington, uic := "http://www.cs.washington.edu/", "https://www.cs.uic.edu/"
	var all, guarded int
	for _, r := range []recorded{
		{web: "webkb/washington", label: "course", start: washington, labels: "webkb/washington", budgets: []int{400}},
		{web: "webkb/washington", label: "student", start: washington, labels: "webkb/washington", budgets: []int{400}},
		{web: "uic/uic", label: "person", start: uic, labels: "uic/uic", budgets: []int{400, 1000}},
		{web: "uic/uic", label: "event", start: uic, labels: "uic/uic", budgets: []int{400}},
		{web: "uic/uic", label: "unit-news", start: uic, labels: "uic/uic", budgets: []int{1000}},
		{web: "docs/www.postgresql.org", label: "/functions-", start: "http://www.postgresql.org/docs/15/index.html", budgets: []int{400}},
		{web: "docs/docs.djangoproject.com", label: "/howto/", start: "http://docs.djangoproject.com/en/3.2/index.html", budgets: []int{400}},
	} {
		a, b := r.mustCompare(t, root)
		all, guarded = all+a, guarded+b
	}
	t.Logf("together: %d pages about the topics, %d with a guard", all, guarded)
	if guarded*100 < all*98 {
		t.Errorf("a guard costs %d of %d pages about the topics", all-guarded, all)
	}
}

// mustCompare returns how many pages about the topic are found without a guard and with one, over all budgets.
func (r recorded) mustCompare(t *testing.T, root string) (all, guarded int) {
	t.Helper()
	replay, _, err := recording.Open([]string{filepath.Join(root, r.web+".warc.gz")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := replay.Close(); err != nil {
			t.Error(err)
		}
	}()
	labels := r.mustLabel(t, root, replay.Pages())
	events, _, err := corpus.Walk(t.Context(), replay, labels, corpus.WalkOptions{Relevant: r.label, Starts: []string{r.start}, Pages: 60, Targets: 10, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	recs, err := session.Fold(events)
	if err != nil {
		t.Fatal(err)
	}
	b, err := model.Train(t.Context(), trainer.Set(r.label, recs, nil), model.DefaultSettings(), nil)
	if err != nil {
		t.Fatal(err)
	}
	relevant := maps.Clone(labels.With(r.label))
	for _, p := range b.Pages {
		delete(relevant, p.URL)
	}
	for _, budget := range r.budgets {
		without, _ := r.mustCrawl(t, replay, b, budget, nil, relevant)
		with, refused := r.mustCrawl(t, replay, b, budget, trap.New(trap.Options{Pages: budget, Starts: []string{r.start}}), relevant)
		t.Logf("%s, %s, budget %d: %d pages about the topic, %d with a guard, which refused %v", r.web, r.label, budget, without, with, refused)
		all, guarded = all+without, guarded+with
	}
	return all, guarded
}

func (r recorded) mustLabel(t *testing.T, root string, pages []string) *corpus.Labels {
	t.Helper()
	file := filepath.Join(root, r.labels+".labels.tsv")
	if r.labels == "" {
		file = filepath.Join(t.TempDir(), "labels.tsv")
		var b strings.Builder
		for _, u := range slices.Sorted(slices.Values(pages)) {
			if strings.Contains(u, r.label) {
				b.WriteString(u + "\t" + r.label + "\n")
			}
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	labels, err := corpus.ReadLabels([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	return labels
}

// mustCrawl returns how many different relevant pages come and how many links the guard refused when their turn came.
func (r recorded) mustCrawl(t *testing.T, replay *recording.Replay, b *model.Bundle, budget int, guard *trap.Guard, relevant map[string]bool) (found int, refused map[string]int) {
	t.Helper()
	s, err := strategy.New(t.Context(), "link-value", b)
	if err != nil {
		t.Fatal(err)
	}
	came := map[string]bool{}
	got, err := crawler.Run(t.Context(), replay, s, crawler.Options{
		Starts: []string{r.start}, Budget: crawler.Budget{Pages: budget}, Trap: guard,
		OnFetch: func(f *crawler.Fetch) {
			if f.Response.Outcome == fetch.OK && relevant[f.FinalURL] && !came[f.FinalURL] {
				came[f.FinalURL] = true
				found++
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return found, got.Refused
}
