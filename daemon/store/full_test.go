package store

import (
	"errors"
	"strings"
	"testing"

	"nightjar/daemon/db"
)

// TestIsFull: a database that has no room says so, keeps what it has, and goes on when there is room.
func TestIsFull(t *testing.T) {
	s := open(t)
	s.mustTopic(t, "Hockey")
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
	if topics := mustCount(t, s, "SELECT count(*) FROM topics"); topics != 1 {
		t.Errorf("what was kept: %d topics", topics)
	}
	limit("1000000")
	if err := s.SetSetting(ctx, "large", large); err != nil {
		t.Errorf("with room again: %v", err)
	}
}
