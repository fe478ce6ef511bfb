// Package sessiontest makes the events of sessions for tests.
package sessiontest

import (
	"math/rand/v2"
	"time"

	"nightjar/daemon/browse/protocol"
)

// Maker makes the events of one session, with numbers and times like those of the extension. The same seed, start and
// calls give the same events.
type Maker struct {
	*protocol.Sequence
	Step time.Duration // from one event to the next
}

// NewMaker starts a session with one second between events.
func NewMaker(seed uint64, start time.Time) *Maker {
	rng := rand.New(rand.NewPCG(seed, 0x6e69676874))
	return &Maker{Sequence: protocol.NewSequence(protocol.RandomUUID(rng), start, rng), Step: time.Second}
}

// New starts a session on 21 November 2026.
func New(seed uint64) *Maker {
	return NewMaker(seed, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
}

// Event returns an event of a type with the fields that every event has.
func (m *Maker) Event(t protocol.Type) protocol.Event {
	return m.Stamp(protocol.Event{Type: t}, m.Step)
}

// Start returns the start of the session.
func (m *Maker) Start(topic string) protocol.Event {
	e := m.Event(protocol.SessionStart)
	e.Topic = topic
	return e
}

// Visit returns a page load, which is identified by the event's Page; from is the page load before it, or "".
func (m *Maker) Visit(url, title, how, from string) protocol.Event {
	e := m.Event(protocol.Visit)
	e.Page, e.URL, e.Title, e.How, e.From = m.UUID(), url, title, how, from
	return e
}

// Snapshot returns a snapshot of a page load.
func (m *Maker) Snapshot(load string, html []byte) protocol.Event {
	e := m.Event(protocol.Snapshot)
	e.Page, e.HTML = load, protocol.Pack(html)
	return e
}

// Frame returns the load of a frame in the load parent; kind is protocol.KindFrame or KindIframe.
func (m *Maker) Frame(parent, url, kind string) protocol.Event {
	e := m.Event(protocol.Frame)
	e.Page, e.Parent, e.URL, e.Kind = m.UUID(), parent, url, kind
	return e
}

// Of returns an event about a page load: useful, not-useful, back or forward.
func (m *Maker) Of(t protocol.Type, load, from string) protocol.Event {
	e := m.Event(t)
	e.Page, e.From = load, from
	return e
}
