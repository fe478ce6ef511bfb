package bench

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"nightjar/daemon/protocol"
	"nightjar/daemon/session"
	"nightjar/daemon/session/sessiontest"
)

// TestVisited: with visited pages, the oracle and the crawls begin at the links of the session's pages on the start page's site, which
// cost nothing.
func TestVisited(t *testing.T) {
	dir := t.TempDir()
	urls := []string{"http://a.test/", "http://a.test/hub", "http://a.test/leaf", "http://a.test/marked", "http://a.test/one", "http://a.test/two",
		"http://b.test/far", "http://b.test/three"}
	record(t, dir, "w.warc.gz", urls, map[string][]string{
		"http://a.test/": {"http://a.test/hub", "http://b.test/far"}, "http://a.test/hub": {"http://a.test/leaf", "http://a.test/marked"},
		"http://a.test/leaf": {"http://a.test/one", "http://a.test/two"}, "http://b.test/far": {"http://b.test/three"},
	})
	write(t, dir, "labels.tsv", "http://a.test/one\tx\nhttp://a.test/two\tx\nhttp://b.test/three\tx\nhttp://a.test/marked\tx\n")
	m := sessiontest.NewMaker(1, time.Date(2026, 5, 3, 20, 0, 0, 0, time.UTC))
	events := []protocol.Event{m.Start("x")}
	for _, url := range []string{"http://a.test/hub", "http://a.test/leaf", "http://b.test/far", "http://a.test/marked"} {
		v := m.Visit(url, "", protocol.HowTyped, "")
		events = append(events, v, m.Snapshot(v.Page, []byte("<p>This page is about "+url)))
	}
	events = append(events, m.Of(protocol.Useful, events[len(events)-2].Page, ""), m.Event(protocol.Submit))
	f, err := os.Create(filepath.Join(dir, "s.session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := session.Write(f, events); err != nil {
		t.Fatal(err)
	}
	task := Task{Corpus: []string{"w.warc.gz"}, Labels: []string{"labels.tsv"}, Relevant: []string{"x"}, Sessions: []string{"s.session.jsonl"},
		Starts: []string{"http://a.test/"}, Budget: 10, Strategies: []string{"breadth-first"}}
	for _, c := range []struct {
		visited       bool
		oracle, crawl []float64 // recall after 1, 2, … pages
	}{
		// the start page, far, three, hub, leaf, one, two
		{false, []float64{0, 0, 1. / 3, 1. / 3, 1. / 3, 2. / 3, 1}, []float64{0, 0, 0, 0, 0, 1. / 3, 2. / 3, 1}},
		// one, two; the start page, far, three
		{true, []float64{1. / 3, 2. / 3, 2. / 3, 2. / 3, 1}, []float64{0, 1. / 3, 2. / 3, 2. / 3, 1}},
	} {
		task.Visited = c.visited
		result := mustRun(t, runner(t, dir), task, Free)
		for name, want := range map[string][]float64{Oracle: c.oracle, "breadth-first": c.crawl} {
			var got []float64
			for _, at := range result.named(t, name).Recalled {
				got = append(got, at[1])
			}
			if got = got[:min(len(got), len(want))]; !slices.Equal(got, want) {
				t.Errorf("visited %v: %s recalled %v, want %v", c.visited, name, got, want)
			}
		}
	}
}
