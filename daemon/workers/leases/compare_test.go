package leases

import (
	"fmt"
	"hash/maphash"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/daemon/night/progress"
)

// One result in 200 is chosen to be compared, and which that is cannot be told from its task: a daemon that has another secret chooses
// others.
func TestChosenToCompare(t *testing.T) {
	const tasks = 40_000
	one, two := maphash.MakeSeed(), maphash.MakeSeed()
	chosen, both := 0, 0
	for i := range tasks {
		task := fmt.Sprintf("%032x", i)
		if compares(one, task, 200) {
			chosen++
			if compares(two, task, 200) {
				both++
			}
		}
		if !compares(one, task, 1) || compares(one, task, -1) {
			t.Fatalf("task %s", task)
		}
	}
	if chosen < 100 || chosen > 300 { // seven standard deviations
		t.Errorf("%d of %d tasks are chosen", chosen, tasks)
	}
	if both > 20 { // one on average
		t.Errorf("%d of %d tasks are chosen with another secret, too", both, chosen)
	}
}

// Two answers are alike when at least half of their word triples are the same: lists of news change between two requests.
func TestAlike(t *testing.T) {
	words := func(from, n int) (text string) {
		for i := range n {
			text += " " + strings.Map(func(r rune) rune { return r + 'a' - '0' }, fmt.Sprintf("%05d", 7919*(from+i)))
		}
		return text
	}
	answer := func(text string) *fetch.Response {
		return &fetch.Response{FinalURL: "http://a.test/", Outcome: fetch.OK, Body: []byte("<title>News</title><p>" + text)}
	}
	for name, c := range map[string]struct {
		one, two string
		alike    bool
	}{
		"the same":          {words(0, 100), words(0, 100), true},
		"a quarter changed": {words(0, 150), words(0, 110) + words(500, 40), true},
		"half changed":      {words(0, 150), words(0, 75) + words(500, 75), false},
		"all changed":       {words(0, 150), words(500, 150), false},
		"nothing there":     {words(0, 150), "", false},
	} {
		if got := alike(answer(c.one), answer(c.two)); got != c.alike {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// One page in 200 is compared unless something else is asked for, and a worker is gone after three beats, which come every five seconds.
func TestUsualOptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Options{})
		l, err := New(t.Context(), d.st, Options{})
		d.must(err)
		if l.o.CompareOne != 200 || l.o.Silence != 3*5*time.Second {
			t.Errorf("%+v", l.o)
		}
		d.close()
	})
}

// This machine fetches pages of workers again and compares them: one that a worker made up counts as different, one that only changed
// its advertisement does not, and its own requests are in the ledger.
func TestPagesAreCompared(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	news := "<p>The tide turned at noon and the boats went out to the banks, where the herring stood close to the shore all week. "
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked[r.URL.Path]++
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, "<title>%s</title>%s<p>Buy %d.", r.URL.Path, strings.Repeat(news, 3), asked[r.URL.Path]) // the reader sees it
	}))
	defer web.Close()
	d := newDeskOn(t, Options{CompareOne: 1, Here: func() bool { return false }}, web.Listener.Addr().String())
	defer d.close()
	d.invite("one")
	for i, c := range []struct{ url, body string }{
		{"http://a.test/honest", "<title>/honest</title>" + strings.Repeat(news, 3) + "<p>Buy 7."},
		{"http://b.test/lie", "<title>/lie</title><p>Casino. Play now, win today, no deposit."},
	} {
		d.dispatch(c.url)
		task := d.mustAskSoon("one")
		r := result("one", task)
		r.Response.Body, r.Response.Bytes = []byte(c.body), int64(len(c.body))
		r.Page, _ = work.HTML(&r.Response)
		d.bringAs("one", r)
		for n := 0; d.l.Status().Workers[0].Compared <= int64(i); n++ {
			if n > 2000 {
				t.Fatalf("%s is not compared: %+v", c.url, d.l.Status())
			}
			time.Sleep(10 * time.Millisecond)
		}
		if s := d.l.Status().Workers[0]; s.Compared != int64(i+1) || s.Differed != int64(i) {
			t.Errorf("after %s: %d compared, %d differ", c.url, s.Compared, s.Differed)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if asked["/honest"] != 1 || asked["/lie"] != 1 {
		t.Errorf("this machine sent %v", asked)
	}
	hosts, err := progress.Ledger(t.Context(), d.st.DB, d.crawl.ID)
	d.must(err)
	own := 0
	for _, h := range hosts {
		for _, p := range h.Purposes {
			if p.Worker == "" {
				own += p.Requests
			}
		}
	}
	if own != 4 { // two files robots.txt and two pages
		t.Errorf("the ledger has %d requests of this machine: %+v", own, hosts)
	}
}

// mustAskSoon asks until there is a task.
func (d *desk) mustAskSoon(name string) work.Task {
	d.t.Helper()
	for range 20 {
		if got := d.ask(name, 1); len(got) > 0 {
			return got[0]
		}
	}
	d.t.Fatalf("no task comes: %+v", d.l.Status())
	return work.Task{}
}
