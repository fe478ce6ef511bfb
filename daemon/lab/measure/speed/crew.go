package speed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/daemon/broker"
	"nightjar/daemon/broker/join"
	"nightjar/daemon/command"
	"nightjar/daemon/lab/verb"
	"nightjar/daemon/leases"
	"nightjar/daemon/machine"
	"nightjar/daemon/store"
	"nightjar/daemon/worker"
)

// handSpec says what a worker's process does.
type handSpec struct {
	File     string            `json:"file"` // its invitation
	Addrs    map[string]string `json:"addrs"`
	Parallel int               `json:"parallel"`
}

// handResult is what a worker's process reports at its end.
type handResult struct {
	CPU  float64 `json:"cpu_seconds"`
	Peak int64   `json:"peak_bytes"`
}

// runHand is a worker, until standard input ends.
func runHand(ctx context.Context, env *command.Env, spec *handSpec) error {
	worker.HoldMemory(env.Getenv)
	invite, err := join.ReadFile(spec.File)
	if err != nil {
		return err
	}
	conn, err := join.Dial(ctx, join.Options{Invite: invite, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer conn.Close()
	drain := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, env.Stdin) // until the benchmark closes it
		close(drain)
	}()
	watch := startWatch()
	err = worker.Run(ctx, drain, worker.Options{
		Broker: conn, Name: invite.Name, Program: "bench", Parallel: spec.Parallel, Resolve: resolve(spec.Addrs),
	})
	var c crawled
	watch.stop(&c)
	return errors.Join(err, json.NewEncoder(env.Stdout).Encode(handResult{CPU: c.CPU, Peak: machine.PeakMemory()}))
}

// crew are the workers of a crawl, with what gives them its pages.
type crew struct {
	leases *leases.Leases
	crawl  *leases.Crawl
	hands  []*hand
	end    context.CancelFunc
	runs   sync.WaitGroup
	closed bool
}

type hand struct {
	cmd   *exec.Cmd
	stdin io.Closer
	out   *json.Decoder
}

// openCrew starts a broker and workers for a crawl.
func openCrew(ctx context.Context, spec *crawlSpec, st *store.Store, crawl int64, live *fetch.Live) (*crew, error) {
	c := &crew{}
	quiet := slog.New(slog.DiscardHandler)
	var err error
	if c.leases, err = leases.New(ctx, st, leases.Options{Log: quiet, Program: "bench", UserAgent: func() string { return userAgent }}); err != nil {
		return nil, err
	}
	listen, err := freeAddr()
	if err != nil {
		return nil, err
	}
	b := broker.New(broker.Options{
		Dir: spec.Dir, Desk: c.leases, Roster: roster{st}, Log: quiet, Now: time.Now,
		Config: func(context.Context) (broker.Config, error) {
			return broker.Config{Enabled: true, Listen: listen, Address: listen}, nil
		},
	})
	c.leases.Orders(b.Control)
	running, end := context.WithCancel(context.WithoutCancel(ctx))
	c.end = end
	c.runs.Go(func() { _ = b.Run(running) })
	c.runs.Go(func() { _ = c.leases.Run(running, b.CaughtUp()) })
	if err := c.leases.Open(ctx, live, true); err != nil {
		return nil, errors.Join(err, c.close(nil))
	}
	select {
	case <-b.CaughtUp():
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), c.close(nil))
	}
	for i := range spec.Crew {
		if err := c.hire(ctx, spec, b, i); err != nil {
			return nil, errors.Join(err, c.close(nil))
		}
	}
	for c.ready() < spec.Crew {
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), c.close(nil))
		case <-time.After(10 * time.Millisecond):
		}
	}
	c.crawl, err = c.leases.Crawl(ctx, crawl)
	return c, err
}

// ready is how many workers are connected.
func (c *crew) ready() (n int) {
	for _, w := range c.leases.Status().Workers {
		if w.State == work.StateReady {
			n++
		}
	}
	return n
}

// hire invites a worker and starts its process.
func (c *crew) hire(ctx context.Context, spec *crawlSpec, b *broker.Broker, i int) error {
	name := fmt.Sprintf("hand-%d", i+1)
	text, err := b.Invite(ctx, name)
	if err != nil {
		return err
	}
	file := filepath.Join(spec.Dir, name+".invitation")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	cmd, err := verb.Child{Log: os.Stderr}.Command(ctx, "speed hand", handSpec{File: file, Addrs: spec.Addrs, Parallel: max(1, spec.Workers/spec.Crew)})
	if err != nil {
		return err
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c.hands = append(c.hands, &hand{cmd: cmd, stdin: stdin, out: json.NewDecoder(stdout)})
	return nil
}

// close ends the workers and the broker, and adds what the workers used to the crawl's figures, unless that is nil. A second one does
// nothing.
func (c *crew) close(to *crawled) (err error) {
	if c.closed {
		return nil
	}
	c.closed = true
	if c.crawl != nil {
		c.crawl.Close()
	}
	c.leases.Shut()
	for _, h := range c.hands {
		var used handResult
		err = errors.Join(err, h.stdin.Close(), h.out.Decode(&used), h.cmd.Wait())
		if to != nil {
			to.HandCPU += used.CPU
			to.HandPeak = max(to.HandPeak, used.Peak)
		}
	}
	c.end()
	c.runs.Wait()
	return err
}

func freeAddr() (string, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// roster are the workers in the store.
type roster struct{ *store.Store }

// Keys returns the public keys of the workers that are not revoked.
func (r roster) Keys(ctx context.Context) (map[string]string, error) {
	all, err := r.Workers(ctx)
	keys := map[string]string{}
	for _, w := range all {
		if w.Revoked.IsZero() {
			keys[w.Name] = w.Key
		}
	}
	return keys, err
}

// times is a dispatcher that measures how long each task takes besides the fetch itself: from its dispatch, or from when its host may be
// asked if that is later, to its result. A crawl dispatches a task some time before its host may be asked.
type times struct {
	work.Dispatcher
	ready   func(url string) time.Time
	mu      sync.Mutex
	began   map[string]time.Time
	added   []time.Duration
	results chan work.Result
}

func newTimes(d work.Dispatcher, ready func(url string) time.Time) *times {
	t := &times{Dispatcher: d, ready: ready, began: map[string]time.Time{}, results: make(chan work.Result)}
	go func() {
		for r := range d.Results() {
			t.mu.Lock()
			if at, ok := t.began[r.URL]; ok && r.Response.Outcome == fetch.OK {
				t.added = append(t.added, time.Since(at)-r.Response.Took)
			}
			delete(t.began, r.URL)
			t.mu.Unlock()
			t.results <- r
		}
	}()
	return t
}

// Dispatch notes when a task was handed over, or when its host may be asked.
func (t *times) Dispatch(ctx context.Context, task work.Task) {
	began := time.Now()
	if at := t.ready(task.URL); at.After(began) {
		began = at
	}
	t.mu.Lock()
	t.began[task.URL] = began
	t.mu.Unlock()
	t.Dispatcher.Dispatch(ctx, task)
}

// Results returns the results of the measured dispatcher.
func (t *times) Results() <-chan work.Result { return t.results }

// median is the median of what was measured, in milliseconds.
func (t *times) median() float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.added) == 0 {
		return 0
	}
	slices.Sort(t.added)
	return float64(t.added[len(t.added)/2].Microseconds()) / 1000
}
