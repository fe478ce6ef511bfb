package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/crawler/archive"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
)

// withArchive gives the dashboard an archive.
func (f *fixture) withArchive(t *testing.T) *archive.Archive {
	t.Helper()
	a, err := archive.Open(archive.Options{Dir: filepath.Join(t.TempDir(), "archive"), Clock: clock.Func(f.Now)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	f.Archive = a
	return a
}

// sent is a page as a server sends it, compressed.
func sent(t *testing.T, address, html string) fetch.Exchange {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(html)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return fetch.Exchange{URL: address, Purpose: fetch.ForPage, Status: http.StatusOK, Body: b.Bytes(),
		Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Content-Encoding": {"gzip"}}}
}

func mustArchive(t *testing.T, a *archive.Archive, exchanges ...fetch.Exchange) crawler.Place {
	t.Helper()
	p, err := a.Write(t.Context(), exchanges)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// anyFind is the id of some find and of its fetch, and where its page was.
func (s *seeded) anyFind(t *testing.T) (find, fetchID int64, address string) {
	t.Helper()
	if err := s.DB.QueryRow(`SELECT finds.id, fetch_id, final_url FROM finds JOIN fetches ON fetches.id = fetch_id ORDER BY finds.id LIMIT 1`).
		Scan(&find, &fetchID, &address); err != nil {
		t.Fatal(err)
	}
	return find, fetchID, address
}

func TestSavedCopy(t *testing.T) {
	s := seed(t)
	find, fetchID, address := s.anyFind(t)
	path := "/finds/" + strconv.FormatInt(find, 10) + "/copy"
	if n := s.Page(t, "/finds/"+strconv.FormatInt(find, 10)).Find(`.find-about a[href="` + path + `"]`).Length(); n != 1 {
		t.Errorf("%d links from the find to its copy", n)
	}
	s.Exec(t, `INSERT INTO contents (hash, gzip) VALUES (x'01', ?)`, sent(t, address, "<p>As it was read.").Body)
	s.Exec(t, `UPDATE fetches SET content_hash = x'01' WHERE id = ?`, fetchID)
	d := s.Page(t, path)
	if got := webtest.Text(d.Find("main")); !strings.Contains(got, "from the database") || d.Find("#kept p").Length() == 0 {
		t.Errorf("without an archive: %s", got)
	}

	a := s.withArchive(t)
	html := `<html><head><title>The Title</title></head><body><h1>Head <b>line</b></h1><p>One &lt;i&gt; paragraph.</p>
		<script>alert(1)</script><img src=x onerror=alert(2)><p onclick="alert(3)">Another&#8238;one.</p></body></html>`
	p := mustArchive(t, a, sent(t, "http://other.test/", "<p>other"), sent(t, address, html))
	s.Exec(t, `UPDATE fetches SET archive_file = ?, archive_offset = ? WHERE id = ?`, p.File, p.Offset, fetchID)
	d = s.Page(t, path)
	if got := webtest.Text(d.Find("main .lead")); !strings.Contains(got, "from the archive") {
		t.Errorf("from where: %s", got)
	}
	kept := d.Find("#kept")
	if got := webtest.Text(kept); !strings.Contains(got, "Head line") || !strings.Contains(got, "One <i> paragraph.") || strings.Contains(got, "alert") || strings.Contains(got, "The Title") {
		t.Errorf("text: %s", got)
	}
	if n := kept.Find("*").Not("p").Length(); n != 0 {
		t.Errorf("%d elements of the page itself", n)
	}
	if got, _ := d.Find(`.page-head a`).Attr("href"); got != address {
		t.Errorf("link to the page: %s", got)
	}

	s.Exec(t, `UPDATE fetches SET content_hash = NULL WHERE id = ?`, fetchID)
	if err := a.EraseAll(); err != nil {
		t.Fatal(err)
	}
	if got := webtest.Text(s.Page(t, path).Find(".empty")); !strings.Contains(got, "no longer in the archive") {
		t.Errorf("pruned: %s", got)
	}
	s.Exec(t, `UPDATE fetches SET archive_file = '', archive_offset = 0 WHERE id = ?`, fetchID)
	if got := webtest.Text(s.Page(t, path).Find(".empty")); !strings.Contains(got, "was not archived") {
		t.Errorf("never archived: %s", got)
	}
	for _, none := range []string{"/finds/999999/copy", "/finds/x/copy"} {
		if code := s.Get(none).Code; code != http.StatusNotFound {
			t.Errorf("%s: %d", none, code)
		}
	}
}

// TestSavedCopyDamaged: the page of a copy in a damaged file says that it cannot be read.
func TestSavedCopyDamaged(t *testing.T) {
	s := seed(t)
	find, fetchID, address := s.anyFind(t)
	a := s.withArchive(t)
	p := mustArchive(t, a, sent(t, address, "<p>text"))
	if err := a.Finish(); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE fetches SET archive_file = ?, archive_offset = ?, content_hash = NULL WHERE id = ?`, p.File, p.Offset, fetchID)
	name := filepath.Join(a.Dir(), p.File)
	if err := os.WriteFile(name, []byte("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: "+address+"\r\nContent-Length: 3\r\n\r\nbad\r\n\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := webtest.Text(s.Page(t, "/finds/"+strconv.FormatInt(find, 10)+"/copy").Find(".empty")); !strings.Contains(got, "cannot be read") {
		t.Errorf("damaged: %s", got)
	}
}

// unpacked is all that a folder of archives holds.
func unpacked(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for _, name := range files {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) == 0 {
			continue
		}
		z, err := gzip.NewReader(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := all.ReadFrom(z); err != nil {
			t.Fatal(err)
		}
	}
	return all.String()
}

// TestEraseSiteArchived erases a site of which the archive alone holds some: no byte of it is left, and copies of other
// sites' pages are found where they have come to.
func TestEraseSiteArchived(t *testing.T) {
	s := seed(t)
	find, fetchID, address := s.anyFind(t)
	a := s.withArchive(t)
	const host = "canary.test"
	same := sent(t, "http://"+host+"/first", "<p>shared text "+strings.Repeat("of two pages with <b>one</b> body ", 200))
	same.Header.Del("Content-Encoding")
	same.Body = []byte("<p>shared text " + strings.Repeat("of two pages with one body ", 200))
	secret := sent(t, "https://www."+host+"/secret", "")
	secret.Header.Del("Content-Encoding")
	secret.Body = []byte("<p>c4n4ry body")
	other := same
	other.URL = address
	mustArchive(t, a, sent(t, "http://"+host+"/robots.txt", "User-agent: c4n4ry"), secret, same)
	p := mustArchive(t, a, other)
	s.Exec(t, `UPDATE fetches SET archive_file = ?, archive_offset = ?, content_hash = NULL WHERE id = ?`, p.File, p.Offset, fetchID)
	s.Exec(t, `INSERT INTO contacts (crawl_id, host, purpose, requests, first_at, last_at) VALUES (?, 'www.canary.test', 'page', 1, 1, 1)`, s.Crawl)
	if all := unpacked(t, a.Dir()); !strings.Contains(all, "c4n4ry") || !strings.Contains(all, "revisit") {
		t.Fatal("the archive never knew the site")
	}
	if got := webtest.Text(s.Page(t, "/settings/erase?count=1&host="+host).Find("main")); !strings.Contains(got, "archive") {
		t.Errorf("the plan: %s", got)
	}
	s.MustPost(t, "/settings/erase", url.Values{"host": {host}})
	all := unpacked(t, a.Dir())
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
	if all := unpacked(t, a.Dir()); all != "" {
		t.Errorf("%d bytes are left", len(all))
	}
}

// TestDissolveArchived dissolves a combined topic: what only its crawls asked goes from the archive.
func TestDissolveArchived(t *testing.T) {
	s, ids := withTopics(t)
	a := s.withArchive(t)
	s.MustPost(t, "/topics/combine", url.Values{"topic": ids, "name": {"Ice"}})
	ice, err := s.Store.TopicByName(t.Context(), "Ice")
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
		mustArchive(t, a, sent(t, address, "<p>"+address))
	}
	s.Exec(t, `UPDATE crawls SET status = 'ended'`)
	s.MustPost(t, "/topics/"+strconv.FormatInt(ice.ID, 10)+"/dissolve", nil)
	all := unpacked(t, a.Dir())
	for word, want := range map[string]bool{"only.test": false, "both.test/only": false, "both.test/both": true, "both.test/robots.txt": true} {
		if strings.Contains(all, word) != want {
			t.Errorf("%s is in the archive: %v", word, !want)
		}
	}
}
