package pages

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
)

func TestSavedCopy(t *testing.T) {
	s := seed(t)
	find, fetchID, address := s.AnyFind(t)
	path := "/finds/" + strconv.FormatInt(find, 10) + "/copy"
	if n := s.Page(t, "/finds/"+strconv.FormatInt(find, 10)).Find(`.find-about a[href="` + path + `"]`).Length(); n != 1 {
		t.Errorf("%d links from the find to its copy", n)
	}
	s.Exec(t, `INSERT INTO contents (hash, gzip) VALUES (x'01', ?)`, webtest.Sent(t, address, "<p>As it was read.").Body)
	s.Exec(t, `UPDATE fetches SET content_hash = x'01' WHERE id = ?`, fetchID)
	d := s.Page(t, path)
	if got := webtest.Text(d.Find("main")); !strings.Contains(got, "from the database") || d.Find("#kept p").Length() == 0 {
		t.Errorf("without an archive: %s", got)
	}

	html := `<html><head><title>The Title</title></head><body><h1>Head <b>line</b></h1><p>One &lt;i&gt; paragraph.</p>
		<script>alert(1)</script><img src=x onerror=alert(2)><p onclick="alert(3)">Another&#8238;one.</p></body></html>`
	p := s.MustArchive(t, webtest.Sent(t, "http://other.test/", "<p>other"), webtest.Sent(t, address, html))
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
	if err := s.Archive.EraseAll(); err != nil {
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
	find, fetchID, address := s.AnyFind(t)
	p := s.MustArchive(t, webtest.Sent(t, address, "<p>text"))
	if err := s.Archive.Finish(); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE fetches SET archive_file = ?, archive_offset = ?, content_hash = NULL WHERE id = ?`, p.File, p.Offset, fetchID)
	name := filepath.Join(s.Archive.Dir(), p.File)
	if err := os.WriteFile(name, []byte("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: "+address+"\r\nContent-Length: 3\r\n\r\nbad\r\n\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := webtest.Text(s.Page(t, "/finds/"+strconv.FormatInt(find, 10)+"/copy").Find(".empty")); !strings.Contains(got, "cannot be read") {
		t.Errorf("damaged: %s", got)
	}
}
