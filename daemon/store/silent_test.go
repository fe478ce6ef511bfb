package store

import (
	"testing"
	"time"
)

// TestSilentErased: erasing a site forgets that it asked to be left alone, and nothing else.
func TestSilentErased(t *testing.T) {
	s, _ := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	at := time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	err := s.PutSilent(t.Context(), map[string]time.Time{"a.test": at, "www.a.test:8080": at, "nota.test": at, "b.test": at})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.EraseHost(t.Context(), "a.test"); err != nil {
		t.Fatal(err)
	}
	got, err := s.Silent(t.Context())
	if err != nil || len(got) != 2 || !got["b.test"].Equal(at) {
		t.Errorf("%v, %v", got, err)
	}
}
