package crawler_test

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/trap"
)

// full is an archive on a full disk.
type full struct {
	mu    sync.Mutex
	tried int
}

var errDisk = errors.New("no space left on device")

func (a *full) Write(_ context.Context, x []fetch.Exchange) (crawler.Place, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tried += len(x)
	return crawler.Place{}, errDisk
}

// kept is an archive that numbers what it gets.
type kept struct{ full }

func (a *kept) Write(ctx context.Context, x []fetch.Exchange) (crawler.Place, error) {
	a.full.Write(ctx, x) // it counts
	return crawler.Place{File: "a", Offset: int64(len(x[0].URL))}, nil
}

// TestArchive: every exchange goes to the archive, and its fetch has the place. A failing archive is reported once and
// does not end the crawl.
func TestArchive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, a := newFickle(3, 4), &kept{}
		n := w.mustCrawl(t, crawler.Options{Archive: a, Workers: 2})
		for _, f := range n.fetches {
			if f.Place != (crawler.Place{File: "a", Offset: int64(len(f.URL))}) {
				t.Errorf("%s is at %+v", f.URL, f.Place)
			}
		}
		if a.tried != 12 {
			t.Errorf("%d exchanges kept, want 12", a.tried)
		}
		w = newFickle(3, 4)
		var told []error
		n = w.mustCrawl(t, crawler.Options{Archive: &full{}, Workers: 2, OnTrouble: func(err error) { told = append(told, err) }})
		w.mustReadAll(t, n)
		if len(told) != 1 || !errors.Is(told[0], errDisk) {
			t.Errorf("reported %v", told)
		}
	})
}

// scripted is a renderer that can be made to fail.
type scripted struct {
	mu  sync.Mutex
	ran []string
	err error
}

func (s *scripted) Render(_ context.Context, url string, body []byte) ([]byte, []fetch.Exchange, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ran = append(s.ran, url)
	x := []fetch.Exchange{{URL: url + ".js", Purpose: fetch.ForSubresource, At: time.Now(), Status: 200, Bytes: 10}}
	if s.err != nil {
		return nil, x, s.err
	}
	return []byte("<title>made</title><p>" + strings.Repeat("words of "+url+" ", 20) + "target"), x, nil
}

// TestRender: pages that are empty without scripts are rendered, within the budget, and read as sent when that fails.
func TestRender(t *testing.T) {
	errOff := errors.New("rendering is off")
	for name, tt := range map[string]struct {
		budget, rendered int
		err              error
	}{
		"no limit": {0, 5, nil}, "two pages": {2, 2, nil}, "broken": {0, 0, errors.New("no browser")}, "off": {0, 0, errOff},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newFickle(6, 1)
				w.fail = func(url string, _ int) *fetch.Response {
					if strings.HasPrefix(url, "http://h0.") {
						return nil
					}
					r := ok(url, `<div id=root></div><script src=/app.js></script>`)
					return &r
				}
				o := crawler.Options{Renderer: &scripted{err: tt.err}, RenderPages: tt.budget}
				if tt.err == errOff {
					o.Renderer = nil
				}
				n := w.mustCrawl(t, o)
				rendered, relevant, blank := 0, 0, 0
				for _, f := range n.fetches {
					if f.Rendered {
						rendered++
						if len(f.Response.Exchanges) != 2 || !strings.Contains(string(f.Response.Body), "words of") {
							t.Errorf("%s: %d exchanges, %.60s", f.URL, len(f.Response.Exchanges), f.Response.Body)
						}
					}
					if f.Relevant {
						relevant++
					}
					if f.Response.Reason == fetch.BlankReason {
						blank++
					}
				}
				if rendered != tt.rendered || relevant != tt.rendered || blank != 5-tt.rendered || len(n.fetches) != 6 {
					t.Errorf("%d of %d pages rendered, %d relevant, %d blank", rendered, len(n.fetches), relevant, blank)
				}
			})
		})
	}
}

// TestGuarded: the crawl leaves a site without end; links that the guard refuses are counted and dropped.
func TestGuarded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newFickle(2, 60)
		w.fail = func(url string, _ int) *fetch.Response {
			if strings.HasPrefix(url, "http://h1.") { // every page is the same and has two more
				r := ok(url, "<title>Calendar</title><p>No events on this day, see the next one or the one after it."+
					"<a href="+url+"0>a</a><a href="+url+"1>b</a>")
				return &r
			}
			return nil
		}
		j := &dropping{}
		r, err := crawler.Run(t.Context(), w, counting{}, crawler.Options{
			Starts: w.starts(), Live: true, Budget: crawler.Budget{Pages: 300}, Workers: 2, Journal: j,
			Trap: trap.New(trap.Options{Pages: 300, Starts: w.starts()[:1]}),
		})
		if err != nil {
			t.Fatal(err)
		}
		lost := 0
		for u := range w.times {
			if strings.HasPrefix(u, "http://h1.") {
				lost++
			}
		}
		if lost > 40 || r.End != crawler.NoLinks {
			t.Errorf("%d pages of the trap, %q", lost, r.StopReason)
		}
		refused := 0
		for _, n := range r.Refused {
			refused += n
		}
		if refused == 0 || refused != len(j.dropped) {
			t.Errorf("%v refused, %d dropped", r.Refused, len(j.dropped))
		}
	})
}

// dropping is a journal that collects dropped links.
type dropping struct{ dropped []string }

func (j *dropping) Commit(_ context.Context, b *crawler.Batch) error {
	j.dropped = append(j.dropped, b.Dropped...)
	return nil
}

// TestResumedTrap: a crawl that is resumed knows how a family of addresses grew, so a trap does not get its share again.
func TestResumedTrap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const start, budget, before = "http://h0.test/", 200, 24
		below := func(url string) (all []string) {
			if url == start {
				return []string{start + "entrance"}
			}
			for _, word := range []string{"x", "y", "more", "all"} {
				all = append(all, url+"/"+word)
			}
			return all
		}
		w := newFickle(1, 1)
		w.fail = func(url string, _ int) *fetch.Response {
			body := ""
			for i := range 40 { // new words in each
				sum := sha256.Sum256(fmt.Append(nil, url, i))
				body += strings.Trim(base32.StdEncoding.EncodeToString(sum[:4]), "=") + " "
			}
			for _, to := range below(url) {
				body += "<a href=" + to + ">more</a> "
			}
			r := ok(url, "<title>More</title><p>"+body)
			return &r
		}
		r := &crawler.Resume{LastN: before, Totals: crawler.Totals{Fetched: before}, Hosts: map[string]int{}}
		queue := []frontier.Entry{{URL: start}}
		for n := range before {
			e := queue[n]
			r.Done = append(r.Done, e.URL)
			r.Steps = append(r.Steps, crawler.PastStep{N: n + 1, Parent: e.Parent, URL: e.URL})
			past := trap.Past{URL: e.URL, Simhash: 1 << n, Credit: true}
			if e.Parent > 0 {
				past.Parent = queue[e.Parent-1].URL
			}
			r.Past = append(r.Past, past)
			for _, to := range below(e.URL) {
				queue = append(queue, frontier.Entry{URL: to, Host: "h0.test", Parent: n + 1, Depth: e.Depth + 1, Path: []byte{1}, Seq: int64(len(queue) + 1)})
			}
		}
		r.Queued, r.LastSeq = queue[before:], int64(len(queue))
		got, err := crawler.Run(t.Context(), w, counting{}, crawler.Options{
			Resume: r, Budget: crawler.Budget{Pages: budget}, Trap: trap.New(trap.Options{Pages: budget, Starts: []string{start}}),
		})
		if err != nil {
			t.Fatal(err)
		}
		if more := got.Fetched - before; more > 8 {
			t.Errorf("%d more pages (%s), refused %v", more, got.StopReason, got.Refused)
		}
	})
}
