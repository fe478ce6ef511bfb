package store

import (
	"maps"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
)

// TestSilentErased: erasing a site forgets that it asked to be left alone, and nothing else.
func TestSilentErased(t *testing.T) {
	s, _ := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	at := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	err := s.SetSetting(t.Context(), silentKey, map[string]time.Time{"a.test": at, "www.a.test:8080": at, "nota.test": at, "b.test": at})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.EraseHost(t.Context(), "a.test"); err != nil {
		t.Fatal(err)
	}
	got, err := s.Silences(t.Context())
	if err != nil || len(got) != 2 || !got["b.test"].Equal(at) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestSilentCommitted: a batch keeps until when its hosts must be left alone, together with what it records, the
// longest time of several, and drops what is over.
func TestSilentCommitted(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	now := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	s.Now = func() time.Time { return now }
	j := s.Journal(c)
	asked := func(url string, wait time.Duration) fetch.Exchange {
		return fetch.Exchange{URL: url, Purpose: fetch.ForRobots, At: now, Until: now.Add(wait)}
	}
	mustCommit(t, j, &crawler.Batch{
		Fetches: []*crawler.Fetch{{N: 1, URL: "http://a.test/", FinalURL: "http://a.test/", Response: fetch.Response{
			Outcome: fetch.Status, Exchanges: []fetch.Exchange{asked("http://a.test/", time.Hour), {URL: "http://quick.test/", At: now}},
		}}},
		Exchanges: []fetch.Exchange{asked("http://b.test/robots.txt", 10*time.Minute)},
	})
	want := map[string]time.Time{"a.test": now.Add(time.Hour), "b.test": now.Add(10 * time.Minute)}
	if got, err := s.Silences(t.Context()); err != nil || !maps.EqualFunc(got, want, time.Time.Equal) {
		t.Errorf("after the first batch: %v, %v; want %v", got, err, want)
	}
	now = now.Add(20 * time.Minute)
	mustCommit(t, j, &crawler.Batch{Exchanges: []fetch.Exchange{asked("http://a.test/x", time.Minute), asked("http://c.test/", time.Hour)}})
	delete(want, "b.test")
	want["c.test"] = now.Add(time.Hour)
	if got, err := s.Silences(t.Context()); err != nil || !maps.EqualFunc(got, want, time.Time.Equal) {
		t.Errorf("after the second batch: %v, %v; want %v", got, err, want)
	}
}
