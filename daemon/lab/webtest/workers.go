package webtest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/work"
)

// Workers are the workers that a test has, and the orders for them.
type Workers struct {
	Mu      sync.Mutex // over Status, where a test changes it while it is watched
	Status  work.Status
	Broker  work.BrokerStatus
	Ordered []string
}

func (f *Workers) order(what, name string) error {
	f.Ordered = append(f.Ordered, what+" "+name)
	return nil
}

func (f *Workers) remove(name string) {
	f.Status.Workers = slices.DeleteFunc(f.Status.Workers, func(w work.WorkerStatus) bool { return w.Name == name })
}

// Leases and Broker stand for the two parts that have to do with workers.
type (
	Leases struct{ Of *Workers }
	Broker struct{ Of *Workers }
)

func (f Leases) Status() work.Status {
	f.Of.Mu.Lock()
	defer f.Of.Mu.Unlock()
	now := f.Of.Status
	now.Workers = slices.Clone(now.Workers)
	return now
}
func (f Leases) Pause(_ context.Context, name string) error { return f.Of.order("pause", name) }
func (f Leases) GoOn(_ context.Context, name string) error  { return f.Of.order("go on", name) }
func (f Leases) Drain(_ context.Context, name string) error { return f.Of.order("drain", name) }
func (f Leases) Remove(_ context.Context, name string) error {
	f.Of.remove(name)
	return f.Of.order("remove", name)
}
func (f Broker) Forget(context.Context) error                { return f.Of.order("forget", "") }
func (f Broker) Status() work.BrokerStatus                   { return f.Of.Broker }
func (f Broker) Control(name string, c work.Control)         { _ = f.Of.order("have it "+c.Do, name) }
func (f Broker) Revoke(_ context.Context, name string) error { return f.Of.order("revoke", name) }
func (f Broker) Invite(_ context.Context, name string) ([]byte, error) {
	for _, w := range f.Of.Status.Workers {
		if w.Name == name {
			return nil, fmt.Errorf("%w: a worker has the name %q; choose another one, or remove it first", work.ErrName, name)
		}
	}
	return []byte("worker: " + name + "\nkey: SUA</textarea>\n"), f.Of.order("invite", name)
}

// WithWorkers switches workers on, with one in each state.
func (s *Site) WithWorkers(t testing.TB) {
	t.Helper()
	all, err := s.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all.Workers.Enabled = true
	if err := s.Store.SaveSettings(t.Context(), all); err != nil {
		t.Fatal(err)
	}
	s.Workers.Broker = work.BrokerStatus{On: true, Address: "0.0.0.0:4775", Answers: true, Ends: s.Clock.AddDate(1, 0, 0)}
	s.Workers.Status = SomeWorkers(s.Clock)
}

// SomeWorkers has a worker in each state.
func SomeWorkers(now time.Time) work.Status {
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

// SpoilWorkers puts a text into everything that workers say, and into the name of one.
func (s *Site) SpoilWorkers(t testing.TB, evil string) {
	t.Helper()
	s.WithWorkers(t)
	all := &s.Workers.Status
	s.Workers.Broker.Address = evil
	all.Why = "x" + evil
	for i := range all.Workers {
		w := &all.Workers[i]
		w.Program, w.Hours, w.Trouble, w.Refused = "x"+evil, "x"+evil, "x"+evil, "x"+evil
		w.Hosts, w.Outcomes = []string{"h" + evil}, map[string]int64{"x" + evil: 3}
	}
	all.Workers[3].Name, all.Workers[3].State = "x"+evil, work.State("x"+evil)
}
