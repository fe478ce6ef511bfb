package fetch

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"nightjar/crawler/clock"
)

// mustFetch fetches a page like the crawl's loop: when the host is ready, and again after Later.
func mustFetch(tb testing.TB, l *Live, url string) (res Response) {
	tb.Helper()
	for range 100 {
		for {
			wait := l.ReadyAt(url).Sub(l.clock.Now())
			if wait <= 0 {
				break
			}
			<-l.clock.NewTimer(wait).C
		}
		if res = l.Fetch(tb.Context(), url); res.Outcome != Later {
			return res
		}
	}
	tb.Errorf("%s is later for ever: %s", url, res.Reason)
	return res
}

// visits records the times of requests for pages of each host, on the clock of the fetcher.
type visits struct {
	clock clock.Clock
	mu    sync.Mutex
	began map[string][]time.Time
	ended map[string][]time.Time
}

func (v *visits) note(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ":")
		v.mu.Lock()
		v.began[host] = append(v.began[host], v.clock.Now())
		v.mu.Unlock()
		h(w, r)
		v.mu.Lock()
		v.ended[host] = append(v.ended[host], v.clock.Now())
		v.mu.Unlock()
	}
}

// TestRetryAfterIsObeyed fetches as often as allowed from servers that are too busy and say so in different ways. No
// request is early.
func TestRetryAfterIsObeyed(t *testing.T) {
	c := clock.NewFast(time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC), 1000)
	busy := func(status int, header func(n int) string) http.HandlerFunc {
		n := atomic.Int32{}
		return func(w http.ResponseWriter, _ *http.Request) {
			if value := header(int(n.Add(1))); value != "" {
				w.Header().Set("Retry-After", value)
			}
			w.WriteHeader(status)
		}
	}
	same := func(value string) func(int) string { return func(int) string { return value } }
	date := func(by time.Duration) func(int) string {
		return func(int) string { return c.Now().Add(by).UTC().Format(http.TimeFormat) }
	}
	exponential := func(n int) time.Duration { return 30 * time.Second << (n - 1) }
	always := func(d time.Duration) func(int) time.Duration { return func(int) time.Duration { return d } }
	v := &visits{clock: c, began: map[string][]time.Time{}, ended: map[string][]time.Time{}}
	pages := map[string]http.HandlerFunc{}
	hosts := map[string]func(n int) time.Duration{} // what lies between request n and the next at least
	for _, h := range []struct {
		name   string
		status int
		header func(int) string
		want   func(int) time.Duration
	}{
		{"seconds", 429, same("120"), always(120 * time.Second)},
		{"busy", 503, same(" 60 "), always(60 * time.Second)},
		{"date", 503, date(90 * time.Second), always(88 * time.Second)}, // a date is cut to the second, at both ends
		{"past", 503, date(-time.Hour), exponential},
		{"long", 429, same("Thu, 05 Nov 1970 12:01:00 GMT"), exponential},
		{"garbage", 429, same("soon"), exponential},
		{"negative", 429, same("-5"), exponential},
		{"none", 503, same(""), exponential},
		{"zero", 503, same("0"), exponential},
		{"forbidden", 403, same("100"), always(100 * time.Second)},
	} {
		pages[h.name+".test/"] = v.note(busy(h.status, h.header))
		hosts[h.name+".test"] = h.want
	}
	pages["huge.test/"] = v.note(busy(429, same("99999999999999999999")))
	pages["far.test/"] = v.note(busy(503, same("Fri, 31 Dec 9999 23:59:59 GMT")))
	w := mustWeb(t, pages)
	l := w.mustLive(t, LiveOptions{Clock: c})
	var wg sync.WaitGroup
	for host := range hosts {
		wg.Go(func() {
			url := "http://" + host + "/"
			for n := 0; n < 4; n++ {
				if got := mustFetch(t, l, url); got.Outcome != Status || got.Status < 400 {
					t.Errorf("%s: %+v", host, got)
				}
				if n == 3 {
					break
				}
				ready := l.ReadyAt(url)
				got := l.Fetch(t.Context(), url)
				switch {
				case got.Outcome == Later && len(got.Exchanges) == 0: // to come earlier brings nothing, and costs the server nothing
				case c.Now().Before(ready):
					t.Errorf("%s: %+v", host, got)
				default: // the machine was busy for so long that it was time: this was the next request
					n++
				}
			}
		})
	}
	wg.Wait()
	for host, want := range hosts {
		if n := len(v.began[host]); n != 4 {
			t.Errorf("%s was asked %d times", host, n)
		}
		from := v.ended[host]
		if host == "date.test" {
			from = v.began[host] // the date is of the time when the answer was made
		}
		for n := 1; n < len(v.began[host]); n++ {
			if gap := v.began[host][n].Sub(from[n-1]); gap < want(n)-time.Millisecond*500 {
				t.Errorf("%s: request %d after %v; want %v", host, n+1, gap, want(n))
			}
		}
	}
	for _, host := range []string{"huge.test", "far.test"} {
		mustFetch(t, l, "http://"+host+"/")
		if at := l.ReadyAt("http://" + host + "/x").Sub(c.Now()); at < 23*time.Hour || at > maxSilence {
			t.Errorf("%s is ready in %v", host, at)
		}
	}
}

// TestLiveRestart makes a second fetcher: it waits for the rest of a delay, and keeps silences.
func TestLiveRestart(t *testing.T) {
	now := time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC)
	w := mustWeb(t, map[string]http.HandlerFunc{"a.test/": say("a"), "b.test/": say("b"), "c.test/": say("c"), "busy.test/": say("busy")})
	o := LiveOptions{Clock: clock.Func(func() time.Time { return now }), Delay: 50 * time.Second,
		Hosts: []HostState{
			{Host: "a.test", Asked: now.Add(-10 * time.Second), Set: now}, {Host: "b.test", Asked: now.Add(-time.Hour), NotBefore: now.Add(-time.Second)},
			{Host: "c.test", Asked: now.Add(24 * time.Hour), Set: now.Add(24 * time.Hour), NotBefore: now.Add(24*time.Hour + 20*time.Second)},
			{Host: "busy.test", Set: now.Add(-time.Minute), NotBefore: now.Add(time.Hour)}, {Host: "open.test", Open: true},
		},
	}
	began := time.Now() // what has passed since counts, although the clock does not show it
	l := w.mustLive(t, o)
	for host, want := range map[string]time.Duration{"a.test": 40 * time.Second, "b.test": 0, "c.test": 50 * time.Second, "busy.test": time.Hour, "open.test": 50 * time.Second} {
		at := l.ReadyAt("http://" + host + "/")
		if at.IsZero() && want == 0 {
			continue
		}
		if wait := at.Sub(now); wait > want || wait < want-time.Since(began) {
			t.Errorf("%s is ready in %v; want %v", host, wait, want)
		}
	}
	if got := l.Fetch(t.Context(), "http://a.test/"); got.Outcome != Later || len(w.asks) != 0 {
		t.Errorf("%+v; asked %v", got, w.asks)
	}
	c := clock.NewFast(now, 100)
	o.Clock = c
	mustFetch(t, w.mustLive(t, o), "http://a.test/")
	if since := c.Now().Sub(now); since < 90*time.Second || len(w.asks) != 2 { // robots.txt after 40 s, the page 50 s later
		t.Errorf("asked %v within %v", w.asks, since)
	}
}

// TestRobotsFailures fetches from hosts whose robots.txt fails for a moment, or always.
func TestRobotsFailures(t *testing.T) {
	c := clock.NewFast(time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC), 2000)
	n := atomic.Int32{}
	reset := func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			conn.Close()
		}
	}
	w := mustWeb(t, map[string]http.HandlerFunc{
		"once.test/robots.txt": func(w http.ResponseWriter, r *http.Request) {
			if n.Add(1) == 1 {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		},
		"once.test/":           say("x"),
		"down.test/robots.txt": code(500), "busy.test/robots.txt": code(429), "cut.test/robots.txt": reset,
	})
	l := w.mustLive(t, LiveOptions{Clock: c, Delay: time.Second})
	for url, want := range map[string]Outcome{"http://once.test/": OK, "http://down.test/": Robots, "http://busy.test/": Robots, "http://cut.test/": Network} {
		later, at := 0, c.Now()
		got := l.Fetch(t.Context(), url)
		for ; got.Outcome == Later && later < 10; later++ {
			<-c.NewTimer(l.ReadyAt(url).Sub(c.Now())).C
			got = l.Fetch(t.Context(), url)
		}
		if got.Outcome != want || want != OK && later != robotsTries-1 {
			t.Errorf("%s: %s %q after %d attempts", url, got.Outcome, got.Reason, later)
		}
		if took := c.Now().Sub(at); want != OK && took < 24*time.Second {
			t.Errorf("%s: three attempts within %v", url, took)
		}
	}
	for _, asked := range w.asked() {
		if asked != "once.test/" {
			t.Errorf("%s was asked for", asked)
		}
	}
}

// TestRedirectLater follows a redirect on a host that must rest for long: a later fetch continues from the redirect.
func TestRedirectLater(t *testing.T) {
	c := clock.NewFast(time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC), 2000)
	w := mustWeb(t, map[string]http.HandlerFunc{
		"a.test/robots.txt": say("User-agent: *\nCrawl-delay: 300"),
		"a.test/1":          to("/2", 301), "a.test/2": to("/3", 302), "a.test/3": say("here"),
		"a.test/to": to("http://busy.test/", 302), "busy.test/": say("x"),
	})
	l := w.mustLive(t, LiveOptions{Clock: c, Hosts: []HostState{{Host: "busy.test", Set: c.Now(), NotBefore: c.Now().Add(20 * time.Hour)}}})
	got := mustFetch(t, l, "http://a.test/1")
	if got.Outcome != OK || got.FinalURL != "http://a.test/3" || strings.Join(got.Redirects, " ") != "http://a.test/2" || string(got.Body) != "here" {
		t.Errorf("%+v", got)
	}
	if asked := strings.Join(w.asks, " "); asked != "a.test/robots.txt a.test/1 a.test/2 a.test/3" {
		t.Errorf("asked for %s", asked)
	}
	if got := mustFetch(t, l, "http://a.test/to"); got.Outcome != Timeout || !strings.Contains(got.Reason, "next request to busy.test has to wait") {
		t.Errorf("a redirect to a host that is silent for hours: %+v", got)
	}
}

// TestRedirectHosts follows redirects through twenty hosts, and an endless chain. The robots.txt of each new host is
// requested first.
func TestRedirectHosts(t *testing.T) {
	pages := map[string]http.HandlerFunc{"shut.test/robots.txt": say("User-agent: *\nDisallow: /"), "x.test/": to("http://shut.test/", 302)}
	for i := range 20 {
		pages[fmt.Sprintf("h%d.test/", i)] = to(fmt.Sprintf("http://h%d.test/", i+1), 302)
		pages[fmt.Sprintf("q.test/?n=%d", i)] = to(fmt.Sprintf("/?n=%d", i+1), 302)
	}
	w := mustWeb(t, pages)
	l := w.mustLive(t, LiveOptions{})
	if got := l.Fetch(t.Context(), "http://h0.test/"); got.Outcome != Redirects || len(got.Redirects) != MaxRedirects-1 {
		t.Errorf("%+v", got)
	}
	want := "h0.test/robots.txt h0.test/ h1.test/robots.txt h1.test/ h2.test/robots.txt h2.test/ h3.test/robots.txt h3.test/ h4.test/robots.txt h4.test/ h5.test/robots.txt h5.test/"
	if asked := strings.Join(w.asks, " "); asked != want {
		t.Errorf("asked for %s", asked)
	}
	if got := l.Fetch(t.Context(), "http://q.test/?n=0"); got.Outcome != Redirects || len(w.asked()) != 2*(MaxRedirects+1) {
		t.Errorf("%+v after %d pages", got, len(w.asked()))
	}
	if got := l.Fetch(t.Context(), "http://x.test/"); got.Outcome != Robots || strings.Contains(strings.Join(w.asked(), " "), "shut.test") {
		t.Errorf("%+v; asked for %v", got, w.asked())
	}
}

// mustNames is a resolver for the given names.
func mustNames(t *testing.T, names map[string][]string) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := server.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil {
				continue
			}
			m.Response, m.Additionals = true, nil
			q := m.Questions[0]
			ips, ok := names[strings.TrimSuffix(q.Name.String(), ".")]
			if !ok {
				m.RCode = dnsmessage.RCodeNameError
			}
			if q.Type == dnsmessage.TypeA {
				for _, ip := range ips {
					m.Answers = append(m.Answers, dnsmessage.Resource{
						Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class},
						Body:   &dnsmessage.AResource{A: netip.MustParseAddr(ip).As4()},
					})
				}
			}
			if out, err := m.Pack(); err == nil {
				server.WriteTo(out, from)
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// TestOneRequestPerAddress fetches at once from many hosts that share two addresses: each address gets one request at a
// time, and a host whose first address is dead is reached at its second.
func TestOneRequestPerAddress(t *testing.T) {
	var mu sync.Mutex
	at, most, all := map[string]int{}, map[string]int{}, map[string]int{}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		here := r.Context().Value(http.LocalAddrContextKey).(net.Addr).String()
		mu.Lock()
		at[here]++
		all[here]++
		most[here] = max(most[here], at[here])
		mu.Unlock()
		time.Sleep(2 * time.Millisecond)
		mu.Lock()
		at[here]--
		mu.Unlock()
		say("x")(w, r)
	}))
	ln, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Skip("left out: no port to listen on all addresses: ", err)
	}
	s.Listener.Close()
	s.Listener = ln
	s.Start()
	defer s.Close()
	port := ln.Addr().(*net.TCPAddr).Port
	names := map[string][]string{}
	for i := range 12 {
		names[fmt.Sprintf("h%d.example.com", i)] = []string{fmt.Sprintf("127.0.0.%d", 2+i%2)}
	}
	names["both.example.com"] = []string{"127.0.0.2", "127.0.0.3"}
	l := NewLive(LiveOptions{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, UserAgent: "Nightjar/1.0"})
	defer l.Close()
	l.guard.resolver = mustNames(t, names)
	l.limiter.lookup = l.guard.addresses
	var wg sync.WaitGroup
	for host := range names {
		wg.Go(func() {
			for i := range 5 {
				if got := mustFetch(t, l, fmt.Sprintf("http://%s:%d/%d", host, port, i)); got.Outcome != OK {
					t.Errorf("%s: %s %s", host, got.Outcome, got.Reason)
				}
			}
		})
	}
	wg.Wait()
	for _, ip := range []string{"127.0.0.2", "127.0.0.3"} {
		here := fmt.Sprintf("%s:%d", ip, port)
		if most[here] != 1 || all[here] < 6*6 {
			t.Errorf("%s: %d requests, %d of them at once", here, all[here], most[here])
		}
	}
	got := mustFetch(t, l, fmt.Sprintf("http://nowhere.example.com:%d/", port))
	if got.Outcome != Network || len(got.Exchanges) != 1 || got.Exchanges[0].Reason == "" {
		t.Errorf("%+v", got)
	}
	if len(l.limiter.addrs) != 0 {
		t.Errorf("%d seats are taken when nobody asks", len(l.limiter.addrs))
	}
}

// TestDeadAddress reaches a host at its second address, and prefers that from then on.
func TestDeadAddress(t *testing.T) {
	s := httptest.NewServer(say("x"))
	defer s.Close()
	port := s.Listener.Addr().(*net.TCPAddr).Port
	l := NewLive(LiveOptions{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, UserAgent: "Nightjar/1.0"})
	defer l.Close()
	l.guard.resolver = mustNames(t, map[string][]string{"a.example.com": {"127.0.0.9", "127.0.0.1"}})
	got := mustFetch(t, l, fmt.Sprintf("http://a.example.com:%d/", port))
	if n := len(got.Exchanges); got.Outcome != OK || n == 0 || got.Exchanges[n-1].Addr != "127.0.0.1" {
		t.Errorf("%+v", got)
	}
	if first := l.limiter.hosts["a.example.com"].addrs[0]; first != netip.MustParseAddr("127.0.0.1") {
		t.Errorf("%s is asked first", first)
	}
}
