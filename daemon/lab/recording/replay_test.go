package recording

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
)

type record struct {
	url    string
	status int
	header http.Header
	body   string
}

func mustArchive(tb testing.TB, records ...record) string {
	tb.Helper()
	var b bytes.Buffer
	w := warc.NewWriter(&b)
	for _, r := range records {
		if err := w.Response(r.url, time.Unix(0, 0), r.status, r.header, []byte(r.body)); err != nil {
			tb.Fatal(err)
		}
	}
	return mustFile(tb, b.Bytes())
}

func mustFile(tb testing.TB, data []byte) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "web.warc.gz")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func mustReplay(tb testing.TB, paths ...string) (*Replay, Report) {
	tb.Helper()
	r, report, err := Open(paths)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { r.Close() })
	return r, report
}

func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

var html = header("Content-Type", "text/html; charset=utf-8")

// replayRecords is a WARC file with every kind of record.
var replayRecords = []record{
	{"http://a.test/", 200, html, "home"},
	{"http://a.test:80/", 301, header("Location", "http://a.test/"), ""}, // the same canonical URL
	{"http://a.test/old", 301, header("Location", "new"), "moved"},
	{"http://a.test/new", 302, header("Location", "/?utm_source=x"), ""},
	{"http://a.test/bytes", 302, header("Location", "/caf\xe9?q=\xfc"), ""},
	{"http://a.test/caf%E9?q=%FC", 200, html, "by its bytes"},
	{"http://a.test/gone", 404, html, "no"},
	{"http://a.test/out", 302, header("Location", "http://b.test/"), ""},
	{"http://a.test/x", 302, header("Location", "/y"), ""},
	{"http://a.test/y", 302, header("Location", "/x"), ""},
	{"http://a.test/script", 302, header("Location", "javascript:x"), ""},
	{"https://a.test/s", 302, header("Location", "http://a.test/"), ""},
	{"http://a.test/pdf", 200, header("Content-Type", "application/pdf"), "%PDF-1.4"},
	{"http://a.test/plain", 200, nil, "<!doctype html><p>x"},
	{"http://a.test/unzipped", 200, header("Content-Type", "text/html", "Content-Encoding", "gzip"), "<p>decoded"},
	{"http://a.test/unbr", 200, header("Content-Type", "text/html", "Content-Encoding", "br"), "<!doctype html><title>decoded</title>"},
	{"http://a.test/undeflated", 200, header("Content-Type", "text/html", "Content-Encoding", "deflate"), "xé"},
	{"http://a.test/untwice", 200, header("Content-Type", "text/html", "Content-Encoding", "br, gzip"), "<p>twice"},
	{"http://a.test/again", 200, html, "first"},
	{"http://a.test/again#x", 200, html, "last"},
	{"ftp://a.test/", 200, html, "no"},
}

func TestReplay(t *testing.T) {
	path := mustArchive(t, replayRecords...)
	r, report := mustReplay(t, path)
	if report.Records != 21 || report.Unused != 1 || report.Redirects != 7 || len(report.Problems) != 0 || report.Pages != len(r.Pages()) {
		t.Errorf("report %+v", report)
	}
	for _, c := range []struct {
		path    string
		outcome fetch.Outcome
		final   string
		via     []string
		body    string
	}{
		{"/", fetch.OK, "/", nil, "home"},
		{"/old", fetch.OK, "/", []string{"http://a.test/new"}, "home"},
		{"/new", fetch.OK, "/", nil, "home"},
		{"/bytes", fetch.OK, "/caf%E9?q=%FC", nil, "by its bytes"},
		{"/none", fetch.Missing, "/none", nil, ""},
		{"/gone", fetch.Status, "/gone", nil, ""},
		{"/out", fetch.Missing, "http://b.test/", nil, ""},
		{"/x", fetch.Redirects, "/y", nil, ""},
		{"/script", fetch.Redirects, "/script", nil, ""},
		{"https://a.test/s", fetch.Redirects, "https://a.test/s", nil, ""},
		{"/pdf", fetch.Type, "/pdf", nil, ""},
		{"/plain", fetch.OK, "/plain", nil, "<!doctype html><p>x"},
		{"/unzipped", fetch.OK, "/unzipped", nil, "<p>decoded"},
		{"/unbr", fetch.OK, "/unbr", nil, "<!doctype html><title>decoded</title>"},
		{"/undeflated", fetch.OK, "/undeflated", nil, "xé"},
		{"/untwice", fetch.OK, "/untwice", nil, "<p>twice"},
		{"/again", fetch.OK, "/again", nil, "last"},
	} {
		url, final := c.path, c.final
		if strings.HasPrefix(url, "/") {
			url = "http://a.test" + url
		}
		if strings.HasPrefix(final, "/") {
			final = "http://a.test" + final
		}
		got := r.Fetch(t.Context(), url)
		if got.Outcome != c.outcome || got.FinalURL != final || got.URL != url || string(got.Body) != c.body || !cmp.Equal(got.Redirects, c.via) {
			got.Body = got.Body[:min(len(got.Body), 100)]
			t.Errorf("%s: %+v %s", url, got, got.Body)
		}
		if (got.Outcome == fetch.OK) != (got.Reason == "") {
			t.Errorf("%s: outcome %s, reason %q", url, got.Outcome, got.Reason)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := r.Fetch(ctx, "http://a.test/"); got.Outcome != fetch.Canceled {
		t.Errorf("canceled: %+v", got)
	}
	if !r.ReadyAt("http://a.test/").IsZero() {
		t.Error("a recording must wait for nothing")
	}
}

// TestReplayCut opens a truncated file: the whole records are there, and the report names the damage.
func TestReplayCut(t *testing.T) {
	data, err := os.ReadFile(mustArchive(t, record{"http://a.test/1", 200, html, "one"}, record{"http://a.test/2", 200, html, "two"}))
	if err != nil {
		t.Fatal(err)
	}
	r, report := mustReplay(t, mustFile(t, data[:len(data)-60]))
	if !cmp.Equal(r.Pages(), []string{"http://a.test/1"}) || len(report.Problems) != 1 || !strings.Contains(report.String(), "could not be read") {
		t.Errorf("%v, %+v", r.Pages(), report)
	}
	for name, path := range map[string]string{
		"empty": mustFile(t, nil), "garbage": mustFile(t, []byte("hello")), "cut in the first": mustFile(t, data[:50]),
		"no file": filepath.Join(t.TempDir(), "none"), "folder": t.TempDir(),
	} {
		if _, _, err := Open([]string{path}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestReplayHops follows as many redirects as allowed, and not one more.
func TestReplayHops(t *testing.T) {
	records := []record{{"http://a.test/0", 200, html, "end"}}
	for i := range 6 {
		records = append(records, record{fmt.Sprintf("http://a.test/%d", i+1), 301, header("Location", fmt.Sprintf("/%d", i)), ""})
	}
	r, _ := mustReplay(t, mustArchive(t, records...))
	if got := r.Fetch(t.Context(), "http://a.test/5"); got.Outcome != fetch.OK || len(got.Redirects) != 4 {
		t.Errorf("5 redirects: %+v", got)
	}
	if got := r.Fetch(t.Context(), "http://a.test/6"); got.Outcome != fetch.Redirects {
		t.Errorf("6 redirects: %+v", got)
	}
}

// TestReplayForms reads answers written by other recorders.
func TestReplayForms(t *testing.T) {
	block := func(kind, contentType, block string) string {
		return fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: http://a.test/\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", kind, contentType, len(block), block)
	}
	for name, s := range map[string]string{
		"chunked":       block("response", "application/http", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"),
		"said chunked":  block("response", "application/http", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nbody"),
		"line feeds":    block("response", "application/http", "HTTP/1.0 200\nContent-Type: text/html\n\nbody"),
		"resource":      block("resource", "text/html", "body"),
		"request first": block("request", "application/http", "GET / HTTP/1.1\r\n\r\n") + block("resource", "text/html", "body") + block("response", "application/http", "garbage"),
	} {
		r, _ := mustReplay(t, mustFile(t, []byte(s)))
		if got := r.Fetch(t.Context(), "http://a.test/"); got.Outcome != fetch.OK || string(got.Body) != "body" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
