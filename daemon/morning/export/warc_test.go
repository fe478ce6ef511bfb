package export

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
	"nightjar/daemon/morning/finds"
)

// mustArchive stores pages of these bodies and returns where.
func mustArchive(t *testing.T, bodies map[string]string, order ...string) (*archive.Archive, []finds.Copy) {
	t.Helper()
	a, err := archive.Open(archive.Options{Dir: t.TempDir(), Software: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	var copies []finds.Copy
	for _, url := range order {
		e := fetch.Exchange{URL: url, Purpose: fetch.ForPage, At: time.Unix(1e9, 0), Status: 200, Proto: "HTTP/1.1",
			Header: http.Header{"Content-Type": {"text/html"}}, Body: []byte(bodies[url])}
		if bodies[url] == "" {
			e.Status = http.StatusNotModified
		}
		place, err := a.Write(t.Context(), []fetch.Exchange{e})
		if err != nil {
			t.Fatal(err)
		}
		copies = append(copies, finds.Copy{URL: url, Place: place})
	}
	return a, copies
}

// TestWARC: the file holds whole answers, also of pages that the archive has as revisits, and names what is missing.
func TestWARC(t *testing.T) {
	same := "<title>same</title>" + strings.Repeat("tide ", 300)
	bodies := map[string]string{"http://a.test/": same, "http://b.test/": same, "http://c.test/": "<p>c", "http://d.test/": ""}
	a, copies := mustArchive(t, bodies, "http://a.test/", "http://b.test/", "http://c.test/", "http://d.test/")
	copies = append(copies, finds.Copy{URL: "http://none.test/"},
		finds.Copy{URL: "http://gone.test/\r\nWARC-Type: x", Place: crawler.Place{File: "nightjar-20200101000000-00001.warc.gz", Offset: 3}})
	all := func(yield func(finds.Copy, error) bool) {
		for _, c := range copies {
			if !yield(c, nil) {
				return
			}
		}
	}
	pages := Pages{Archive: a, Software: "Nightjar/test", Now: time.Unix(2e9, 0)}
	var out bytes.Buffer
	if err := pages.WARC(&out, "x.warc.gz", all); err != nil {
		t.Fatal(err)
	}
	r := warc.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	got, kinds, missing := map[string]string{}, []string{}, ""
	for rec, err := range r.All() {
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, rec.Type())
		switch rec.Type() {
		case "response":
			answer, err := rec.Answer()
			if err != nil {
				t.Fatal(err)
			}
			got[rec.Target()] = string(answer.Body)
		case "metadata":
			missing = string(rec.Block)
		}
	}
	if len(r.Problems()) > 0 || strings.Join(kinds, " ") != "warcinfo response response response metadata" {
		t.Errorf("%v, %v", kinds, r.Problems())
	}
	for _, url := range []string{"http://a.test/", "http://b.test/", "http://c.test/"} {
		if got[url] != bodies[url] {
			t.Errorf("%s: %.40q", url, got[url])
		}
	}
	for _, want := range []string{"missing: http://d.test/ it had not changed", "missing: http://none.test/ it was not archived",
		"missing: http://gone.test/ WARC-Type: x it is no longer"} {
		if !strings.Contains(missing, want) {
			t.Errorf("%q lacks %q", missing, want)
		}
	}
	if pages.Absent(copies[0]) != "" || pages.Absent(copies[4]) == "" || (Pages{}).Absent(copies[0]) == "" {
		t.Error("Absent")
	}
}
