package scheduler

import (
	"bytes"
	"database/sql"
	"log/slog"
	"strings"
	"testing"

	"nightjar/daemon/learn/marks"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// one reads a number from the database.
func (w *world) one(t *testing.T, text string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(w.st.Path())+"?mode=ro&_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(text).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestLinkValueGoesOn: a crawl with link-value is interrupted after it has learned, and its finds are marked while it runs.
// Nothing is lost, fetched twice or forgotten, and finds say why their links were followed.
func TestLinkValueGoesOn(t *testing.T) {
	w := mustWorld(t, evening)
	w.pages, w.step = 120, 0
	w.mustSettings(t, func(s *settings.Settings) { s.Strategy = "link-value" })
	topic := w.mustTopic(t, "hockey")
	var log bytes.Buffer
	held := w.holdNth(70)
	o := Options{Log: slog.New(slog.NewTextHandler(&log, nil))}
	s, stop := w.start(t, o)
	if _, err := s.RunNow(t.Context(), topic, 0); err != nil {
		t.Fatal(err)
	}
	<-held.reached
	views, err := finds.List(t.Context(), w.st.DB, finds.Filter{})
	if err != nil || len(views) < 10 {
		t.Fatalf("%d finds, %v", len(views), err)
	}
	for i, v := range views[:6] {
		if err := marks.Put(t.Context(), w.st.DB, v.ID, []string{store.MarkUseful, store.MarkNotUseful}[i%2]); err != nil {
			t.Fatal(err)
		}
	}
	stop()
	if n := w.one(t, "SELECT count(*) FROM learned"); n != 1 {
		t.Fatalf("%d states are kept", n)
	}
	if n := w.one(t, "SELECT count(*) FROM frontier WHERE status = 'queued' AND note IS NULL"); n != 0 {
		t.Errorf("%d links wait without a note", n)
	}
	w.start(t, o)
	c := w.mustEnd(t, topic, 1)
	if c.StopReason != "no links left" || c.Totals.Fetched != 121 || c.Strategy != "link-value" {
		t.Errorf("%+v", c)
	}
	if got := len(w.fetched()); got != 122 { // the one that was held, twice
		t.Errorf("%d fetches of 121 pages", got)
	}
	if view, err := crawls.ByID(t.Context(), w.st.DB, c.ID); err != nil || view.Learned < 100 {
		t.Errorf("learned last from %d pages, %v", view.Learned, err)
	}
	if n := w.one(t, `SELECT count(*) FROM fetches WHERE parent_id IS NOT NULL
		AND why = '[]' AND chosen NOT LIKE '%"compared":%' AND json_extract(chosen, '$.waiting') <> 1`); n != 0 { // a link without a part is like all that waited, or waited alone
		t.Errorf("%d pages without a reason", n)
	}
	if n := w.one(t, "SELECT count(*) FROM learned"); n != 1 {
		t.Errorf("%d states are kept for the next night, want one", n)
	}
	if strings.Contains(log.String(), "cannot be read") {
		t.Error(log.String())
	}
}
