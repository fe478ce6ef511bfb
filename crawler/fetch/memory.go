package fetch

import (
	"context"
	"sync"
	"time"
)

// Memory keeps what hosts asked for beyond the life of a fetcher, so that it holds after a restart, in the next crawl and on
// the next day. Its methods may be called concurrently. What it cannot read counts as unknown: it is asked for again.
type Memory interface {
	// Open stores that requests may go to a host from now on, and is durable when it returns. A host that is still open when a
	// program starts may have been asked until then. Open does nothing for a host that is open.
	Open(ctx context.Context, host string) error
	// Keep stores the state of a host that was open before. With now it is durable when Keep returns. Otherwise it is stored with the next
	// change, and what did not become durable follows from the host being open.
	Keep(ctx context.Context, h HostState, now bool) error
	// Close stores all states and that no host is open any more.
	Close(ctx context.Context) error

	// Robots returns the stored robots.txt of an origin, which may have expired, and PutRobots stores one.
	Robots(ctx context.Context, origin string) (f RobotsFile, ok bool)
	PutRobots(ctx context.Context, f RobotsFile) error
	// Probe returns the page that a host shows for an address that cannot exist, nil for none, and when it was asked for;
	// PutProbe stores it.
	Probe(ctx context.Context, host string) (missing []byte, at time.Time, ok bool)
	PutProbe(ctx context.Context, host string, missing []byte, at time.Time) error
	// List returns what a host listed, and PutList stores it for an open host.
	List(ctx context.Context, host string) (h HostList, ok bool)
	PutList(ctx context.Context, h HostList) error
}

// HostState is when a host was asked last and what it asked for. Times are those of Clock.Now.
type HostState struct {
	Host      string
	Open      bool      // a fetcher that did not end in order may have sent requests until now
	Asked     time.Time // start of the last known request; zero for none
	Set       time.Time // when NotBefore was worked out
	NotBefore time.Time // earliest start of the next request
	Why       Rest
	Busy      int           // answers in a row that said it was too busy
	Failed    int           // requests in a row without answer, or with a server error
	Delay     time.Duration // Crawl-delay of its robots.txt, 0 for none
}

// Rest says why a host is left alone for longer than the usual pause.
type Rest string

// The reasons.
const (
	RestNone   Rest = ""
	RestAsked  Rest = "asked"  // it asked for it, by Retry-After
	RestBusy   Rest = "busy"   // it was too busy and did not say for how long
	RestFailed Rest = "failed" // it did not answer, or with a server error
)

// RobotsFile is the robots.txt of one origin as it was read.
type RobotsFile struct {
	Origin  string
	Read    time.Time
	Keep    time.Duration // how long it holds
	Body    []byte        // empty if the origin has none
	Outcome Outcome       // why no page may be requested; "" if Body says which may
	Reason  string
	Delay   time.Duration // Crawl-delay, 0 for none
}

// probeTTL is how long the result of a probe is believed: a site changes its look now and then.
const probeTTL = 7 * 24 * time.Hour

// forgets is a Memory that keeps nothing but lists, and these only as long as it exists.
type forgets struct {
	mu    sync.Mutex
	lists map[string]HostList
}

func (*forgets) Open(context.Context, string) error                        { return nil }
func (*forgets) Keep(context.Context, HostState, bool) error               { return nil }
func (*forgets) Close(context.Context) error                               { return nil }
func (*forgets) Robots(context.Context, string) (f RobotsFile, ok bool)    { return f, false }
func (*forgets) PutRobots(context.Context, RobotsFile) error               { return nil }
func (*forgets) PutProbe(context.Context, string, []byte, time.Time) error { return nil }

func (*forgets) Probe(context.Context, string) (missing []byte, at time.Time, ok bool) {
	return nil, at, false
}

func (m *forgets) List(_ context.Context, host string) (h HostList, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	h, ok = m.lists[host]
	return h, ok
}

func (m *forgets) PutList(_ context.Context, h HostList) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lists == nil {
		m.lists = map[string]HostList{}
	}
	m.lists[h.Host] = h
	return nil
}

// wait is how long a host must be left alone from now on, with at least delay between two requests. A state from the future
// was worked out before the clock was set back: what the host asked for then counts from now on. No wait is longer than
// maxSilence.
func (h *HostState) wait(now time.Time, delay time.Duration) time.Duration {
	since := now
	if h.Set.After(now) {
		since = h.Set
	}
	rest := min(h.NotBefore.Sub(since), maxSilence)
	switch {
	case h.Open:
		return max(rest, delay)
	case h.Asked.IsZero():
		return rest
	}
	return max(rest, delay-max(now.Sub(h.Asked), 0))
}

// recent reports whether a time lies within the last ttl, or not further in the future than clocks are corrected by.
func recent(at, now time.Time, ttl time.Duration) bool {
	age := now.Sub(at)
	return age >= -time.Minute && age < ttl
}
