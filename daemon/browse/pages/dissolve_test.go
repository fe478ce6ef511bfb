package pages

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
)

// TestDissolveArchived dissolves a combined topic: what only its crawls asked goes from the archive.
func TestDissolveArchived(t *testing.T) {
	s, ids := withTopics(t)
	s.MustPost(t, "/topics/combine", url.Values{"topic": ids, "name": {"Ice"}})
	ice, err := topics.ByName(t.Context(), s.Store.DB, "Ice")
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.Save(t.Context(), s.Store.DB, s.Store.Erasures(), ice.ID, s.Bundle, models.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	crawl, err := crawls.Create(t.Context(), s.Store.DB, crawls.Crawl{TopicID: ice.ID, ModelID: m.ID, Strategy: "hmm"})
	if err != nil {
		t.Fatal(err)
	}
	fetched := func(crawl int64, n int, address string) {
		s.Exec(t, `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at) VALUES (?, ?, ?, ?, ?, 'ok', 1)`, crawl, n, address, address, weburl.Host(address))
		s.Exec(t, `INSERT OR IGNORE INTO contacts (crawl_id, host, purpose, first_at, last_at) VALUES (?, ?, 'page', 1, 1)`, crawl, weburl.Host(address))
	}
	fetched(crawl, 1, "http://only.test/page")
	fetched(crawl, 2, "http://both.test/only")
	fetched(crawl, 3, "http://both.test/both")
	fetched(s.Crawl, 5001, "http://both.test/both")
	for _, address := range []string{"http://only.test/robots.txt", "http://only.test/page", "http://both.test/robots.txt", "http://both.test/only", "http://both.test/both"} {
		s.MustArchive(t, webtest.Sent(t, address, "<p>"+address))
	}
	s.Exec(t, `UPDATE crawls SET status = 'ended'`)
	s.MustPost(t, "/topics/"+strconv.FormatInt(ice.ID, 10)+"/dissolve", nil)
	all := webtest.Unpacked(t, s.Archive.Dir())
	for word, want := range map[string]bool{"only.test": false, "both.test/only": false, "both.test/both": true, "both.test/robots.txt": true} {
		if strings.Contains(all, word) != want {
			t.Errorf("%s is in the archive: %v", word, !want)
		}
	}
}
