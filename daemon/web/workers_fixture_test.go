package web

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/work"
)

// fakeWorkers has the workers that a test gives it, and notes the orders for them.
type fakeWorkers struct {
	mu      sync.Mutex // over status, where a test changes it while it is watched
	status  work.Status
	broker  work.BrokerStatus
	ordered []string
}

func (f *fakeWorkers) order(what, name string) error {
	f.ordered = append(f.ordered, what+" "+name)
	return nil
}

func (f *fakeWorkers) remove(name string) {
	f.status.Workers = slices.DeleteFunc(f.status.Workers, func(w work.WorkerStatus) bool { return w.Name == name })
}

// fakeLeases and fakeBroker are the two sides of fakeWorkers.
type (
	fakeLeases struct{ *fakeWorkers }
	fakeBroker struct{ *fakeWorkers }
)

func (f fakeLeases) Status() work.Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.status
	now.Workers = slices.Clone(now.Workers)
	return now
}
func (f fakeLeases) Pause(_ context.Context, name string) error { return f.order("pause", name) }
func (f fakeLeases) GoOn(_ context.Context, name string) error  { return f.order("go on", name) }
func (f fakeLeases) Drain(_ context.Context, name string) error { return f.order("drain", name) }
func (f fakeLeases) Remove(_ context.Context, name string) error {
	f.remove(name)
	return f.order("remove", name)
}
func (f fakeBroker) Forget(context.Context) error                { return f.order("forget", "") }
func (f fakeBroker) Status() work.BrokerStatus                   { return f.broker }
func (f fakeBroker) Control(name string, c work.Control)         { _ = f.order("have it "+c.Do, name) }
func (f fakeBroker) Revoke(_ context.Context, name string) error { return f.order("revoke", name) }
func (f fakeBroker) Invite(_ context.Context, name string) ([]byte, error) {
	for _, w := range f.status.Workers {
		if w.Name == name {
			return nil, fmt.Errorf("%w: a worker has the name %q; choose another one, or remove it first", work.ErrName, name)
		}
	}
	return []byte("worker: " + name + "\nkey: SUA</textarea>\n"), f.order("invite", name)
}

// withWorkers switches workers on, with one in each state.
func (f *fixture) withWorkers(t testing.TB) {
	t.Helper()
	all, err := f.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all.Workers.Enabled = true
	if err := f.Store.SaveSettings(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	f.workers.broker = work.BrokerStatus{On: true, Address: "0.0.0.0:4775", Answers: true, Ends: f.Clock.AddDate(1, 0, 0)}
	f.workers.status = someWorkers(f.Clock)
}

// someWorkers has a worker in each state.
func someWorkers(now time.Time) work.Status {
	one := func(name string, state work.State) work.WorkerStatus {
		return work.WorkerStatus{Name: name, State: state, Program: "1.2", Parser: 1, Since: now.Add(-3 * time.Hour), Seen: now,
			Running: 2, Pages: 12345, Rate: 2.25, Outcomes: map[string]int64{"ok": 12000, "status": 300, "timeout": 45}, Hosts: []string{"a.example", "b.example:8080"}}
	}
	gone := func(name string, state work.State) work.WorkerStatus {
		w := one(name, state)
		w.Since, w.Hosts, w.Running, w.Rate = time.Time{}, nil, 0, 0
		return w
	}
	sick, old, invited := one("cellar", work.StateSick), gone("old", work.StateRefused), work.WorkerStatus{Name: "new", State: work.StateInvited}
	sick.Trouble, sick.Troubled, sick.Lost, sick.Unsent, sick.Bad, sick.Compared, sick.Differed = "dial tcp: no route to host", now, 7, 3, 2, 40, 1
	sick.Hours, sick.MaxMbit, sick.Parser, sick.Ahead = "22:00-06:00", 20, 99, 90*time.Second
	sick.Hosts = []string{"a.example", "b.example", "c.example", "d.example", "e.example", "f.example"}
	old.Refused = "its messages have version 0, this daemon's version 1: update Nightjar on that machine"
	return work.Status{Waiting: 120, Granted: 5, Why: "the disk is nearly full", Workers: []work.WorkerStatus{
		one("attic-pc", work.StateReady), sick, one("drains", work.StateDraining), gone("gone", work.StateGone), invited, old, one("paused", work.StatePaused), gone("revoked", work.StateRevoked)}}
}

// spoilWorkers puts a text into everything that workers say, and into the name of one.
func (f *fixture) spoilWorkers(t testing.TB, evil string) {
	t.Helper()
	f.withWorkers(t)
	s := &f.workers.status
	f.workers.broker.Address = evil
	s.Why = "x" + evil
	for i := range s.Workers {
		w := &s.Workers[i]
		w.Program, w.Hours, w.Trouble, w.Refused = "x"+evil, "x"+evil, "x"+evil, "x"+evil
		w.Hosts, w.Outcomes = []string{"h" + evil}, map[string]int64{"x" + evil: 3}
	}
	s.Workers[3].Name, s.Workers[3].State = "x"+evil, work.State("x"+evil)
}
