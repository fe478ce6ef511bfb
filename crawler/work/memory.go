package work

import (
	"context"
	"sync"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
)

// memory is the fetch.Memory of a worker. It holds what tasks told of their hosts, and what the fetcher learned, while tasks of
// the host are under way; then it forgets all of it.
type memory struct {
	clock clock.Clock
	mu    sync.Mutex
	of    map[string]*remembered // by host
}

// remembered is what is known of one host.
type remembered struct {
	tasks int
	known HostFacts
	since time.Time // when known was told
	fresh HostFacts // learned since

	robots map[string]fetch.RobotsFile // learned, by origin
}

func newMemory(c clock.Clock) *memory { return &memory{clock: c, of: make(map[string]*remembered)} }

// begin takes the facts of a task.
func (m *memory) begin(host string, facts *HostFacts) {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.of[host]
	if h == nil {
		h = &remembered{known: *facts, since: m.clock.Now()}
		m.of[host] = h
	}
	h.tasks++
}

// end returns what was learned during a task.
func (m *memory) end(host string) HostFacts {
	m.mu.Lock()
	defer m.mu.Unlock()
	h := m.of[host]
	if h == nil {
		return HostFacts{}
	}
	if h.tasks--; h.tasks == 0 {
		delete(m.of, host)
	}
	facts, now := h.fresh, m.clock.Now()
	for _, f := range h.robots {
		facts.Robots = append(facts.Robots, RobotsOf(f, now))
	}
	h.fresh, h.robots = HostFacts{}, nil
	return facts
}

// on calls do with what is known of a host that has a task under way.
func (m *memory) on(host string, do func(h *remembered)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if h := m.of[host]; h != nil {
		do(h)
	}
}

// Open does nothing: the dispatcher's side knows who was lent a host.
func (m *memory) Open(context.Context, string) error { return nil }

// Close does nothing.
func (m *memory) Close(context.Context) error { return nil }

// Keep takes the state of a host.
func (m *memory) Keep(_ context.Context, s fetch.HostState, _ bool) error {
	m.on(s.Host, func(h *remembered) {
		h.fresh.Rest, h.fresh.Why, h.fresh.Busy, h.fresh.Failed = max(s.NotBefore.Sub(s.Set), 0), s.Why, s.Busy, s.Failed
	})
	return nil
}

// Robots returns the robots.txt of an origin.
func (m *memory) Robots(_ context.Context, origin string) (f fetch.RobotsFile, ok bool) {
	m.on(weburl.Host(origin), func(h *remembered) {
		if f, ok = h.robots[origin]; ok {
			return
		}
		for _, r := range h.known.Robots {
			if r.Origin == origin {
				f, ok = r.File(h.since), true
			}
		}
	})
	return f, ok
}

// PutRobots takes a robots.txt.
func (m *memory) PutRobots(_ context.Context, f fetch.RobotsFile) error {
	m.on(weburl.Host(f.Origin), func(h *remembered) {
		if h.robots == nil {
			h.robots = make(map[string]fetch.RobotsFile)
		}
		h.robots[f.Origin] = f
	})
	return nil
}

// Probe returns the page that a host shows for an address that cannot exist.
func (m *memory) Probe(_ context.Context, host string) (missing []byte, at time.Time, ok bool) {
	m.on(host, func(h *remembered) { missing, at, ok = h.known.Missing, h.since, h.known.Probed })
	return missing, at, ok
}

// PutProbe takes that page.
func (m *memory) PutProbe(_ context.Context, host string, missing []byte, _ time.Time) error {
	m.on(host, func(h *remembered) { h.fresh.Probed, h.fresh.Missing = true, missing })
	return nil
}

// List knows nothing: workers read no lists.
func (m *memory) List(context.Context, string) (h fetch.HostList, ok bool) { return h, false }

// PutList does nothing.
func (m *memory) PutList(context.Context, fetch.HostList) error { return nil }
