package crawler_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
)

// TestCrawlWhenTheClockIsSet crawls twenty hosts while the clock jumps forward by eight hours, as after sleep, and back by
// a day. No host is contacted before its delay has really passed, and none waits for a time that the clock showed earlier.
func TestCrawlWhenTheClockIsSet(t *testing.T) {
	const (
		speed = 400
		delay = 40 * time.Second // 100 ms in truth
		hosts = 20
		pages = 6
	)
	c := clock.NewFast(time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC), speed)
	var mu sync.Mutex
	ended, asked := map[string]time.Time{}, map[string]int{}
	total := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		if last, ok := ended[r.Host]; ok && time.Since(last) < delay/speed-time.Millisecond {
			t.Errorf("%s was contacted %v after the last request; want %v", r.Host, time.Since(last), delay/speed)
		}
		asked[r.Host+r.URL.Path]++
		switch total++; total {
		case 2 * hosts:
			c.Jump(8 * time.Hour)
		case 4 * hosts:
			c.Jump(-24 * time.Hour)
		}
		mu.Unlock()
		if r.URL.Path != "/robots.txt" {
			w.Header().Set("Content-Type", "text/html")
			for i := range pages {
				fmt.Fprintf(w, "<a href=/%d>page %d</a> ", i, i)
			}
			fmt.Fprintf(w, "<title>%s%s</title><p>words of %[1]s about %[2]s", r.Host, r.URL.Path)
		}
		mu.Lock()
		ended[r.Host] = time.Now()
		mu.Unlock()
	}))
	defer s.Close()
	rule, err := fetch.ParseResolve("*.test=" + s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	live := fetch.NewLive(fetch.LiveOptions{Resolve: []fetch.Resolve{rule}, Delay: delay, Clock: c})
	defer live.Close()
	o := crawler.Options{Workers: 5, Clock: c, Live: true, Budget: crawler.Budget{Time: 20 * time.Hour}}
	for i := range hosts {
		o.Starts = append(o.Starts, fmt.Sprintf("http://h%d.test/0", i))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a day of this clock is more
	defer cancel()
	heard := &listener{Live: live, answers: map[string]int{}}
	result, err := crawler.Run(ctx, heard, counting{}, o)
	if err != nil || result.Fetched != hosts*pages || result.End != crawler.NoLinks {
		t.Errorf("%+v: %v", result, err)
	}
	for url, n := range asked {
		if n > 2 || n > 1 && strings.HasSuffix(url, "/robots.txt") {
			t.Errorf("%s was requested %d times", url, n)
		}
	}
	// A fetch that is under way when the clock is set, and times out, looks as if the machine had slept through it, and is made once
	// more. On a busy machine, 150 ms without a turn look like that, too. Without answers, the crawl asks for a page that it has read,
	// to see whether the network works. Nothing else that was answered is requested again.
	again := 0
	for _, n := range heard.answers {
		again += n - 1
	}
	if again > heard.silent {
		t.Errorf("%d pages that were answered were requested again, after %d requests without an answer", again, heard.silent)
	}
}

// listener counts the answers for each page, and the requests without one.
type listener struct {
	*fetch.Live
	mu      sync.Mutex
	answers map[string]int
	silent  int
}

func (l *listener) Fetch(ctx context.Context, url string) fetch.Response {
	r := l.Live.Fetch(ctx, url)
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Outcome == fetch.OK {
		l.answers[url]++
	} else {
		l.silent++
	}
	return r
}
