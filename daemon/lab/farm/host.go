package farm

import (
	"sync"
	"time"
)

// host is one server of the farm.
type host struct {
	name   string
	number int
	seed   uint64
	slow   bool
	dead   bool
	errors bool
	limits bool

	mu     sync.Mutex
	asked  uint64    // requests so far, from which faults are drawn
	last   time.Time // time of the last request
	open   int       // requests in progress
	silent time.Time // end of the last Retry-After
	burst  uint64    // request after the current burst of errors
	stats  Stats
}

// Kinds of draws from the seed.
const (
	drawSlow = iota + 1
	drawDead
	drawErrors
	drawLimits
	drawLatency
	drawReset
	drawBurst
	drawPage
)

func newHost(i int, o *Options) *host {
	h := &host{name: hostName(i), number: i, seed: mixed(o.Seed, uint64(i))}
	is := func(draw uint64, part float64) bool { return share(mixed(h.seed, draw)) < part }
	h.slow, h.dead = is(drawSlow, o.Faults.Slow), is(drawDead, o.Faults.Dead)
	h.errors, h.limits = is(drawErrors, o.Faults.Errors), is(drawLimits, o.Faults.Limits)
	return h
}

// arrive counts a request and returns what happens to it.
func (h *host) arrive(now time.Time, o *Options) (n uint64, r Request, p plan) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r = Request{Host: h.name, At: now}
	if gap := now.Sub(h.last); !h.last.IsZero() {
		if h.stats.Requests > 0 && (h.stats.MinGap == 0 || gap < h.stats.MinGap) {
			h.stats.MinGap = gap
		}
		r.Sooner = gap < o.Delay
	}
	r.Early = now.Before(h.silent)
	h.stats.Hosts = 1
	h.stats.Requests++
	h.stats.Sooner += one(r.Sooner)
	h.stats.Early += one(r.Early)
	h.stats.Overlapped += one(h.open > 0)
	h.last = now
	h.open++
	n = h.asked
	h.asked++
	return n, r, h.plan(n, now, &o.Faults)
}

// leave counts the result of a request.
func (h *host) leave(r Request, robots bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open--
	h.stats.Robots += one(robots)
	switch s := r.Status; {
	case s == 0:
		h.stats.Resets++
	case s == 404:
		h.stats.NotFound++
	case s == 429:
		h.stats.Limits++
	case s == 200 && !robots:
		h.stats.Pages++
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Stats are the counts of all hosts; MinGap is the smallest of any host.
func (f *Farm) Stats() Stats {
	var all Stats
	for _, h := range f.HostStats() {
		all.add(h)
	}
	return all
}

// HostStats are the counts by host, without hosts that had no request.
func (f *Farm) HostStats() map[string]Stats {
	all := make(map[string]Stats)
	for _, h := range f.hosts {
		h.mu.Lock()
		if h.stats.Requests > 0 {
			all[h.name] = h.stats
		}
		h.mu.Unlock()
	}
	return all
}

// Reset resets all counts, but not the state of the faults.
func (f *Farm) Reset() {
	for _, h := range f.hosts {
		h.mu.Lock()
		h.stats, h.last = Stats{}, time.Time{}
		h.mu.Unlock()
	}
}

func (s *Stats) add(t Stats) {
	s.Requests += t.Requests
	s.Pages += t.Pages
	s.Robots += t.Robots
	s.Resets += t.Resets
	s.Limits += t.Limits
	s.NotFound += t.NotFound
	s.Sooner += t.Sooner
	s.Overlapped += t.Overlapped
	s.Early += t.Early
	s.Hosts += t.Hosts
	if t.MinGap > 0 && (s.MinGap == 0 || t.MinGap < s.MinGap) {
		s.MinGap = t.MinGap
	}
}

// Host names are made of syllables, since a trap guard that ignores digits would take numbered hosts for a farm of
// subdomains.
const (
	consonants = "bdfgklmnprstvz"
	vowels     = "aeiou"
	sounds     = len(consonants) * len(vowels) // syllables
	nameStep   = 104_729                       // coprime to sounds³, so that all names differ
)

// hostName is three syllables under .test, different for each i.
func hostName(i int) string {
	n := i * nameStep % (sounds * sounds * sounds)
	name := make([]byte, 0, 12)
	for range 3 {
		s := n % sounds
		n /= sounds
		name = append(name, consonants[s/len(vowels)], vowels[s%len(vowels)])
	}
	return string(name) + ".test"
}
