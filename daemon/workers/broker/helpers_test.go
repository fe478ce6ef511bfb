package broker

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/work"
	"nightjar/daemon/workers/broker/join"
)

// patience is how long a test waits for what another goroutine does. A test that passes does not wait for it.
const patience = time.Minute

// desk is a work.Desk that keeps all it gets.
type desk struct {
	refuse string                                              // of each hello
	grant  func(ctx context.Context, worker string) work.Grant // nil for no tasks
	fail   func() error                                        // of Arrive; nil for never

	mu      sync.Mutex
	arrived map[string]int // results by their data
	order   []string
	calls   int // of Arrive
	hellos  chan work.Hello
	beats   chan work.Beat
	left    chan string
	got     chan string // data of each result that was new
}

func newDesk() *desk {
	return &desk{
		arrived: map[string]int{}, hellos: make(chan work.Hello, 100), beats: make(chan work.Beat, 100), left: make(chan string, 100),
		got: make(chan string, 100_000),
	}
}

func (d *desk) Hello(_ context.Context, h work.Hello) work.Welcome {
	d.hellos <- h
	return work.Welcome{Version: work.Version, Refused: d.refuse}
}

func (d *desk) Grant(ctx context.Context, worker string, ask work.Ask) work.Grant {
	if d.grant == nil {
		return work.Grant{Pause: time.Second, Why: "nothing to do"}
	}
	return d.grant(ctx, worker)
}

func (d *desk) Arrive(_ context.Context, results []work.Arrival) ([]work.Verdict, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	if d.fail != nil {
		if err := d.fail(); err != nil {
			return nil, err
		}
	}
	verdicts := make([]work.Verdict, len(results))
	for i, r := range results {
		text := string(r.Data)
		d.arrived[text]++
		switch {
		case text == "malformed":
			verdicts[i] = work.Malformed
		case d.arrived[text] > 1:
			verdicts[i] = work.Duplicate
		default:
			verdicts[i] = work.Kept
			d.order = append(d.order, text)
			d.got <- text
		}
	}
	return verdicts, nil
}

func (d *desk) Beat(_ string, b work.Beat) { d.beats <- b }
func (d *desk) Gone(worker string)         { d.left <- worker }

// roster keeps invitations in memory.
type roster struct {
	mu   sync.Mutex
	keys map[string]string
}

func (r *roster) Keys(context.Context) (map[string]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := map[string]string{}
	for name, key := range r.keys {
		all[name] = key
	}
	return all, nil
}

func (r *roster) AddWorker(_ context.Context, name, key string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys[name] != "" {
		return refusal("there is a worker of this name")
	}
	r.keys[name] = key
	return nil
}

func (r *roster) RevokeWorker(_ context.Context, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys[name] == "" {
		return errors.New("not found")
	}
	delete(r.keys, name)
	return nil
}

// running is a broker at work.
type running struct {
	*Broker
	desk *desk
	o    Options
	stop func()
}

// start runs a broker on a free port of this machine, until the test ends or stop is called.
func start(t *testing.T, change func(*Options, *Config)) *running {
	t.Helper()
	d := newDesk()
	c := Config{Enabled: true, Listen: "127.0.0.1:0"}
	o := Options{
		Dir: t.TempDir(), Desk: d, Roster: &roster{keys: map[string]string{}}, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Now: time.Now, handshake: 500 * time.Millisecond,
	}
	if change != nil {
		change(&o, &c)
	}
	if o.Config == nil {
		o.Config = func(context.Context) (Config, error) { return c, nil }
	}
	if own, ok := o.Desk.(*desk); ok {
		d = own
	}
	return again(t, d, o)
}

// again starts a broker with the options of an earlier one.
func again(t *testing.T, d *desk, o Options) *running {
	t.Helper()
	r := &running{Broker: New(o), desk: d, o: o}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = r.Run(ctx) // it always returns nil
	}()
	r.stop = func() {
		cancel()
		<-ended
	}
	t.Cleanup(r.stop)
	wait(t, r.CaughtUp(), "the broker did not start: %+v", r.Status())
	return r
}

func wait[T any](t *testing.T, c <-chan T, format string, args ...any) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(patience):
		t.Fatalf(format, args...)
	}
	return v
}

// invite invites a worker and returns its invitation.
func (r *running) invite(t *testing.T, name string) join.Invite {
	t.Helper()
	text, err := r.Invite(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	i, err := join.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// dial connects as an honest worker and says hello.
func dial(t *testing.T, i join.Invite) *join.Conn {
	t.Helper()
	c, err := join.Dial(t.Context(), join.Options{Invite: i, Log: slog.New(slog.DiscardHandler), Pause: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	if w, err := c.Hello(t.Context(), work.Hello{Version: work.Version}); err != nil || w.Refused != "" {
		t.Fatalf("hello: %+v, %v", w, err)
	}
	return c
}
