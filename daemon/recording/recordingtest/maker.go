// Package recordingtest makes the events of sessions for tests.
package recordingtest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"nightjar/daemon/protocol"
)

// Maker makes the events of one session, numbered and timed as a browser's extension would. The same seed, start and
// calls give the same events.
type Maker struct {
	Client  string        // UUID of the browser
	Session string        // UUIDv7
	Step    time.Duration // from one event to the next

	now time.Time
	seq int64
	rng *rand.Rand
}

// NewMaker begins a session at start, one second a step.
func NewMaker(seed uint64, start time.Time) *Maker {
	m := &Maker{Step: time.Second, now: start.UTC().Truncate(time.Millisecond), rng: rand.New(rand.NewPCG(seed, 0x6e69676874))}
	m.Client = m.uuid(4)
	m.Session = m.UUID()
	return m
}

// UUID makes a UUIDv7 of the maker's time.
func (m *Maker) UUID() string { return m.uuid(7) }

func (m *Maker) uuid(version byte) string {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], m.rng.Uint64())
	binary.BigEndian.PutUint64(b[8:], m.rng.Uint64())
	if version == 7 {
		ms := uint64(m.now.UnixMilli())
		binary.BigEndian.PutUint32(b[:4], uint32(ms>>16))
		binary.BigEndian.PutUint16(b[4:6], uint16(ms))
	}
	b[6] = version<<4 | b[6]&0x0f
	b[8] = 0x80 | b[8]&0x3f
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// Event makes an event of a type with the fields every event has.
func (m *Maker) Event(t protocol.Type) protocol.Event {
	m.seq++
	m.now = m.now.Add(m.Step)
	return protocol.Event{V: protocol.Version, ID: m.UUID(), Client: m.Client, Seq: m.seq, Session: m.Session, Tab: 1, At: m.now, Type: t}
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
