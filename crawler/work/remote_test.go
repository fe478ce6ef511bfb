package work_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/crawler/work"
	"nightjar/crawler/work/worktest"
)

// TestRemote runs the suite with a worker's hands, whose results travel as messages and are checked. Remote does in the smallest
// way what a dispatcher to other machines has to do.
func TestRemote(t *testing.T) {
	worktest.Run(t, func(t *testing.T, o fetch.LiveOptions) (work.Dispatcher, fetch.Fetcher) {
		r := &remote{
			t: t, options: o, live: fetch.NewLive(o), hands: work.NewRemote("far", fetch.LiveOptions{UserAgent: o.UserAgent, Resolve: o.Resolve}),
			results: make(chan work.Result), facts: make(map[string]work.HostFacts), until: make(map[string]time.Time),
		}
		t.Cleanup(func() {
			if err := r.hands.Close(); err != nil {
				t.Error(err)
			}
			if err := r.live.Close(); err != nil {
				t.Error(err)
			}
		})
		return r, r
	})
}

type remote struct {
	t       *testing.T
	options fetch.LiveOptions
	live    *fetch.Live // of the daemon's side
	hands   *work.Hands
	results chan work.Result

	mu    sync.Mutex
	facts map[string]work.HostFacts // by host
	until map[string]time.Time
}

func (r *remote) Results() <-chan work.Result { return r.results }
func (r *remote) Width() int                  { return 4 }
func (r *remote) Durable() bool               { return false }
func (r *remote) Close()                      {}

func (r *remote) Dispatch(ctx context.Context, t work.Task) {
	go func() { r.results <- r.all(ctx, t) }()
}

// Fetch is not called: the daemon's fetcher only says when hosts are ready.
func (r *remote) Fetch(context.Context, string) fetch.Response { panic("not called") }

func (r *remote) ReadyAt(url string) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at := r.until[weburl.Host(url)]; at.After(time.Now()) {
		return at
	}
	return time.Time{}
}

// all does a task and the tasks of its redirects to other hosts.
func (r *remote) all(ctx context.Context, t work.Task) work.Result {
	url := t.URL
	done := r.one(ctx, t)
	for done.Response.Moved != "" {
		before := done.Response
		t.URL = before.NextHop()
		if t.URL == "" {
			before.Moved = ""
			done.Response = before
			break
		}
		next := r.one(ctx, t)
		next.Response = before.Continue(next.Response)
		done = next
	}
	if done.Response.RobotsAt != "" {
		done.Response.Exchanges = append(done.Response.Exchanges, r.robots(ctx, t.URL)...)
		done.Response.RobotsAt = ""
	}
	done.URL, done.Task = url, ""
	return done
}

// robots has the daemon read a robots.txt that is on another host.
func (r *remote) robots(ctx context.Context, url string) []fetch.Exchange {
	memory := &robotsMemory{}
	o := r.options
	o.Memory = memory
	live := fetch.NewLive(o)
	defer func() { _ = live.Close() }() // this memory does not fail
	exchanges := live.ReadRobots(ctx, url)
	r.mu.Lock()
	defer r.mu.Unlock()
	facts := r.facts[weburl.Host(url)]
	for _, f := range memory.files {
		if weburl.Host(f.Origin) == weburl.Host(url) {
			facts.Robots = append(facts.Robots, work.RobotsOf(f, time.Now()))
		}
	}
	r.facts[weburl.Host(url)] = facts
	return exchanges
}

// one does a task on one host.
func (r *remote) one(ctx context.Context, t work.Task) work.Result {
	host, known := weburl.Host(t.URL), fetch.Known{}
	if !strings.HasSuffix(host, ".test") { // the daemon's guard refuses it before it is handed over
		return work.Result{Response: r.live.Fetch(ctx, t.URL)}
	}
	if r.options.Known != nil {
		known, _ = r.options.Known(ctx, t.URL)
	}
	t.ID, t.Attempt, t.ETag, t.LastModified = "0123", 1, known.ETag, known.LastModified
	t.FetchTimeout, t.Keep, t.Probe = time.Minute, r.options.Keep, r.options.Probe
	r.mu.Lock()
	t.Host = r.facts[host]
	r.mu.Unlock()
	sent := r.hands.Do(ctx, t)
	data, err := work.Encode(&sent)
	if err != nil {
		r.t.Error(err)
	}
	got, err := work.Decode(data)
	if err != nil {
		r.t.Error(err)
	}
	if err := got.Check(&t); err != nil {
		r.t.Errorf("%s: %v", t.URL, err)
	}
	got.Fill(known.Body)
	r.learn(host, &got)
	return got
}

func (r *remote) learn(host string, got *work.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.facts[host]
	f.Robots = append(f.Robots, got.Host.Robots...)
	if got.Host.Probed {
		f.Probed, f.Missing = true, got.Host.Missing
	}
	r.facts[host] = f
	if got.Host.Rest > 0 {
		r.until[host] = time.Now().Add(got.Host.Rest)
	}
}

// robotsMemory remembers which robots.txt were read.
type robotsMemory struct {
	fetch.Memory
	files []fetch.RobotsFile
}

func (m *robotsMemory) Open(context.Context, string) error                { return nil }
func (m *robotsMemory) Keep(context.Context, fetch.HostState, bool) error { return nil }
func (m *robotsMemory) Close(context.Context) error                       { return nil }
func (m *robotsMemory) Robots(context.Context, string) (f fetch.RobotsFile, ok bool) {
	return f, false
}

func (m *robotsMemory) PutRobots(_ context.Context, f fetch.RobotsFile) error {
	m.files = append(m.files, f)
	return nil
}
