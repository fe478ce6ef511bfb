package archive

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
)

func TestRevisit(t *testing.T) {
	dir := t.TempDir()
	c := &shown{night}
	a := mustOpen(t, dir, c, 3000)
	same := filler("same", 5000)
	first := mustWrite(t, a, got("http://a.test/1", 200, same))
	second := mustWrite(t, a, got("http://b.test/2", 200, same))
	short := mustWrite(t, a, got("http://a.test/short", 200, "short"), got("http://b.test/short", 200, "short"))
	if first.File == second.File {
		t.Fatal("the second must be in a file of its own")
	}
	mustRead(t, a, first, "http://a.test/1", same)
	mustRead(t, a, second, "http://b.test/2", same)
	mustRead(t, a, short, "http://b.test/short", "short")
	if got := kinds(records(t, dir)); got != "map[request:4 response:3 revisit:1 warcinfo:2]" {
		t.Errorf("records %s", got)
	}
	for _, rec := range records(t, dir) {
		id, url, date := rec.RefersTo()
		if rec.Type() == "revisit" && (rec.Header.Get("Warc-Profile") != warc.SamePayload || id == "" || url != "http://a.test/1" || date != "2026-11-05T01:01:00.000000Z" ||
			strings.Contains(string(rec.Block), "same")) {
			t.Errorf("revisit %v %s", rec.Header, rec.Block)
		}
	}

	c.now = c.now.Add(24 * time.Hour)
	if err := a.Begin(About{Description: "the next night"}); err != nil {
		t.Fatal(err)
	}
	next := mustWrite(t, a, got("http://a.test/1", 200, same))
	if !strings.HasPrefix(next.File, "nightjar-20261106010000-00000") {
		t.Errorf("the next night is in %s", next.File)
	}
	if err := os.Remove(filepath.Join(dir, first.File)); err != nil {
		t.Fatal(err)
	}
	mustRead(t, a, next, "http://a.test/1", same)
	if _, err := a.Read(second, ""); !errors.Is(err, ErrGone) {
		t.Errorf("a revisit without its original: %v", err)
	}
	if _, err := a.Read(first, ""); !errors.Is(err, ErrGone) {
		t.Errorf("a file that is gone: %v", err)
	}
	if _, err := a.Read(crawler.Place{File: "../../etc/passwd"}, ""); !errors.Is(err, ErrGone) {
		t.Errorf("a place that is none of ours: %v", err)
	}
}

func TestNotModified(t *testing.T) {
	dir := t.TempDir()
	a := mustOpen(t, dir, &shown{night}, 0)
	e := got("http://a.test/", http.StatusNotModified, "")
	e.Header = http.Header{"Etag": {`"x"`}}
	p := mustWrite(t, a, e)
	back := mustRead(t, a, p, "http://a.test/", "")
	if back.Status != http.StatusNotModified || back.Header.Get("Etag") != `"x"` {
		t.Errorf("%+v", back)
	}
	if rec := records(t, dir)[1]; rec.Type() != "revisit" || rec.Header.Get("Warc-Profile") != warc.NotModified {
		t.Errorf("%v", rec.Header)
	}
}

// TestStalePlace reads at a place that now has another record.
func TestStalePlace(t *testing.T) {
	a := mustOpen(t, t.TempDir(), &shown{night}, 0)
	p := mustWrite(t, a, got("http://a.test/1", 200, "one"))
	q := mustWrite(t, a, got("http://a.test/2", 200, "two"))
	mustRead(t, a, crawler.Place{File: p.File, Offset: q.Offset}, "http://a.test/1", "one")
	mustRead(t, a, crawler.Place{File: p.File, Offset: 3}, "http://a.test/2", "two")
	if _, err := a.Read(p, "http://a.test/3"); !errors.Is(err, ErrGone) {
		t.Errorf("a page that is not there: %v", err)
	}
}

// TestConcurrent writes from many goroutines to many small files: each place has the exchange written there.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	a := mustOpen(t, dir, &shown{night}, 4000)
	const workers, pages = 8, 40
	places := make([][pages]crawler.Place, workers)
	body := func(w, i int) string { return filler(fmt.Sprint("page ", i%7*(w+1)), 900) } // some are the same
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := range pages {
				robots := got(fmt.Sprintf("http://h%d.test/robots.txt", w), 404, "")
				p, err := a.Write(t.Context(), []fetch.Exchange{robots, got(fmt.Sprintf("http://h%d.test/%d", w, i), 200, body(w, i))})
				if err != nil {
					t.Error(err)
				}
				places[w][i] = p
				if i%10 == 9 {
					mustRead(t, a, places[w][i-5], "", body(w, i-5))
				}
			}
		})
	}
	all.Wait()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	a = mustOpen(t, dir, &shown{night}, 0)
	files := map[string]bool{}
	for w := range workers {
		for i, p := range places[w] {
			mustRead(t, a, p, fmt.Sprintf("http://h%d.test/%d", w, i), body(w, i))
			files[p.File] = true
		}
	}
	if len(files) < 5 {
		t.Errorf("only %d files", len(files))
	}
	if _, err := a.Write(t.Context(), nil); err != nil {
		t.Error(err)
	}
	_ = records(t, dir)
}

func TestClosedAndInUse(t *testing.T) {
	dir := t.TempDir()
	a := mustOpen(t, dir, &shown{night}, 0)
	if _, err := Open(Options{Dir: dir}); !errors.Is(err, ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	if _, err := a.Write(t.Context(), []fetch.Exchange{got("http://a.test/", 200, "x")}); err == nil {
		t.Error("written to a closed archive")
	}
	mustOpen(t, dir, &shown{night}, 0)
}
