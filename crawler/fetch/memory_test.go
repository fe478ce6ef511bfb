package fetch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"nightjar/crawler/clock"
)

// noted is a Memory in memory. What is on its disk is what a later fetcher finds.
type noted struct {
	mu     sync.Mutex
	disk   map[string]HostState
	later  map[string]HostState // not on disk yet
	robots map[string]RobotsFile
	probes map[string][]byte
	probed map[string]time.Time
	lists  map[string]HostList
	fails  bool
}

func newNoted() *noted {
	return &noted{disk: map[string]HostState{}, later: map[string]HostState{}, robots: map[string]RobotsFile{},
		probes: map[string][]byte{}, probed: map[string]time.Time{}, lists: map[string]HostList{}}
}

var errFull = errors.New("the disk is full")

func (m *noted) Open(_ context.Context, host string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fails {
		return errFull
	}
	h := m.disk[host]
	h.Host, h.Open = host, true
	m.disk[host] = h
	return nil
}

func (m *noted) Keep(_ context.Context, h HostState, now bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.later[h.Host] = h
	if now {
		m.flush(true)
	}
	return nil
}

func (m *noted) flush(open bool) {
	for host, h := range m.later {
		if was, ok := m.disk[host]; ok {
			h.Open, h.Delay = open, was.Delay
			m.disk[host] = h
		}
	}
	clear(m.later)
}

func (m *noted) Close(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.flush(false)
	for host, h := range m.disk {
		h.Open = false
		m.disk[host] = h
	}
	return nil
}

func (m *noted) Robots(_ context.Context, origin string) (RobotsFile, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.robots[origin]
	return f, ok
}

func (m *noted) PutRobots(_ context.Context, f RobotsFile) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.robots[f.Origin] = f
	_, host, _ := strings.Cut(f.Origin, "://")
	h := m.disk[host]
	h.Delay = f.Delay
	m.disk[host] = h
	return nil
}

func (m *noted) Probe(_ context.Context, host string) ([]byte, time.Time, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := m.probed[host]
	return m.probes[host], at, ok
}

func (m *noted) PutProbe(_ context.Context, host string, missing []byte, at time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.probes[host], m.probed[host] = missing, at
	return nil
}

func (m *noted) List(_ context.Context, host string) (HostList, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	h, ok := m.lists[host]
	return h, ok
}

func (m *noted) PutList(_ context.Context, h HostList) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lists[h.Host] = h
	return nil
}

// hosts is what a fetcher starts with.
func (m *noted) hosts() []HostState {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Collect(maps.Values(m.disk))
}

// polite is one host as it sees itself, in true time, whatever clocks show.
type polite struct {
	next   time.Time     // it asked not to be asked before
	most   time.Time     // a polite client has no reason to wait longer
	rest   time.Duration // between the last answer and next
	set    time.Duration // how far the clock was set when its state was stored last
	moved  bool          // the clock was set since it was asked
	unsure bool          // the clock was set forward since, and no stored time can tell that from waiting
}

// restarted is called when a fetcher starts after another one that ended in order or not.
func (h *polite) restarted(before, now time.Duration, inOrder bool) {
	was := h.set
	if inOrder {
		was = before
	}
	h.unsure = h.unsure || now > was
	h.moved = h.moved || now != before || h.set != before
	if h.moved { // what it asked for may count again from now on
		h.most = time.Now().Add(h.rest)
	}
	h.set = now
}

// TestMemoryProperties plays fetchers that are ended in order, killed, and started again while the clock is set, by a time that
// only the test knows. No host is asked sooner than it allows, nor left alone for longer than it asked for.
func TestMemoryProperties(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) { playMemory(t, rand.New(rand.NewPCG(seed, 19))) })
	}
}

func playMemory(t *testing.T, random *rand.Rand) {
	const delay = 2 * time.Second
	var set time.Duration
	shown := clock.Func(func() time.Time { return time.Now().Add(set) })
	memory, hosts := newNoted(), map[string]*polite{"a.test": {}, "b.test": {}, "c.test": {}}
	names := slices.Sorted(maps.Keys(hosts))
	start := func() *Live {
		l := NewLive(LiveOptions{Delay: delay, Clock: shown, Memory: memory, Hosts: memory.hosts()})
		l.limiter.lookup = nil
		return l
	}
	l := start()
	for range 200 {
		switch step := random.IntN(20); {
		case step < 3:
			before := set
			if step < 2 {
				l.Close()
			}
			time.Sleep(time.Duration(random.IntN(3000)) * time.Millisecond)
			if random.IntN(4) == 0 {
				set += []time.Duration{365 * 24 * time.Hour, -24 * time.Hour, -time.Hour, time.Hour, -20 * 365 * 24 * time.Hour}[random.IntN(5)]
			}
			for _, h := range hosts {
				h.restarted(before, set, step < 2)
			}
			memory.killed()
			l = start()
		case step == 3: // the clock is set while a fetcher runs
			set += time.Duration(random.IntN(400)-200) * 24 * time.Hour
		case step < 7:
			time.Sleep(time.Duration(random.ExpFloat64() * float64(3*time.Second)))
		default:
			name := names[random.IntN(len(names))]
			if askPolitely(t, l, name, hosts[name], delay, random) {
				hosts[name].set = set
			}
		}
	}
}

// killed forgets what is not on disk.
func (m *noted) killed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.later)
}

// askPolitely asks a host if it may be asked within a minute, and checks that this is neither too soon nor too late. It reports
// whether it asked.
func askPolitely(t *testing.T, l *Live, name string, h *polite, delay time.Duration, random *rand.Rand) (asked bool) {
	t.Helper()
	x := &Exchange{URL: "http://" + name + "/", Purpose: ForPage}
	v, err := l.startRequest(withWaitLimit(t.Context(), waitLimit{time.Minute, true}), &Response{}, x)
	now := time.Now()
	if later, ok := errors.AsType[*errNotReady](err); ok {
		if wait := later.at.Sub(l.clock.Now()); wait > maxSilence || now.Add(wait).After(h.most.Add(time.Second)) {
			t.Errorf("%s is left alone for %v, and asked for %v", name, wait, h.most.Sub(now))
		}
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	if now.Before(h.next) && !h.unsure {
		t.Errorf("%s was asked %v too soon", name, h.next.Sub(now))
	}
	took := time.Duration(random.IntN(150)) * time.Millisecond
	time.Sleep(took)
	x.Status, x.Took = http.StatusOK, took
	header := http.Header{}
	h.rest = delay
	if random.IntN(3) == 0 {
		seconds := []int{1, 5, 59, 600, 7200, 86400}[random.IntN(6)]
		x.Status, h.rest = http.StatusServiceUnavailable, max(delay, time.Duration(seconds)*time.Second)
		header.Set("Retry-After", fmt.Sprint(seconds))
	}
	l.endRequest(t.Context(), v, x, header, nil)
	h.next, h.most, h.moved, h.unsure = time.Now().Add(h.rest), time.Now().Add(h.rest), false, false
	return true
}

// all are the requests so far, those for robots.txt included.
func (w *web) all() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.asks)
}

// TestMemoryAcrossFetchers: what one fetcher learned, the next ones believe as long as it holds: robots.txt, with what it forbids
// and its Crawl-delay, the probe, and what the host lists.
func TestMemoryAcrossFetchers(t *testing.T) {
	c := clock.NewFast(time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC), 1000)
	var asked atomic.Int64 // when the latest page or sitemap was asked for, on the clock
	note := func(page http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			asked.Store(c.Now().UnixNano())
			page(w, r)
		}
	}
	w := mustWeb(t, map[string]http.HandlerFunc{
		"a.test/": note(say("a")), "a.test/2": note(say("2")), "a.test/shut": say("shut"), "a.test/robots.txt": say("User-agent: *\nDisallow: /shut\nCrawl-delay: 7"),
		"a.test/sitemap.xml": note(xml("<urlset><url><loc>/2</loc></url><url><loc>/shut</loc></url></urlset>")),
	})
	memory := newNoted()
	start := func() *Live {
		return w.mustLive(t, LiveOptions{Clock: c, Probe: true, Sitemaps: true, Memory: memory, Hosts: memory.hosts()})
	}
	patient := func(ask func(context.Context, string) Response, url string) Response {
		for {
			if res := ask(t.Context(), url); res.Outcome != Later {
				return res
			}
			<-c.NewTimer(time.Second).C
		}
	}
	fetched := func(l *Live, url string) Response { return patient(l.Fetch, url) }
	listed := func(l *Live) Response { return patient(l.List, "http://a.test/robots.txt") }
	l := start()
	if res := fetched(l, "http://a.test/"); res.Outcome != OK || len(w.all()) != 3 {
		t.Fatalf("%+v; asked for %v", res, w.all())
	}
	if from, urls := flat(listed(l)); from != "http://a.test/sitemap.xml" || !slices.Equal(urls, []string{"http://a.test/2"}) || len(w.all()) != 4 {
		t.Fatalf("%s: %q; asked for %v", from, urls, w.all())
	}
	for i := range 3 {
		memory.killed()
		l := start()
		at := l.ReadyAt("http://a.test/2")
		if now := c.Now(); at.Before(now) { // on a busy machine, the delay may be over
			at = now
		}
		if wait := at.Sub(time.Unix(0, asked.Load())); wait < 5*time.Second {
			t.Errorf("start %d: ready %v after the last page, with a Crawl-delay of 7 s", i, wait)
		}
		before := len(w.all())
		if res := fetched(l, "http://a.test/2"); res.Outcome != OK || len(w.all()) != before+1 {
			t.Errorf("start %d: %+v; asked for %v", i, res, w.all()[before:])
		}
		if res := fetched(l, "http://a.test/shut"); res.Outcome != Robots || len(w.all()) != before+1 {
			t.Errorf("start %d: %+v; asked for %v", i, res, w.all()[before:])
		}
		if from, urls := flat(listed(l)); from != "http://a.test/sitemap.xml" || len(urls) != 1 || len(w.all()) != before+1 {
			t.Errorf("start %d: %s: %q; asked for %v", i, from, urls, w.all()[before:])
		}
	}
	before := len(w.all())
	c.Jump(probeTTL)
	l = start()
	if res := fetched(l, "http://a.test/2"); res.Outcome != OK || len(w.all()) != before+3 {
		t.Errorf("a week later: %+v; asked for %v", res, w.all()[before:])
	}
	if res := listed(l); len(res.Lists) != 1 || len(w.all()) != before+4 {
		t.Errorf("a week later: %+v; asked for %v", res, w.all()[before:])
	}
	before = len(w.all())
	c.Jump(-2 * probeTTL) // robots.txt from the future holds for a day from now on, once
	for day := range 2 {
		if res := fetched(start(), "http://a.test/shut"); res.Outcome != Robots || len(w.all()) != before+day {
			t.Errorf("day %d after the clock was set back: %+v; asked for %v", day, res, w.all()[before:])
		}
		c.Jump(robotsTTL)
	}
}

// TestMemoryFails: when it cannot be stored that a host will be asked, it is not asked.
func TestMemoryFails(t *testing.T) {
	w := mustWeb(t, map[string]http.HandlerFunc{"a.test/": say("a")})
	memory := newNoted()
	memory.fails = true
	l := w.mustLive(t, LiveOptions{Memory: memory})
	if res := l.Fetch(t.Context(), "http://a.test/"); res.Outcome != Canceled || !strings.Contains(res.Reason, errFull.Error()) || len(w.all()) != 0 || len(res.Exchanges) != 0 {
		t.Errorf("%+v; asked for %v", res, w.all())
	}
	memory.fails = false
	if res := l.Fetch(t.Context(), "http://a.test/"); res.Outcome != OK {
		t.Errorf("%+v", res)
	}
}
