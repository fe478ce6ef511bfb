//go:build measure

package bench

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/panorama/bookmarks"
	"nightjar/model/measure"
)

// kept is a web with categories of pages that a person may have kept.
type kept struct {
	files, labels, starts []string
}

var (
	wikispeedia = kept{[]string{"wikispeedia/articles.warc.gz"}, []string{"wikispeedia/labels.tsv"},
		[]string{"http://wikispeedia.test/wp/e/Earth.htm", "http://wikispeedia.test/wp/e/Europe.htm", "http://wikispeedia.test/wp/s/Science.htm"}}
	uic = kept{[]string{"uic/uic.warc.gz"}, []string{"uic/uic.labels.tsv"}, []string{"https://www.cs.uic.edu/", "http://www.uic.edu/"}}
)

// keptCategories are the categories by the number of bookmarks. Categories of Wikispeedia have too few pages for 100 bookmarks, so some
// are joined there. Mammals and railways are left out: how many pages around bookmarks are fetched was chosen on them.
var keptCategories = map[int]map[string]kept{
	10:  smallCategories,
	30:  smallCategories,
	100: {"subject.Science.Biology": wikispeedia, "subject.Science.Physics": wikispeedia, "event": uic, "person": uic, "medical-education": uic},
}

var smallCategories = map[string]kept{
	"subject.Science.Biology.Plants": wikispeedia, "subject.Science.Biology.Health_and_medicine": wikispeedia,
	"subject.People.Historical_figures": wikispeedia, "subject.Science.Physics.Space_Astronomy": wikispeedia,
	"event": uic, "person": uic, "medical-education": uic,
}

// TestBookmarksAgainstWalks: sessions made of bookmarks of a category, without a walk, against simulated walks with as many marks over
// seven times as many pages, since a session of bookmarks has six pages around each useful one. Each crawls for the rest of the category
// from the pages that are proposed after it: a walk's are the pages where it began. The result of a crawl is the mean recall after
// 1, 2, ... pages. The ratio of the results must be at least .8 over the categories.
func TestBookmarksAgainstWalks(t *testing.T) {
	dir := os.Getenv("NIGHTJAR_CORPORA")
	if dir == "" {
		t.Skip("left out: $NIGHTJAR_CORPORA names no folder of recorded webs")
	}
	r := runner(t, dir)
	if err := r.open(); err != nil {
		t.Fatal(err)
	}
	defer r.close()
	for _, n := range []int{10, 30, 100} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var walks, ours []float64
			for _, label := range slices.Sorted(maps.Keys(keptCategories[n])) {
				of := keptCategories[n][label]
				one := Task{Name: label, Corpus: of.files, Labels: joined(t, r.library, of), Relevant: []string{label}, Starts: of.starts, Budget: 400, Strategies: []string{strategy.Auto}}
				var walk, own float64
				for _, seed := range []uint64{1, 2} {
					one.Seeds = []uint64{seed}
					one.Sessions, one.Walks = nil, []Walk{{Corpus: of.files, Labels: one.Labels, Starts: of.starts, Pages: 7 * n, Targets: n}}
					walk += areaOf(t, r, one, of.starts) / 2
					file, starts := keep(t, r.library, &one, n)
					one.Sessions, one.Walks = []string{file}, nil
					own += areaOf(t, r, one, starts) / 2
				}
				t.Logf("| %d | %s | %.2f | %.2f | %.2f |", n, label, walk, own, own/walk)
				walks, ours = append(walks, walk), append(ours, own)
			}
			f := quotient(ours, walks)
			t.Logf("| %d | all | | | %.2f (%.2f to %.2f) |", n, f.Value, f.Low, f.High)
			if f.Value < .8 {
				t.Errorf("%d bookmarks reach %.2f of a walk", n, f.Value)
			}
		})
	}
}

// proposed is the number of start pages that are ticked unless the person chooses others.
const proposed = 3

// quotient is Σ a / Σ b, with the interval of the linear approximation (Cochran 1977, Sampling Techniques, §6.3).
func quotient(a, b []float64) measure.Figure {
	var over, under float64
	for i := range a {
		over, under = over+a[i], under+b[i]
	}
	each := make([]float64, len(a))
	for i := range a {
		each[i] = over/under + (a[i]-over/under*b[i])*float64(len(b))/under
	}
	return measure.Mean(each, nil)
}

// joined writes the labels of a web, and for each label of many parts, those of its first three.
func joined(t *testing.T, l *Library, of kept) []string {
	t.Helper()
	all, err := os.ReadFile(l.paths(of.labels)[0])
	if err != nil {
		t.Fatal(err)
	}
	text := string(all)
	for line := range strings.Lines(text) {
		url, label, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if parts := strings.Split(label, "."); len(parts) > 3 {
			text += url + "\t" + strings.Join(parts[:3], ".") + "\n"
		}
	}
	return []string{write(t, t.TempDir(), "labels.tsv", text)}
}

// areaOf measures a task of one seed from start pages and returns the mean recall. The oracle's pages are not fetched.
func areaOf(t *testing.T, r *Runner, one Task, starts []string) float64 {
	t.Helper()
	if err := one.complete(); err != nil {
		t.Fatal(err)
	}
	trials, err := r.prepare(t.Context(), &one)
	if err != nil {
		t.Fatal(err)
	}
	web, err := r.library.web(t.Context(), one.Corpus, one.Starts)
	if err != nil {
		t.Fatal(err)
	}
	trials[0].Starts, trials[0].total = starts, web.From(starts).Count(set(trials[0].Relevant))
	if err := writeJSON(trials[0].file(filepath.Dir(trials[0].Model)), trials[0]); err != nil {
		t.Fatal(err)
	}
	runs, err := r.measure(t.Context(), &one, trials, Free, map[string][]*run{Oracle: {{}}})
	if err != nil {
		t.Fatal(err)
	}
	return summarise(&one, trials, runs, Free).named(t, strategy.Auto).Area
}

// keep writes a session of n bookmarks of a category, drawn by the seed. It returns its file and the start pages that the dashboard
// proposes: those that led to most useful pages.
func keep(t *testing.T, l *Library, of *Task, n int) (file string, starts []string) {
	t.Helper()
	replay, err := l.Replay(of.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	labels, err := l.Labels(of.Labels, of.Corpus, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for url := range labels.With(of.Relevant[0]) {
		all = append(all, url)
	}
	slices.Sort(all)
	rng := rand.New(rand.NewPCG(of.Seeds[0], 7))
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	var chosen []bookmarks.Chosen
	for _, url := range all[:n] {
		chosen = append(chosen, bookmarks.Chosen{Link: bookmarks.Link{URL: url, Title: url}, Useful: true})
	}
	g := bookmarks.Gatherer{Fetch: replay, Refuse: func(string) string { return "" }, Note: func(bookmarks.Progress) {}, Now: func() time.Time { return corpus.Epoch }}
	pages, failed, err := g.Gather(t.Context(), chosen)
	if err != nil || len(failed) > 0 {
		t.Fatal(failed, err)
	}
	events, _ := bookmarks.Events("Kept", pages, corpus.Epoch, rng)
	f, err := os.Create(filepath.Join(t.TempDir(), "kept.session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := session.Write(f, events); err != nil {
		t.Fatal(err)
	}
	recs, err := session.Fold(events)
	if err != nil {
		t.Fatal(err)
	}
	var steps []session.Step
	for _, v := range recs[0].Visits {
		steps = append(steps, session.Step{Load: v.Load, From: v.From, How: v.How, URL: v.URL, Useful: v.Useful})
	}
	led := session.Leads(steps)
	starts = recs[0].EntryPages()
	slices.SortStableFunc(starts, func(a, b string) int {
		return cmp.Or(cmp.Compare(led[b], led[a]), cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	return f.Name(), starts[:min(proposed, len(starts))]
}
