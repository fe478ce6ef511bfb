package finds

import (
	"errors"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store/storetest"
)

// TestCopyOf: the copy of a find is what the crawl read after redirects.
func TestCopyOf(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{})
	fetch := storetest.Fetched(t, s, c.ID, 1, "http://a.test/1", "http://a.test/2", "<p>ice")
	storetest.Change(t, s, `INSERT INTO finds (id, topic_id, crawl_id, fetch_id, url, title, snippet, similarity, found_at, useful)
		VALUES (1, ?, ?, ?, 'http://a.test/2', 'Ice', '', 1, 1, 1)`, c.TopicID, c.ID, fetch)
	kept, err := CopyOf(t.Context(), s.DB, 1)
	if err != nil || kept.URL != "http://a.test/2" || kept.Title != "Ice" || string(kept.HTML) != "<p>ice" || kept.At.IsZero() || kept.Rendered {
		t.Errorf("copy %+v, %v", kept, err)
	}
	if _, err := CopyOf(t.Context(), s.DB, 999); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a find that there is not: %v", err)
	}
}
