// Package sessiontest makes the events of sessions for tests.
package sessiontest

import (
	"math/rand/v2"
	"time"

	"nightjar/daemon/protocol"
)

// Maker makes the events of one session, numbered and timed as a browser's extension would. The same seed, start and
// calls give the same events.
type Maker struct {
	*protocol.Sequence
	Step time.Duration // from one event to the next
}

// NewMaker begins a session at start, one second a step.
func NewMaker(seed uint64, start time.Time) *Maker {
	rng := rand.New(rand.NewPCG(seed, 0x6e69676874))
	return &Maker{Sequence: protocol.NewSequence(protocol.RandomUUID(rng), start, rng), Step: time.Second}
}

// Event makes an event of a type with the fields every event has.
func (m *Maker) Event(t protocol.Type) protocol.Event {
	return m.Stamp(protocol.Event{Type: t}, m.Step)
}

// Start begins the session.
func (m *Maker) Start(topic string) protocol.Event {
	e := m.Event(protocol.SessionStart)
	e.Topic = topic
	return e
}

// Visit loads a page; from is the load it came from, "" without one. The load is the event's Page.
func (m *Maker) Visit(url, title, how, from string) protocol.Event {
	e := m.Event(protocol.Visit)
	e.Page, e.URL, e.Title, e.How, e.From = m.UUID(), url, title, how, from
	return e
}

// Snapshot is what a load showed.
func (m *Maker) Snapshot(load string, html []byte) protocol.Event {
	e := m.Event(protocol.Snapshot)
	e.Page, e.HTML = load, protocol.Pack(html)
	return e
}

// Frame loads a frame of the load parent; kind is protocol.KindFrame or KindIframe.
func (m *Maker) Frame(parent, url, kind string) protocol.Event {
	e := m.Event(protocol.Frame)
	e.Page, e.Parent, e.URL, e.Kind = m.UUID(), parent, url, kind
	return e
}

// Of makes an event about a load: useful, not-useful, back, forward.
func (m *Maker) Of(t protocol.Type, load, from string) protocol.Event {
	e := m.Event(t)
	e.Page, e.From = load, from
	return e
}
