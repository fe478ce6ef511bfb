package work_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/crawler/work"
	"nightjar/crawler/work/worktest"
)

// serve starts a web of its own and returns the hands of a worker for it.
func serve(t *testing.T, h http.HandlerFunc) *work.Hands {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	addr := strings.TrimPrefix(s.URL, "http://")
	hands := work.NewRemote("far", fetch.LiveOptions{Resolve: []fetch.Resolve{{Pattern: "*.test", Addr: addr}, {Pattern: "*.example", Addr: addr}}})
	t.Cleanup(func() { _ = hands.Close() }) // its memory does not fail
	return hands
}

// fetching is a fetcher that does one thing.
type fetching func(url string) fetch.Response

func (f fetching) Fetch(_ context.Context, url string) fetch.Response { return f(url) }
func (f fetching) ReadyAt(string) time.Time                           { return time.Time{} }

// TestHandsRecover: neither a page on which the parser breaks down nor a fetcher that does ends the program.
func TestHandsRecover(t *testing.T) {
	page1 := fetching(func(url string) fetch.Response {
		return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Status: 200, Body: []byte("x"), Exchanges: []fetch.Exchange{{URL: url}}}
	})
	bad := work.New(page1, nil, func(*fetch.Response) (*page.Page, error) { panic("parser") }, true)
	r := bad.Do(t.Context(), work.Task{ID: "1", URL: "http://a.test/"})
	if r.Response.Outcome != fetch.Type || r.Page != nil || !strings.Contains(r.Problem, "parser") || len(r.Response.Exchanges) != 1 || r.Ended.IsZero() {
		t.Errorf("a parser that breaks: outcome %s, problem %q, %d exchanges", r.Response.Outcome, r.Problem, len(r.Response.Exchanges))
	}
	bad = work.New(fetching(func(string) fetch.Response { panic("fetcher") }), nil, nil, true)
	r = bad.Do(t.Context(), work.Task{ID: "1", URL: "http://a.test/"})
	if r.Response.Outcome != fetch.Type || r.Response.FinalURL != "http://a.test/" || !strings.Contains(r.Problem, "fetcher") || r.URL != "http://a.test/" {
		t.Errorf("a fetcher that breaks: outcome %s, problem %q", r.Response.Outcome, r.Problem)
	}
}

// TestUnread: a page that ended workers is fetched, and not parsed.
func TestUnread(t *testing.T) {
	parsed := false
	hands := work.New(fetching(func(url string) fetch.Response {
		return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Status: 200, Body: []byte("x")}
	}), nil, func(*fetch.Response) (*page.Page, error) { parsed = true; return &page.Page{}, nil }, true)
	if r := hands.Do(t.Context(), work.Task{URL: "http://a.test/", Unread: true}); r.Response.Outcome != fetch.Type || r.Page != nil || parsed {
		t.Errorf("outcome %s, page %v, parsed %v", r.Response.Outcome, r.Page, parsed)
	}
}

// TestOwnHostOnly: whatever a host sends, its task asks no other host, and says where it would have gone.
func TestOwnHostOnly(t *testing.T) {
	for _, c := range []struct {
		url, moved, robotsAt string
		outcome              fetch.Outcome
	}{
		{"http://a.test/away", "http://b.test/landing", "", fetch.Redirects},
		{"http://a.test/chain", "http://b.test/chain", "", fetch.Redirects},
		{"http://a.test/refresh-away", "http://b.test/landing", "", fetch.Redirects},
		{"http://a.test/move", "", "", fetch.OK},
		{"http://elsewhere.test/page", "", "http://rules.test/elsewhere.txt", fetch.Later},
		{"http://a.test/outside", "http://127.0.0.1:9/", "", fetch.Redirects},
	} {
		farm, task := worktest.NewFarm(t), usual()
		task.URL = c.url
		r := honest(t, farm, task)
		if res := r.Response; res.Moved != c.moved || res.RobotsAt != c.robotsAt || res.Outcome != c.outcome {
			t.Errorf("%s: moved %q, robots at %q, outcome %s", c.url, res.Moved, res.RobotsAt, res.Outcome)
		}
		list, _ := farm.Asked()
		for _, a := range list {
			if !strings.HasPrefix(a, weburl.Host(c.url)+"/") {
				t.Errorf("%s: %s was requested", c.url, a)
			}
		}
	}
}

// TestFetchTimeout ends a task of which the server sends nothing. It is the host's fault, not a stop.
func TestFetchTimeout(t *testing.T) {
	over := make(chan struct{})
	hands := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-over:
		}
	})
	defer close(over)
	facts := work.HostFacts{Robots: []work.Robots{{Origin: "http://a.test", Keep: time.Hour}}}
	r := hands.Do(t.Context(), work.Task{URL: "http://a.test/", FetchTimeout: 50 * time.Millisecond, Host: facts})
	if r.Response.Outcome != fetch.Timeout || !strings.Contains(r.Response.Reason, "50ms") {
		t.Errorf("outcome %s (%s)", r.Response.Outcome, r.Response.Reason)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if r := hands.Do(ctx, work.Task{URL: "http://a.test/", FetchTimeout: time.Hour}); r.Response.Outcome != fetch.Canceled {
		t.Errorf("after a stop: outcome %s (%s)", r.Response.Outcome, r.Response.Reason)
	}
}

// TestTaskDelay: the delay of a task holds between the requests of the task itself. After robots.txt the page has to wait for
// longer than a request may, so that it is fetched by the next task.
func TestTaskDelay(t *testing.T) {
	var mu sync.Mutex
	var at []time.Time
	hands := serve(t, func(rw http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		at = append(at, time.Now())
		mu.Unlock()
		rw.Header().Set("Content-Type", "text/html")
		_, _ = rw.Write([]byte("<title>page</title>"))
	})
	r := hands.Do(t.Context(), work.Task{URL: "http://a.test/", Delay: time.Minute, FetchTimeout: time.Minute})
	if r.Response.Outcome != fetch.Later || len(at) != 1 || r.Host.Rest < 50*time.Second {
		t.Errorf("outcome %s, %d requests, the host rests for %v", r.Response.Outcome, len(at), r.Host.Rest)
	}
	r = hands.Do(t.Context(), work.Task{URL: "http://b.test/", Delay: 200 * time.Millisecond, FetchTimeout: time.Minute})
	if r.Response.Outcome != fetch.OK || len(at) != 3 || at[2].Sub(at[1]) < 200*time.Millisecond {
		t.Errorf("outcome %s, requests at %v", r.Response.Outcome, at)
	}
}

// TestLongWaitsAreNotTheHostsFault: when a redirect within the host would have to wait for longer than the host is lent, the page
// is fetched later, and does not count as timed out.
func TestLongWaitsAreNotTheHostsFault(t *testing.T) {
	hands := serve(t, func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, "/next", http.StatusFound) })
	facts := work.HostFacts{Robots: []work.Robots{{Origin: "http://a.test", Keep: time.Hour}}}
	began := time.Now()
	r := hands.Do(t.Context(), work.Task{URL: "http://a.test/", Delay: 20 * time.Second, FetchTimeout: 30 * time.Second, Host: facts})
	if res := r.Response; res.Outcome != fetch.Later || res.FinalURL != "http://a.test/next" || len(res.Exchanges) != 1 {
		t.Errorf("outcome %s (%s) at %s, %d requests", res.Outcome, res.Reason, res.FinalURL, len(res.Exchanges))
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("it waited %v to find out", took)
	}
}

// TestFactsTravel: what a task says of its host is not asked again, and what is new comes back, with ages instead of times.
func TestFactsTravel(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	hands := serve(t, func(rw http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.URL.Path)
		mu.Unlock()
		rw.Header().Set("Content-Type", "text/html")
		rw.Header().Set("Retry-After", "120")
		if r.URL.Path == "/busy" {
			rw.WriteHeader(http.StatusTooManyRequests)
		}
		_, _ = rw.Write([]byte("<title>page</title>"))
	})
	robots := work.Robots{Origin: "http://a.test", Age: time.Hour, Keep: 24 * time.Hour, Body: []byte("User-agent: *\nDisallow: /secret\n")}
	facts := work.HostFacts{Robots: []work.Robots{robots}, Probed: true, Missing: []byte("nothing here")}
	r := hands.Do(t.Context(), work.Task{URL: "http://a.test/", Host: facts, Probe: true})
	if r.Response.Outcome != fetch.OK || len(asked) != 1 || string(r.Response.NotFound) != "nothing here" || len(r.Host.Robots) != 0 {
		t.Errorf("outcome %s, requested %v, facts %+v", r.Response.Outcome, asked, r.Host)
	}
	if r = hands.Do(t.Context(), work.Task{URL: "http://a.test/secret/x"}); r.Response.Outcome != fetch.Robots {
		t.Errorf("a page that the robots.txt of the first task forbids: %s", r.Response.Outcome)
	}
	r = hands.Do(t.Context(), work.Task{URL: "http://a.test/busy", Host: work.HostFacts{Busy: 2}})
	if h := r.Host; h.Why != fetch.RestAsked || h.Rest < 119*time.Second || h.Rest > 121*time.Second || h.Busy != 3 {
		t.Errorf("a host that was too busy twice and is again: %+v", h)
	}
	old := work.Robots{Origin: "http://c.test", Age: 25 * time.Hour, Keep: 24 * time.Hour}
	asked = nil
	hands.Do(t.Context(), work.Task{URL: "http://c.test/", Host: work.HostFacts{Robots: []work.Robots{old}}})
	if len(asked) != 2 || asked[0] != "/robots.txt" {
		t.Errorf("with a robots.txt that has expired: requested %v", asked)
	}
}

// TestShift moves the times of a worker whose clock is a year ahead.
func TestShift(t *testing.T) {
	far, here := time.Date(2031, 5, 1, 12, 0, 0, 0, time.UTC), time.Date(2030, 5, 1, 12, 0, 0, 0, time.UTC)
	r := work.Result{Began: far.Add(-10 * time.Second), Ended: far, Response: fetch.Response{
		Exchanges: []fetch.Exchange{{At: far.Add(-9 * time.Second)}, {At: far.Add(-time.Second)}},
	}}
	r.Shift(here)
	x := r.Response.Exchanges
	if !r.Ended.Equal(here) || !r.Began.Equal(here.Add(-10*time.Second)) || !x[0].At.Equal(here.Add(-9*time.Second)) || !x[1].At.Equal(here.Add(-time.Second)) {
		t.Errorf("began %v, ended %v, requests at %v and %v", r.Began, r.Ended, x[0].At, x[1].At)
	}
}

// TestFill: without the stored copy, a page that was not modified is canceled, so that it is requested again.
func TestFill(t *testing.T) {
	same := func() work.Result {
		return work.Result{Response: fetch.Response{Outcome: fetch.OK, NotModified: true, Status: 304}}
	}
	r := same()
	if r.Fill([]byte("copy")); string(r.Response.Body) != "copy" || r.Response.Outcome != fetch.OK {
		t.Errorf("body %q, outcome %s", r.Response.Body, r.Response.Outcome)
	}
	r = same()
	if r.Fill(nil); r.Response.Outcome != fetch.Canceled || r.Response.NotModified {
		t.Errorf("without a copy: outcome %s", r.Response.Outcome)
	}
	r = work.Result{Response: fetch.Response{Outcome: fetch.OK, Body: []byte("new")}}
	if r.Fill([]byte("copy")); string(r.Response.Body) != "new" {
		t.Errorf("a new page has the body %q", r.Response.Body)
	}
}
