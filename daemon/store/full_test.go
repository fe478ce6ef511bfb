package store

import (
	"errors"
	"strings"
	"testing"

	"nightjar/daemon/db"
)

// TestIsFull: a database that has no room says so, keeps what it has, and goes on when there is room.
func TestIsFull(t *testing.T) {
	s, _ := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	ctx := t.Context()
	limit := func(pages string) {
		must(s.Writer.ExecContext(ctx, "PRAGMA max_page_count = "+pages))(t)
	}
	limit("1") // as many as there are: it cannot be less
	large := strings.Repeat("x", 1<<20)
	err := s.SetSetting(ctx, "large", large)
	if !db.IsFull(err) {
		t.Errorf("a full database says %v", err)
	}
	if db.IsFull(nil) || db.IsFull(errors.New("database or disk is full")) {
		t.Error("anything is a full database")
	}
	if crawls, err := s.OpenCrawls(ctx); err != nil || len(crawls) != 1 {
		t.Errorf("what was kept: %d crawls, %v", len(crawls), err)
	}
	limit("1000000")
	if err := s.SetSetting(ctx, "large", large); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
