//go:build measure

package bench

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/panorama/bookmarks"
)

// TestBookmarksAgainstWalks: sessions made of bookmarks of a category, without a walk, against recorded walks with as many marks. Each
// crawls for the rest of the category. Printed is the area under recall, as a part of the oracle's, of both; their ratio must be at
// least .8 in the mean over the categories.
func TestBookmarksAgainstWalks(t *testing.T) {
	dir := os.Getenv("NIGHTJAR_CORPORA")
	if dir == "" {
		t.Skip("left out: $NIGHTJAR_CORPORA names no folder of recorded webs")
	}
	const wiki = "http://wikispeedia.test/wp/"
	starts := []string{wiki + "e/Earth.htm", wiki + "e/Europe.htm", wiki + "s/Science.htm"}
	files, labels := []string{"wikispeedia/articles.warc.gz"}, []string{"wikispeedia/labels.tsv"}
	for _, n := range []int{10, 30} {
		var walks, kept float64
		for _, label := range []string{"subject.Science.Biology.Mammals", "subject.Science.Biology.Plants", "subject.Design_and_Technology.Railway_transport"} {
			for seed := range uint64(2) {
				one := Task{Name: label, Corpus: files, Labels: labels, Relevant: []string{label}, Starts: starts, Budget: 400, Strategies: []string{strategy.Auto}, Seeds: []uint64{seed + 1}}
				walked := one
				walked.Walks = []Walk{{Corpus: files, Labels: labels, Starts: starts, Pages: 7 * n, Targets: n}}
				one.Sessions = []string{keep(t, dir, &one, n)}
				w, b := areaOf(t, dir, walked), areaOf(t, dir, one)
				t.Logf("%d marks, %s, seed %d: walk %.3f, bookmarks %.3f, ratio %.2f", n, label, seed+1, w, b, b/w)
				walks, kept = walks+w, kept+b
			}
		}
		t.Logf("%d marks: bookmarks reach %.2f of walks", n, kept/walks)
		if kept < .8*walks {
			t.Errorf("%d bookmarks reach %.2f of a walk", n, kept/walks)
		}
	}
}

// areaOf runs a task and returns its area, as a part of the oracle's.
func areaOf(t *testing.T, dir string, one Task) float64 {
	t.Helper()
	res, err := runner(t, dir).Run(t.Context(), one, Free)
	if err != nil {
		t.Fatal(err)
	}
	return res.Strategies[1].AreaVsOracle
}

// keep writes a session of n bookmarks of a category, drawn by the seed, and returns its file.
func keep(t *testing.T, dir string, of *Task, n int) string {
	t.Helper()
	l := NewLibrary(dir, t.Logf)
	defer l.close()
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
	return f.Name()
}
