package worker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/daemon/cli"
	"nightjar/daemon/lab/alone"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/workers/broker"
)

// TestMain runs the tests, or the program when it is started as a worker.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		os.Exit(cli.Main(os.Args[1:]))
	}
	os.Exit(alone.Tests(m).Run())
}

// patience is how long a test waits for what another process does. A test that passes does not wait for it.
const patience = 3 * time.Minute

// desk lends hosts one page at a time and keeps the results.
type desk struct {
	refuse string

	mu     sync.Mutex
	queues map[string][]string // by host
	out    map[string]work.Task
	number int
	count  map[string]int // results by URL
	by     map[string]int // results by worker
	bad    []error
	beats  map[string]work.Beat
	want   int
	done   chan struct{} // closed after as many results
	met    event         // a worker said hello
	one    event         // a result came
	two    event         // results of two workers came
}

// event is something that tests wait for.
type event struct {
	once sync.Once
	c    chan struct{}
}

func (e *event) is() { e.once.Do(func() { close(e.c) }) }

func newDesk(urls []string) *desk {
	d := &desk{
		queues: map[string][]string{}, out: map[string]work.Task{}, count: map[string]int{}, by: map[string]int{}, beats: map[string]work.Beat{},
		want: len(urls), done: make(chan struct{}),
	}
	for _, e := range []*event{&d.met, &d.one, &d.two} {
		e.c = make(chan struct{})
	}
	for _, u := range urls {
		host := hostOf(u)
		d.queues[host] = append(d.queues[host], u)
	}
	return d
}

func hostOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		panic(err)
	}
	return u.Host
}

func (d *desk) Hello(context.Context, work.Hello) work.Welcome {
	d.met.is()
	return work.Welcome{Version: work.Version, Program: "test", Refused: d.refuse}
}

func (d *desk) Grant(_ context.Context, _ string, ask work.Ask) (g work.Grant) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for host, queue := range d.queues {
		if len(g.Tasks) == ask.Free {
			break
		}
		if len(queue) == 0 || d.lent(host) {
			continue
		}
		d.number++
		t := work.Task{ID: fmt.Sprint(d.number), Attempt: 1, URL: queue[0], StartWithin: 10 * time.Second, FetchTimeout: 30 * time.Second}
		d.queues[host] = queue[1:]
		d.out[t.ID] = t
		g.Tasks = append(g.Tasks, t)
	}
	if len(g.Tasks) == 0 {
		g.Pause = 5 * time.Millisecond
	}
	return g
}

func (d *desk) lent(host string) bool {
	for _, t := range d.out {
		if hostOf(t.URL) == host {
			return true
		}
	}
	return false
}

func (d *desk) Arrive(_ context.Context, results []work.Arrival) ([]work.Verdict, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	verdicts := make([]work.Verdict, len(results))
	for i, a := range results {
		verdicts[i] = d.arrive(a)
	}
	return verdicts, nil
}

func (d *desk) arrive(a work.Arrival) work.Verdict {
	r, err := work.Decode(a.Data)
	t, ok := d.out[r.Task]
	if err == nil && !ok {
		err = fmt.Errorf("the result of %q, which is not out", r.Task)
	}
	if err == nil {
		err = r.Check(&t)
	}
	if err == nil && r.Worker != a.Worker {
		err = fmt.Errorf("%s sent a result of %s", a.Worker, r.Worker)
	}
	if err == nil && (r.Response.Outcome != fetch.OK || r.Page == nil) {
		err = fmt.Errorf("%s: %s %s", r.URL, r.Response.Outcome, r.Response.Reason)
	}
	if err != nil {
		d.bad = append(d.bad, err)
	}
	delete(d.out, r.Task)
	d.count[r.URL]++
	d.by[a.Worker]++
	d.one.is()
	if len(d.by) > 1 {
		d.two.is()
	}
	if len(d.count) == d.want && d.count[r.URL] == 1 {
		close(d.done)
	}
	return work.Kept
}

func (d *desk) Beat(worker string, b work.Beat) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.beats[worker] = b
}

func (d *desk) Gone(string) {}

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
	r.keys[name] = key
	return nil
}

func (r *roster) RevokeWorker(_ context.Context, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.keys, name)
	return nil
}

// mustBroker runs a broker for the desk until the test ends.
func mustBroker(t *testing.T, d work.Desk) *broker.Broker {
	t.Helper()
	return mustBrokerOf(t, d, &roster{keys: map[string]string{}})
}

func mustBrokerOf(t *testing.T, d work.Desk, r broker.Roster) *broker.Broker {
	t.Helper()
	b := broker.New(broker.Options{
		Dir: t.TempDir(), Desk: d, Roster: r, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		Config: func(context.Context) (broker.Config, error) {
			return broker.Config{Enabled: true, Listen: "127.0.0.1:0"}, nil
		},
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = b.Run(ctx) // it always returns nil
	}()
	t.Cleanup(func() { cancel(); <-ended })
	wait(t, b.CaughtUp(), "the broker did not start: %+v", b.Status())
	return b
}

func wait(t *testing.T, c <-chan struct{}, format string, args ...any) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		t.Fatalf(format, args...)
	}
}

// process is a worker as a process of its own.
type process struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	ended  chan struct{}
	err    error
}

// mustWork invites a worker and starts it.
func mustWork(t *testing.T, b *broker.Broker, name string, rules []fetch.Resolve, args ...string) *process {
	t.Helper()
	text, err := b.Invite(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	args = append([]string{"worker", file}, args...)
	for _, r := range rules {
		args = append(args, "--resolve", r.String())
	}
	p := &process{cmd: exec.Command(os.Args[0], args...), ended: make(chan struct{})}
	p.cmd.Stderr = &p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		<-p.ended
	})
	return p
}

// exit waits for the process to end and returns its exit code.
func (p *process) exit(t *testing.T) int {
	t.Helper()
	wait(t, p.ended, "the worker did not end")
	var code *exec.ExitError
	if errors.As(p.err, &code) {
		return code.ExitCode()
	}
	if p.err != nil {
		t.Fatal(p.err)
	}
	return 0
}

// TestTwoWorkers: two workers fetch all pages of some hosts over a broker, each page once and never two pages of a host at once. One of
// them is told to end in the middle, and leaves in order.
func TestTwoWorkers(t *testing.T) {
	effort.Long(t)
	w := &web{latency: 5 * time.Millisecond}
	w.mustServe(t, 12, 20)
	d := newDesk(w.pages)
	b := mustBroker(t, d)
	attic := mustWork(t, b, "attic", w.rules, "--parallel", "4")
	wait(t, d.one.c, "no result came")
	cellar := mustWork(t, b, "cellar", w.rules, "--parallel", "4", "--max-mbit", "1000", "--hours", "00:00-23:59")
	wait(t, d.two.c, "the second worker brought nothing")
	if err := attic.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := attic.exit(t); code != 0 {
		t.Errorf("the worker that was told to end has exit code %d:\n%s", code, &attic.stderr)
	}
	wait(t, d.done, "the pages were not all fetched")
	b.Control("cellar", work.Control{Do: "drain"})
	if code := cellar.exit(t); code != 0 {
		t.Errorf("the drained worker has exit code %d:\n%s", code, &cellar.stderr)
	}
	for _, u := range w.pages {
		if d.count[u] != 1 {
			t.Errorf("%s has %d results", u, d.count[u])
		}
	}
	if s := w.seen(); s.pages != len(w.pages) || s.overlapped > 0 {
		t.Errorf("the web saw %+v of %d pages", s, len(w.pages))
	}
	if len(d.bad) > 0 {
		t.Errorf("%d results are wrong, such as: %v", len(d.bad), d.bad[0])
	}
	if d.by["attic"] == 0 || d.by["cellar"] == 0 || len(d.beats) != 2 {
		t.Errorf("results %v, beats %+v", d.by, d.beats)
	}
}

// TestExitCodes: a worker that is refused or revoked ends with exit code 1, and says why and what to do.
func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		name, refuse string
		revoke       bool
		want         string
	}{
		{"refused", "this worker speaks version 9 of the protocol: update the daemon", false, "update the daemon"},
		{"revoked", "", true, "nightjar worker invite NAME"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk([]string{"http://a.test/"})
			d.refuse = c.refuse
			d.queues = nil
			b := mustBroker(t, d)
			p := mustWork(t, b, "attic", nil)
			if c.revoke {
				wait(t, d.met.c, "the worker did not come")
				if err := b.Revoke(t.Context(), "attic"); err != nil {
					t.Fatal(err)
				}
			}
			if code := p.exit(t); code != 1 || !strings.Contains(p.stderr.String(), c.want) {
				t.Errorf("exit code %d:\n%s", code, &p.stderr)
			}
		})
	}
}
