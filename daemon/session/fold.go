package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"nightjar/daemon/protocol"
)

// Session is what happened in a session: what was visited, how, and what the person said of it.
type Session struct {
	ID        string
	Client    string
	Topic     string
	Submitted bool
	LastEvent time.Time // latest time an event names
	Visits    []*Visit  // page loads in order, frames among them; their titles are the browser's
	Moves     []Move    // in order

	once   sync.Once
	parsed []*parsed // what the visits show, read when it is first asked for
}

// Move is a step from one page load to another.
type Move struct {
	Type protocol.Type // protocol.Visit, Back or Forward
	From string        // load that was left
	To   string
}

// Fold makes sessions of events: those of one session in order of seq, whatever order they are given in, each event
// once. A session that was discarded is left out. What was said of a load that was never visited is left out. An error
// names a session without a start, or with events of two browsers. Sessions come in order of their first events.
func Fold(events []protocol.Event) ([]*Session, error) {
	groups := map[string][]protocol.Event{}
	var order []string
	for _, e := range events {
		if groups[e.Session] == nil {
			order = append(order, e.Session)
		}
		groups[e.Session] = append(groups[e.Session], e)
	}
	var all []*Session
	for _, session := range order {
		r, err := fold(groups[session])
		if err != nil {
			return nil, fmt.Errorf("session %s: %w", session, err)
		}
		if r != nil {
			all = append(all, r)
		}
	}
	return all, nil
}

// fold makes one session; nil for a discarded one.
func fold(events []protocol.Event) (*Session, error) {
	slices.SortStableFunc(events, func(a, b protocol.Event) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), strings.Compare(a.ID, b.ID))
	})
	r := &Session{ID: events[0].Session, Client: events[0].Client}
	f := folding{Session: r, loads: map[string]*Visit{}, marks: map[string][]protocol.Type{}}
	for i, e := range events {
		if e.Client != r.Client {
			return nil, fmt.Errorf("events of two browsers, %s and %s", r.Client, e.Client)
		}
		if e.Type == protocol.SessionStart && r.Topic == "" {
			r.Topic = e.Topic
		}
		if e.At.After(r.LastEvent) {
			r.LastEvent = e.At
		}
		if e.Type == protocol.Discard {
			return nil, nil
		}
		r.Submitted = e.Type == protocol.Submit
		if i == 0 || e.ID != events[i-1].ID {
			f.visit(e)
		}
	}
	if r.Topic == "" {
		return nil, fmt.Errorf("no %s, so its topic is not known", protocol.SessionStart)
	}
	for i, e := range events {
		if i == 0 || e.ID != events[i-1].ID {
			f.say(e)
		}
	}
	for _, v := range r.Visits {
		v.Useful = Marked(f.marks[v.URL])
	}
	return r, nil
}

// folding is a session while it is made.
type folding struct {
	*Session
	loads map[string]*Visit
	marks map[string][]protocol.Type // of a page, over all its loads
}

// visit notes the events that bring a page load.
func (f *folding) visit(e protocol.Event) {
	if brings(e) && f.loads[e.Page] == nil {
		v := newVisit(e)
		f.loads[e.Page] = v
		f.Visits = append(f.Visits, v)
	}
}

// say notes the events about a page load, which may have been numbered before the load's own.
func (f *folding) say(e protocol.Event) {
	v := f.loads[e.Page]
	if v == nil {
		return
	}
	switch e.Type {
	case protocol.Snapshot:
		v.snapshots = append(v.snapshots, e)
	case protocol.Useful, protocol.NotUseful:
		f.marks[v.URL] = append(f.marks[v.URL], e.Type)
	case protocol.Label:
		v.Labels = append(v.Labels, e.Name)
	case protocol.Visit, protocol.Back, protocol.Forward:
		if e.From != "" {
			f.Moves = append(f.Moves, Move{Type: e.Type, From: e.From, To: e.Page})
		}
	}
}
