package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"nightjar/daemon/browse/protocol"
)

// Session is what happened in a session: the visits, the moves between them, and the person's marks and names of pages.
type Session struct {
	ID        string
	Client    string
	Topic     string
	Joins     string // session of another browser that it belongs to, "" for none
	Submitted bool
	LastEvent time.Time // latest time of an event
	Visits    []*Visit  // page loads in order, including frames; their titles are the browser's
	Moves     []Move    // in order
	Namings   []Naming  // of pages, in order
	Links     []string  // canonical addresses of links that the person said look useful, in order, each once
	End       string    // page load that the person had open last, as far as the events show; "" for none

	once   sync.Once
	parsed []*parsed // the visits with their content, parsed at the first use
}

// Move is a step from one page load to another.
type Move struct {
	Type protocol.Type // protocol.Visit, Back or Forward
	From string        // page load that was left
	To   string
}

// Fold groups events into sessions, in order of each session's first event; those recorded together follow one another, see
// Together. Within a session it orders the events by
// seq and uses each event once. It leaves out discarded sessions, and events about page loads without a visit. The
// error names a session that has no start or has events of two browsers.
//
// A link that the person said looks useful counts as a mark of the page it leads to, in its session and, where no mark of
// the page itself says otherwise, in the other sessions of its topic.
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
	shareLinks(all)
	return slices.Concat(Together(all)...), nil
}

// fold makes one session of its events, or returns nil for a discarded one.
func fold(events []protocol.Event) (*Session, error) {
	slices.SortStableFunc(events, func(a, b protocol.Event) int {
		return cmp.Or(cmp.Compare(a.Seq, b.Seq), strings.Compare(a.ID, b.ID))
	})
	r := &Session{ID: events[0].Session, Client: events[0].Client}
	f := folding{Session: r, loads: map[string]*Visit{}, marks: map[string][]Said{}}
	for i, e := range events {
		if e.Client != r.Client {
			return nil, fmt.Errorf("events of two browsers, %s and %s", r.Client, e.Client)
		}
		if e.Type == protocol.SessionStart && r.Topic == "" {
			r.Topic, r.Joins = e.Topic, e.Joins
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
		return nil, fmt.Errorf("no %s, so its topic is unknown", protocol.SessionStart)
	}
	for i, e := range events {
		if i == 0 || e.ID != events[i-1].ID {
			f.n = i
			f.say(e)
		}
	}
	f.link()
	names := Named([]*Session{r})
	for _, v := range r.Visits {
		v.Useful, v.marked = Useful(f.marks[v.URL])
		v.Milestone, v.NotUseful = names[v.URL], v.marked && !v.Useful
	}
	return r, nil
}

// folding is a session that is being made.
type folding struct {
	*Session
	loads map[string]*Visit
	marks map[string][]Said // of a page, over all its loads
	links []Said            // what was said of links
	n     int               // index of the event
}

// visit adds a page load for the first event that brings it.
func (f *folding) visit(e protocol.Event) {
	if brings(e) && f.loads[e.Page] == nil {
		v := newVisit(e)
		f.loads[e.Page] = v
		f.Visits = append(f.Visits, v)
	}
}

// say adds an event about a page load. It runs after visit, since such an event may have a lower seq than the visit.
func (f *folding) say(e protocol.Event) {
	switch e.Type {
	case protocol.Visit, protocol.Back, protocol.Forward, protocol.Useful, protocol.NotUseful:
		f.End = e.Page // even of a load that is withheld: the page before it was left
	}
	if a := (Event{Event: e}); a.Links() {
		f.sayLink(a)
		return
	}
	v := f.loads[e.Page]
	if v == nil {
		return
	}
	switch e.Type {
	case protocol.Snapshot:
		v.snapshots = append(v.snapshots, e)
	case protocol.Useful, protocol.NotUseful:
		f.marks[v.URL] = append(f.marks[v.URL], Said{Type: e.Type, N: f.n})
	case protocol.Label:
		if v.URL != "" {
			f.name(v.URL, e.Name, e.At)
		}
	case protocol.Visit, protocol.Back, protocol.Forward:
		if e.From != "" {
			f.Moves = append(f.Moves, Move{Type: e.Type, From: e.From, To: e.Page})
		}
	}
}
