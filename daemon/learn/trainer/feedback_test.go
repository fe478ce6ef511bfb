package trainer

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/crawler/warc"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/recording"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
)

// recordedWeb returns a replay of a hub page that links to pages that no session visited.
func recordedWeb(t *testing.T) *recording.Replay {
	t.Helper()
	return record(t, [][2]string{
		{"http://new.test/hub", `<title>Hub</title><p>a map of the harbour forest and mountain<a href="/good">good</a> <a href="/bad">bad</a>`},
		{"http://new.test/good", `<title>Good</title><p>` + strings.Repeat("forest tree moss fern ", 9)},
		{"http://new.test/bad", `<title>Bad</title><p>` + strings.Repeat("forest tree moss lichen ", 9)},
	})
}

// record returns a replay of pages: addresses and HTML.
func record(t *testing.T, pages [][2]string) *recording.Replay {
	t.Helper()
	var stored bytes.Buffer
	w := warc.NewWriter(&stored)
	for _, p := range pages {
		header := http.Header{"Content-Type": {"text/html; charset=utf-8"}}
		if err := w.Response(p[0], start, http.StatusOK, header, []byte(p[1])); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "web.warc.gz")
	if err := os.WriteFile(name, stored.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	replay, report, err := recording.Open([]string{name})
	if err != nil {
		t.Fatal(report, err)
	}
	t.Cleanup(func() { replay.Close() })
	return replay
}

// mustCrawl crawls the recorded web with the topic's model and returns the ids of the finds by URL.
func mustCrawl(t *testing.T, st *store.Store, topic topics.Topic, m *models.Model) map[string]int64 {
	t.Helper()
	return mustCrawlOver(t, st, topic, m, recordedWeb(t), "http://new.test/hub")
}

// mustCrawlOver is mustCrawl over another recorded web.
func mustCrawlOver(t *testing.T, st *store.Store, topic topics.Topic, m *models.Model, web *recording.Replay, starts ...string) map[string]int64 {
	t.Helper()
	b, err := m.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	s, err := strategy.New(t.Context(), "hmm", b)
	if err != nil {
		t.Fatal(err)
	}
	c := crawls.Crawl{TopicID: topic.ID, ModelID: m.ID, Strategy: "hmm", Options: crawls.Options{Starts: starts}}
	if c.ID, err = crawls.Create(t.Context(), st.DB, c); err != nil {
		t.Fatal(err)
	}
	if err := crawls.Start(t.Context(), st.DB, c.ID); err != nil {
		t.Fatal(err)
	}
	finds := map[string]int64{}
	journal := crawls.NewJournal(st.DB, c)
	var last int64
	journal.OnFind = func(id int64) { last = id }
	_, err = crawler.Run(t.Context(), web, s, crawler.Options{
		Starts: starts, Journal: journal,
		OnFetch: func(f *crawler.Fetch) {
			if f.Find() {
				finds[f.FinalURL] = last
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return finds
}

func TestMarksOnFindsTrainTheNextModel(t *testing.T) {
	st := mustStore(t)
	tr, _ := mustTrainer(t, st)
	topic := mustIngest(t, st, walk(1, 8, 1)) // the useful page is about the forest
	first, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	finds := mustCrawl(t, st, topic, first)
	good, bad := finds["http://new.test/good"], finds["http://new.test/bad"]
	if good == 0 || bad == 0 {
		t.Fatalf("finds %v; want both new pages", finds)
	}
	if err := marks.Put(t.Context(), st.DB, good, store.MarkUseful); err != nil {
		t.Fatal(err)
	}
	if err := marks.Put(t.Context(), st.DB, bad, store.MarkNotUseful); err != nil {
		t.Fatal(err)
	}
	if stale, err := tr.Stale(t.Context(), topic.ID); err != nil || !stale {
		t.Fatalf("stale = %v, %v after marks", stale, err)
	}
	second, err := tr.Train(t.Context(), topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	b, err := second.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	target := map[string]string{}
	index := map[string]int{}
	for i, p := range b.Pages {
		target[p.URL], index[p.URL] = fmt.Sprint(p.Target), i
	}
	for url, want := range map[string]string{
		"http://new.test/good": "true", "http://new.test/bad": "false", "http://new.test/hub": "false",
	} {
		if target[url] != want {
			t.Errorf("%s: target = %q, want %s", url, target[url], want)
		}
	}
	trail := [2]int{index["http://new.test/hub"], index["http://new.test/good"]}
	found := false
	for _, e := range b.Edges {
		found = found || e == trail
	}
	if !found {
		t.Errorf("the trail's link is not in the graph: %v", b.Edges)
	}
	if err := marks.Put(t.Context(), st.DB, good, store.MarkNone); err != nil {
		t.Fatal(err)
	}
	third, err := tr.Train(t.Context(), topic.ID)
	if err != nil || third.Facts.Targets != 1 {
		t.Errorf("after the mark was removed: %+v, %v; want one target", third, err)
	}
}
