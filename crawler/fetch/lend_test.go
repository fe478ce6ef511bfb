package fetch

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func mustLend(t *testing.T, l *Live, url string) *Loan {
	t.Helper()
	n, not := l.Lend(t.Context(), url)
	if n == nil {
		t.Fatalf("%s was not lent: %+v", url, not)
	}
	return n
}

// lentAfter returns after what time a host can be lent.
func lentAfter(t *testing.T, l *Live, url string) time.Duration {
	t.Helper()
	began := time.Now()
	for range 10_000 {
		n, not := l.Lend(t.Context(), url)
		if n != nil {
			n.Back()
			return time.Since(began)
		}
		if not.Answer != nil {
			t.Fatalf("%s is never lent: %+v", url, not.Answer)
		}
		time.Sleep(time.Until(not.At))
	}
	t.Fatalf("%s is never lent", url)
	return 0
}

func asked(url string, status int, addr string) []Exchange {
	return []Exchange{{URL: url, Purpose: ForPage, Addr: addr, At: time.Now(), Took: 20 * time.Millisecond, Status: status}}
}

// A lent host is lent to nobody else, and this fetcher sends it nothing, until the loan ends and the delay has passed.
func TestLendIsExclusive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLive(LiveOptions{Delay: 2 * time.Second})
		n := mustLend(t, l, "http://a.example.org/")
		mustLend(t, l, "http://b.example.org/")
		if n.Delay != 2*time.Second {
			t.Errorf("delay %v", n.Delay)
		}
		if again, not := l.Lend(t.Context(), "https://a.example.org/other"); again != nil || not.Answer != nil || !not.At.After(time.Now()) {
			t.Errorf("lent twice: %+v, %+v", again, not)
		}
		if res := l.Fetch(t.Context(), "http://a.example.org/other"); res.Outcome != Later || len(res.Exchanges) != 0 {
			t.Errorf("fetched meanwhile: %+v", res)
		}
		time.Sleep(time.Minute)
		if again, _ := l.Lend(t.Context(), "http://a.example.org/"); again != nil {
			t.Error("lent again while it was not returned")
		}
		n.Return(t.Context(), Facts{Exchanges: asked("http://a.example.org/", 200, "")})
		n.Return(t.Context(), Facts{Exchanges: asked("http://a.example.org/", 503, "")}) // changes nothing
		n.Lost(t.Context())
		if d := lentAfter(t, l, "http://a.example.org/"); d < 2*time.Second || d > 3*time.Second {
			t.Errorf("lent again after %v", d)
		}
		n = mustLend(t, l, "http://a.example.org/")
		n.Lost(t.Context())
		if d := lentAfter(t, l, "http://a.example.org/"); d < 2*time.Second || d > 3*time.Second {
			t.Errorf("lent again after %v", d)
		}
	})
}

// What a worker learned of a host counts as if this fetcher had learned it.
func TestLentHostRests(t *testing.T) {
	for name, c := range map[string]struct {
		facts       Facts
		least, most time.Duration
	}{
		"busy":               {Facts{Exchanges: asked("http://a.example.org/", 503, "")}, firstBackoff, firstBackoff + time.Second},
		"asked for an hour":  {Facts{Exchanges: asked("http://a.example.org/", 429, ""), Rest: time.Hour, Why: RestAsked}, time.Hour, time.Hour + time.Second},
		"asked for a year":   {Facts{Exchanges: asked("http://a.example.org/", 429, ""), Rest: 9000 * time.Hour, Why: RestAsked}, maxSilence, maxSilence + time.Second},
		"no answer":          {Facts{Exchanges: asked("http://a.example.org/", 0, "")}, failFactor * time.Second, (failFactor + 1) * time.Second},
		"the worker gave up": {Facts{Exchanges: asked("http://a.example.org/", 0, ""), GaveUp: true}, time.Second, 2 * time.Second},
		"another host failed": {
			Facts{Exchanges: append(asked("http://a.example.org/", 200, ""), asked("http://b.example.org/", 503, "")...)}, time.Second, 2 * time.Second,
		},
		"robots.txt wants a pause": {Facts{
			Exchanges: asked("http://a.example.org/robots.txt", 200, ""),
			Robots:    []RobotsFile{{Origin: "http://a.example.org", Read: time.Now(), Keep: time.Hour, Body: []byte("User-agent: *\nCrawl-delay: 7")}},
		}, 7 * time.Second, 8 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := NewLive(LiveOptions{Delay: time.Second})
				for i := range c.facts.Robots {
					c.facts.Robots[i].Read = time.Now()
				}
				n := mustLend(t, l, "http://a.example.org/")
				n.Return(t.Context(), c.facts)
				if d := lentAfter(t, l, "http://a.example.org/"); d < c.least || d > c.most {
					t.Errorf("lent again after %v", d)
				}
			})
		})
	}
}

// Hosts that a worker found at one address are lent one after the other, and no connection goes where a worker said.
func TestLendByAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLive(LiveOptions{Delay: time.Second})
		for _, host := range []string{"a", "b"} {
			mustLend(t, l, "http://"+host+".example.org/").Return(t.Context(), Facts{Exchanges: asked("http://"+host+".example.org/", 200, "203.0.113.7")})
		}
		time.Sleep(time.Minute)
		n := mustLend(t, l, "http://a.example.org/")
		if both, _ := l.Lend(t.Context(), "http://b.example.org/"); both != nil {
			t.Error("two hosts of an address were lent")
		}
		n.Back()
		n = mustLend(t, l, "http://b.example.org/")
		if _, addrs := pinned(n.slot.pin(context.Background())); len(addrs) != 0 {
			t.Errorf("connections go to %v", addrs)
		}
	})
}

// What must not be requested is not lent, as far as that is known.
func TestLendRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLive(LiveOptions{Delay: time.Second, Refuse: func(url string) bool { return url == "http://never.example.org/" }})
		mustLend(t, l, "http://a.example.org/").Return(t.Context(), Facts{Robots: []RobotsFile{
			{Origin: "http://a.example.org", Read: time.Now(), Keep: time.Hour, Body: []byte("User-agent: *\nDisallow: /no")},
			{Origin: "http://other.example.org", Read: time.Now(), Keep: time.Hour, Body: []byte("User-agent: *\nDisallow: /")},
		}})
		time.Sleep(time.Minute)
		mustLend(t, l, "http://other.example.org/")
		mustLend(t, l, "http://a.example.org/yes").Back()
		for url, want := range map[string]Outcome{
			"http://a.example.org/no": Robots, "http://never.example.org/": Refused, "http://127.0.0.1/": Refused, "http://router.lan/": Refused,
			"http://b.example.org:8080/": Refused, "http://user:word@b.example.org/": Refused, "ftp://b.example.org/": Refused,
		} {
			n, not := l.Lend(t.Context(), url)
			if n != nil || not.Answer == nil || not.Answer.Outcome != want || not.Answer.Reason == "" {
				t.Errorf("%s: %+v, %+v", url, n, not)
			}
		}
	})
}

// After one worker has probed a host, the next loan says so.
func TestLendTellsProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLive(LiveOptions{Delay: time.Second, Probe: true})
		n := mustLend(t, l, "http://a.example.org/")
		if n.Probed {
			t.Errorf("known before: %+v", n)
		}
		n.Return(t.Context(), Facts{Exchanges: asked("http://a.example.org/", 200, ""), Probed: true})
		time.Sleep(time.Minute)
		if n = mustLend(t, l, "http://a.example.org/"); !n.Probed {
			t.Errorf("known after: %+v", n)
		}
	})
}
