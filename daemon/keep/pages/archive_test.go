package pages

import (
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"nightjar/crawler/archive"
	"nightjar/daemon/lab/webtest"
)

// TestPrune: the page shows the size of the archive, and a button deletes the files beyond its limit.
func TestPrune(t *testing.T) {
	s := seed(t)
	if got := webtest.Text(s.Page(t, "/settings").Find("#archive")); strings.Contains(got, "Used now") {
		t.Errorf("an empty archive: %q", got)
	}
	s.MustArchive(t, webtest.Sent(t, "http://a.test/", "<p>one"))
	if err := s.Archive.Finish(); err != nil {
		t.Fatal(err)
	}
	if got := webtest.Text(s.Page(t, "/settings").Find("#archive")); !strings.Contains(got, "in 1 file, the oldest of") {
		t.Errorf("used: %q", got)
	}
	if to := s.MustPost(t, "/settings/archive/prune", nil); to != "/settings?done=nothing-pruned" {
		t.Errorf("within the limit: %s", to)
	}
	s.Clock = s.Clock.AddDate(0, 0, 1)
	if err := s.Archive.Begin(archive.About{}); err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, 1<<20)
	rand.NewChaCha8([32]byte{}).Read(noise)
	s.MustArchive(t, webtest.Sent(t, "http://a.test/large", string(noise)))
	if err := s.Archive.Finish(); err != nil {
		t.Fatal(err)
	}
	settings, err := s.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.Archive.Megabytes = 1
	if err := s.Store.SaveSettings(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	if to := s.MustPost(t, "/settings/archive/prune", nil); to != "/settings?done=pruned" {
		t.Errorf("beyond the limit: %s", to)
	}
	if got := webtest.Text(s.Page(t, "/settings").Find("#archive")); !strings.Contains(got, "in 1 file, the oldest of") {
		t.Errorf("after it: %q", got)
	}
}

// TestEraseSiteArchived erases a site of which the archive alone holds some: no byte of it is left, and copies of other
// sites' pages are found where they have come to.
func TestEraseSiteArchived(t *testing.T) {
	s := seed(t)
	find, fetchID, address := s.AnyFind(t)
	const host = "canary.test"
	same := webtest.Sent(t, "http://"+host+"/first", "<p>shared text "+strings.Repeat("of two pages with <b>one</b> body ", 200))
	same.Header.Del("Content-Encoding")
	same.Body = []byte("<p>shared text " + strings.Repeat("of two pages with one body ", 200))
	secret := webtest.Sent(t, "https://www."+host+"/secret", "")
	secret.Header.Del("Content-Encoding")
	secret.Body = []byte("<p>c4n4ry body")
	other := same
	other.URL = address
	s.MustArchive(t, webtest.Sent(t, "http://"+host+"/robots.txt", "User-agent: c4n4ry"), secret, same)
	p := s.MustArchive(t, other)
	s.Exec(t, `UPDATE fetches SET archive_file = ?, archive_offset = ?, content_hash = NULL WHERE id = ?`, p.File, p.Offset, fetchID)
	s.Exec(t, `INSERT INTO contacts (crawl_id, host, purpose, requests, first_at, last_at) VALUES (?, 'www.canary.test', 'page', 1, 1, 1)`, s.Crawl)
	if all := webtest.Unpacked(t, s.Archive.Dir()); !strings.Contains(all, "c4n4ry") || !strings.Contains(all, "revisit") {
		t.Fatal("the archive never knew the site")
	}
	if got := webtest.Text(s.Page(t, "/settings/erase?count=1&host="+host).Find("main")); !strings.Contains(got, "archive") {
		t.Errorf("the plan: %s", got)
	}
	s.MustPost(t, "/settings/erase", url.Values{"host": {host}})
	all := webtest.Unpacked(t, s.Archive.Dir())
	for _, word := range []string{"canary", "c4n4ry"} {
		if strings.Contains(all, word) {
			t.Errorf("the archive still holds %q", word)
		}
	}
	if n := s.Count(t, `SELECT count(*) FROM contacts WHERE host LIKE '%canary%'`); n != 0 {
		t.Errorf("the ledger still tells of it")
	}
	if now := s.Count(t, `SELECT archive_offset FROM fetches WHERE id = ?`, fetchID); int64(now) == p.Offset {
		t.Error("the other site's page did not move")
	}
	if got := webtest.Text(s.Page(t, "/finds/"+strconv.FormatInt(find, 10)+"/copy").Find("#kept")); !strings.Contains(got, "shared text") {
		t.Errorf("the other site's copy: %s", got)
	}
	s.MustPost(t, "/settings/erase-all", url.Values{"confirm": {eraseAllWord}})
	if all := webtest.Unpacked(t, s.Archive.Dir()); all != "" {
		t.Errorf("%d bytes are left", len(all))
	}
}
