package pages

import (
	"log/slog"
	"testing"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/morning/reason"
	"nightjar/daemon/night/crawls"
)

// Reasons of an older form are worked out again once, and keep the page that they name.
func TestOldReasonsAreWorkedOutAgain(t *testing.T) {
	s := seed(t)
	log := slog.New(slog.DiscardHandler)
	s.Exec(t, `INSERT INTO contents (hash, gzip) VALUES (x'07', ?)`, protocol.Pack([]byte("<title>Tides</title><p>The barrage turns the tide into power.")))
	s.Exec(t, `UPDATE fetches SET content_hash = x'07' WHERE id IN (SELECT fetch_id FROM finds)`)
	s.Exec(t, `DELETE FROM settings WHERE key = 'reasons_form'`)
	s.Exec(t, `INSERT OR REPLACE INTO reasons (find_id, words, passage, like_url, like_title)
		SELECT id, '["qwertz"]', 'old', 'http://like.test/', 'Like' FROM finds`)
	all := s.Count(t, `SELECT count(*) FROM finds`)
	reason.Fill(t.Context(), s.Store, log)
	if n := s.Count(t, `SELECT count(*) FROM reasons WHERE passage <> 'old' AND words NOT LIKE '%qwertz%' AND like_title = 'Like'`); n != all || n < 2 {
		t.Errorf("%d of %d reasons were worked out again", n, all)
	}
	s.Exec(t, `UPDATE reasons SET passage = 'mine'`)
	s.Exec(t, `DELETE FROM reasons WHERE find_id = (SELECT max(id) FROM finds)`)
	reason.Fill(t.Context(), s.Store, log)
	if n := s.Count(t, `SELECT count(*) FROM reasons WHERE passage = 'mine'`); n != all-1 {
		t.Errorf("%d of %d reasons are as they were", n, all-1)
	}
	if n := s.Count(t, `SELECT count(*) FROM reasons`); n != all {
		t.Errorf("%d of %d finds have a reason", n, all)
	}
	var crawl crawls.Crawl
	if err := s.DB.QueryRow(`SELECT id, topic_id, model_id FROM crawls WHERE id = ?`, s.Crawl).Scan(&crawl.ID, &crawl.TopicID, &crawl.ModelID); err != nil {
		t.Fatal(err)
	}
	if next, err := reason.Again(t.Context(), s.Store, crawls.Crawl{ID: crawl.ID + 1, TopicID: crawl.TopicID, ModelID: crawl.ModelID}, 0); err != nil || next != 0 {
		t.Error(next, err)
	}
	if n := s.Count(t, `SELECT count(*) FROM reasons WHERE passage = 'mine'`); n != all-1 {
		t.Errorf("the end of another crawl left %d of %d reasons", n, all-1)
	}
	next, err := reason.Again(t.Context(), s.Store, crawl, 0)
	if err != nil || next == 0 {
		t.Error(next, err)
	}
	if next, err = reason.Again(t.Context(), s.Store, crawl, next); err != nil || next != 0 {
		t.Error(next, err)
	}
	if n := s.Count(t, `SELECT count(*) FROM reasons WHERE passage = 'mine'`); n != 0 {
		t.Errorf("at the end of their crawl, %d reasons are as they were", n)
	}
}
