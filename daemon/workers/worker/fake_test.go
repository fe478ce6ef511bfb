package worker

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
)

// daemon is the other side of a worker in tests: it grants what grant returns, and keeps what is published.
type daemon struct {
	welcome  work.Welcome
	grant    func(n int) (work.Grant, error) // may wait
	full     func() error                    // of Publish
	controls chan work.Control
	again    chan struct{}
	ended    chan struct{}
	why      error

	mu      sync.Mutex
	hellos  []work.Hello
	asks    []int
	results map[string]int // task to times
	beats   []work.Beat
}

func newDaemon() *daemon {
	return &daemon{
		welcome: work.Welcome{Version: work.Version, Program: "1.0"}, controls: make(chan work.Control), again: make(chan struct{}), ended: make(chan struct{}),
		results: map[string]int{}, full: func() error { return nil },
	}
}

func (d *daemon) Hello(_ context.Context, h work.Hello) (work.Welcome, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hellos = append(d.hellos, h)
	return d.welcome, nil
}

func (d *daemon) Ask(ctx context.Context, a work.Ask) (work.Grant, error) {
	d.mu.Lock()
	d.asks = append(d.asks, a.Free)
	d.mu.Unlock()
	if d.grant == nil {
		return work.Grant{Pause: time.Second}, nil
	}
	return d.grant(a.Free)
}

func (d *daemon) Publish(_ context.Context, task string, _ int, _ []byte) error {
	if err := d.full(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.results[task]++
	return nil
}

func (d *daemon) Beat(b work.Beat) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.beats = append(d.beats, b)
	return nil
}

func (d *daemon) Controls() <-chan work.Control { return d.controls }
func (d *daemon) Again() <-chan struct{}        { return d.again }
func (d *daemon) Done() <-chan struct{}         { return d.ended }
func (d *daemon) Err() error                    { return d.why }

// last is the last beat.
func (d *daemon) last() work.Beat {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.beats[len(d.beats)-1]
}

func (d *daemon) count() (asks, results int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.asks), len(d.results)
}

// doing is a Hands that calls itself.
type doing func(ctx context.Context, t work.Task) work.Result

func (f doing) Do(ctx context.Context, t work.Task) work.Result { return f(ctx, t) }
func (f doing) Close() error                                    { return nil }

// after takes d for each task, or ends with the outcome canceled.
func after(d time.Duration) doing {
	return func(ctx context.Context, t work.Task) work.Result {
		r := work.Result{Response: fetch.Response{URL: t.URL, FinalURL: t.URL, Outcome: fetch.OK}}
		select {
		case <-time.After(d):
		case <-ctx.Done():
			r.Response.Outcome = fetch.Canceled
		}
		return r
	}
}

// optionsOf are those of a worker of the daemon with these hands.
func optionsOf(d *daemon, h Hands) Options {
	return Options{
		Broker: d, Name: "attic", Program: "1.0", Parser: 1, Parallel: 4,
		Hands:  func(fetch.LiveOptions) Hands { return h },
		Encode: func(r *work.Result) ([]byte, error) { return json.Marshal(r) },
	}
}

func task(id, host string) work.Task {
	return work.Task{ID: id, Attempt: 1, URL: "https://" + host + "/", StartWithin: 10 * time.Second, FetchTimeout: 30 * time.Second, Delay: time.Second}
}

// queue grants these tasks, in order, and then none.
func queue(tasks ...work.Task) func(int) (work.Grant, error) {
	return func(n int) (work.Grant, error) {
		n = min(n, len(tasks))
		g := work.Grant{Tasks: tasks[:n:n], Pause: 100 * time.Millisecond}
		tasks = tasks[n:]
		return g, nil
	}
}

var errDown = errors.New("no responders")

// holding ends each task when the channel is closed.
func holding(until chan struct{}) doing {
	return func(_ context.Context, t work.Task) work.Result {
		<-until
		return work.Result{Response: fetch.Response{URL: t.URL, FinalURL: t.URL, Outcome: fetch.OK}}
	}
}
