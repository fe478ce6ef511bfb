package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
)

// night is the start time of the tests' archives.
var night = time.Date(2026, 11, 5, 1, 0, 0, 0, time.UTC)

// shown is a clock that a test sets.
type shown struct{ now time.Time }

func (s *shown) clock() clock.Clock { return clock.Func(func() time.Time { return s.now }) }

// mustOpen opens an archive in dir with the given maximum file size (0: the default).
func mustOpen(tb testing.TB, dir string, c *shown, full int64) *Archive {
	tb.Helper()
	a, err := Open(Options{Dir: dir, MaxFile: full, Clock: c.clock(), Software: "Nightjar/1"})
	if err != nil {
		tb.Fatal(err)
	}
	if err := a.Begin(About{Description: "tests", Operator: "me@example.org", UserAgent: "Nightjar/1 (+me@example.org)"}); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { a.Close() })
	return a
}

// got is an exchange for a page.
func got(url string, status int, body string) fetch.Exchange {
	return fetch.Exchange{
		URL: url, Purpose: fetch.ForPage, Addr: "192.0.2.7", At: night.Add(time.Minute), Status: status, Bytes: int64(len(body)),
		Proto: "HTTP/2.0", RequestHeader: http.Header{"User-Agent": {"Nightjar/1"}},
		Header: http.Header{"Content-Type": {"text/html"}, "X-Two": {"a", "b"}}, Body: []byte(body),
	}
}

// filler is a text of n bytes that begins with word and compresses little.
func filler(word string, n int) string {
	raw := make([]byte, n/2)
	_, _ = rand.NewChaCha8(sha256.Sum256([]byte(word))).Read(raw)
	return (word + " " + hex.EncodeToString(raw) + strings.Repeat("x", n))[:n]
}

func mustWrite(tb testing.TB, a *Archive, exchanges ...fetch.Exchange) crawler.Place {
	tb.Helper()
	p, err := a.Write(tb.Context(), exchanges)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func mustRead(tb testing.TB, a *Archive, p crawler.Place, url, body string) fetch.Exchange {
	tb.Helper()
	e, err := a.Read(p, url)
	if err != nil {
		tb.Fatal(err)
	}
	if url != "" && e.URL != url || string(e.Body) != body {
		tb.Errorf("read %s %.40q at %v, want %s %.40q", e.URL, e.Body, p, url, body)
	}
	return e
}

// records reads every record of a folder, in order of names. Damaged parts fail the test.
func records(tb testing.TB, dir string) (all []*warc.Record) {
	tb.Helper()
	names, _ := filepath.Glob(filepath.Join(dir, "*.warc.gz*"))
	for _, name := range names {
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) { // it was ended meanwhile
			f, err = os.Open(strings.TrimSuffix(name, openSuffix))
		}
		if err != nil {
			tb.Fatal(err)
		}
		data, err := io.ReadAll(f)
		if err = errors.Join(err, f.Close()); err != nil {
			tb.Fatal(err)
		}
		r := warc.NewReader(bytes.NewReader(data), int64(len(data)))
		for rec, err := range r.All() {
			if err != nil {
				tb.Fatal(err)
			}
			if rec.Size == 0 {
				tb.Errorf("%s at %v is no member of its own", rec.Type(), rec.At)
			}
			all = append(all, rec)
		}
		if p := r.Problems(); len(p) > 0 {
			tb.Errorf("%s: %v", name, p)
		}
	}
	return all
}

// kinds counts records by type.
func kinds(all []*warc.Record) string {
	n := map[string]int{}
	for _, r := range all {
		n[r.Type()]++
	}
	return fmt.Sprint(n)
}

func TestWriteAndRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	a := mustOpen(t, dir, &shown{night}, 0)
	page := got("http://a.test/p?q=1", 200, filler("page", 2000))
	page.Truncated = true
	robots := got("http://a.test/robots.txt", 404, "none")
	robots.Purpose = fetch.ForRobots
	probe := got("http://a.test/nowhere-at-all", 404, "no such page")
	probe.Purpose = fetch.ForProbe
	p := mustWrite(t, a, robots, fetch.Exchange{URL: "http://a.test/none", Reason: "no answer"}, page, probe)
	if p.File != "nightjar-20261105010000-00000.warc.gz" || p.Offset == 0 {
		t.Errorf("place %v", p)
	}
	for _, finished := range []bool{false, true} {
		if finished {
			if err := a.Finish(); err != nil {
				t.Fatal(err)
			}
		}
		e := mustRead(t, a, p, page.URL, string(page.Body))
		if e.Status != 200 || e.Purpose != fetch.ForPage || e.Addr != page.Addr || !e.At.Equal(page.At) || e.Proto != page.Proto ||
			!e.Truncated || fmt.Sprint(e.Header) != fmt.Sprint(page.Header) {
			t.Errorf("read %+v", e)
		}
		if _, err := os.Stat(filepath.Join(dir, p.File)); (err == nil) != finished {
			t.Errorf("finished %v: %v", finished, err)
		}
	}
	all := records(t, dir)
	if got := kinds(all); got != "map[request:3 response:3 warcinfo:1]" {
		t.Errorf("records %s", got)
	}
	info := string(all[0].Block)
	for _, line := range []string{"software: Nightjar/1\r\n", "format: WARC File Format 1.1\r\n", "robots: obey\r\n", "operator: me@example.org\r\n", "description: tests\r\n"} {
		if !strings.Contains(info, line) {
			t.Errorf("warcinfo lacks %q: %q", line, info)
		}
	}
	answer, request := all[3], all[4]
	if request.Header.Get("Warc-Concurrent-To") != answer.ID() || !strings.HasPrefix(string(request.Block), "GET /p?q=1 HTTP/1.1\r\nHost: a.test\r\nUser-Agent: Nightjar/1\r\n") {
		t.Errorf("request %v %q", request.Header, request.Block)
	}
	if answer.Header.Get("Warc-Truncated") != "length" || answer.Header.Get("Warc-Ip-Address") != page.Addr || !strings.HasPrefix(answer.Header.Get("Warc-Payload-Digest"), "sha256:") {
		t.Errorf("response %v", answer.Header)
	}
	if p := mustWrite(t, a); p != (crawler.Place{}) {
		t.Errorf("nothing was written to %v", p)
	}
	for name, mode := range map[string]os.FileMode{"": 0o700, p.File: 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%q: %v, %v", name, info.Mode(), err)
		}
	}
}
