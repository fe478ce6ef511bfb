package sessions

import (
	"errors"
	"slices"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// placed describes a session by its events. The events are the truth: splitting, merging, naming and
// moving sessions rewrite their envelopes (session, client, seq, start and end), and the rows are derived from them as
// Ingest does. So an exported session holds what was done to it, and an import makes the same rows.
type placed struct {
	ID      int64            `json:"id"` // of the row, if it is free
	UUID    string           `json:"uuid"`
	Client  string           `json:"client"`
	Topic   string           `json:"topic"`
	Title   string           `json:"title"`
	Events  []placedEvent    `json:"events"`  // of page loads
	Control []protocol.Event `json:"control"` // start, end and pauses: they say nothing about pages
}

// placedEvent is an event's place in its session.
type placedEvent struct {
	ID  string `json:"id"`
	Seq int64  `json:"seq"`
}

// control reports whether an event is about the session and not about a page load.
func control(e protocol.Event) bool { return e.Page == "" }

// readPlaced reads a session as it is, with its events in order.
func readPlaced(w *db.Work, one Session) (placed, []session.Event) {
	p := placed{ID: one.ID, UUID: one.UUID, Client: one.Client, Topic: one.Topic, Title: one.Title}
	events := storedEvents(w, one.ID)
	for _, e := range events {
		if control(e.Event) {
			p.Control = append(p.Control, e.Event)
		} else {
			p.Events = append(p.Events, placedEvent{e.ID, e.Seq})
		}
	}
	return p, events
}

// storedEvents reads the events of a session in order, without HTML.
func storedEvents(w *db.Work, id int64) []session.Event {
	return db.List(w, scanShown, `SELECT body, shown FROM events WHERE session_id = ? ORDER BY client, seq, id`, id)
}

// lockedSession reads a session in a transaction, or returns ErrNotFound.
func lockedSession(w *db.Work, uuid string) Session {
	return db.First(w, scanSession, selectSession+"WHERE s.uuid = ?", uuid)
}

// arrange makes the sessions with these UUIDs those that want describes, and derives their rows again. Sessions that want
// does not name go, and cannot be imported again. It returns the topics that the sessions were in and are in now. Events
// that were erased since stay erased.
func arrange(d *db.DB, w *db.Work, uuids []string, want []placed) (topicIDs []int64) {
	stored := map[string]session.Event{} // of all the sessions
	var gone []int64
	for _, uuid := range uuids {
		if !w.Has("SELECT EXISTS (SELECT 1 FROM sessions WHERE uuid = ?)", uuid) {
			continue // a merged session, which comes back
		}
		one := lockedSession(w, uuid)
		beingRecorded(w, one)
		topicIDs = append(topicIDs, one.TopicID)
		for _, e := range storedEvents(w, one.ID) {
			stored[e.ID] = e
		}
		for _, table := range []string{"marks", "visits"} {
			w.Exec("DELETE FROM "+table+" WHERE session_id = ?", one.ID)
		}
		if !slices.ContainsFunc(want, func(p placed) bool { return p.UUID == uuid }) {
			gone = append(gone, one.ID)
			w.Exec("INSERT OR IGNORE INTO erased (uuid) VALUES (?)", uuid)
		}
	}
	b := newBatch(d, w)
	var open []openSession
	for _, p := range want {
		of := b.room(p)
		open, topicIDs = append(open, of), append(topicIDs, of.topic)
	}
	for i, p := range want {
		b.place(open[i], p, stored)
	}
	b.dropSessions(gone, open[0].id)
	for _, of := range open {
		b.rederive(of)
	}
	topicIDs = db.Distinct(topicIDs)
	afterMove(w, topicIDs)
	return topicIDs
}

// room makes the row of a session, or empties it of all that is derived from events.
func (b *batch) room(p placed) openSession {
	s := openSession{client: p.Client, status: Recording}
	s.topic = topics.Ensure(b.Work, p.Topic, b.d.Now())
	b.Exec("DELETE FROM erased WHERE uuid = ?", p.UUID)
	b.Row(`INSERT INTO sessions (id, uuid, topic_id, client, status, started_at, title)
		VALUES (iif(EXISTS (SELECT 1 FROM sessions WHERE id = ?1), NULL, nullif(?1, 0)), ?2, ?3, ?4, ?5, 0, ?6)
		ON CONFLICT (uuid) DO UPDATE SET topic_id = excluded.topic_id, client = excluded.client, status = excluded.status,
		title = excluded.title, ended_at = NULL, ended_seq = NULL, problem = '', pages = NULL, useful = NULL RETURNING id`,
		p.ID, p.UUID, s.topic, p.Client, Recording, p.Title).Read(&s.id)
	return s
}

// place gives a session its events, in place of any others about the session itself.
func (b *batch) place(of openSession, p placed, stored map[string]session.Event) {
	for _, e := range p.Control {
		b.Exec("DELETE FROM events WHERE id = ?", e.ID)
	}
	b.Exec("DELETE FROM events WHERE session_id = ? AND page = ''", of.id)
	for _, e := range p.Control {
		e.Session, e.Client = p.UUID, p.Client
		if e.Type == protocol.SessionStart {
			e.Topic, e.Title = p.Topic, p.Title
			b.Exec("UPDATE sessions SET started_at = ?, joins = ? WHERE id = ?", db.Millis(e.At), e.Joins, of.id)
		}
		b.insert(&session.Event{Event: e}, of)
	}
	for _, at := range p.Events {
		e, ok := stored[at.ID]
		if !ok {
			continue // erased since
		}
		e.Session, e.Client, e.Seq = p.UUID, p.Client, at.Seq
		b.Exec("UPDATE events SET session_id = ?, client = ?, seq = ?, body = ? WHERE id = ?",
			of.id, p.Client, at.Seq, db.JSONOf(e.Event), at.ID)
	}
}

// dropSessions deletes sessions whose events all moved to others; withheld page loads follow their events, or move to the
// session heir.
func (b *batch) dropSessions(gone []int64, heir int64) {
	for _, id := range gone {
		left := db.Value[int](b.Work, "SELECT count(*) FROM events WHERE session_id = ? AND page <> ''", id)
		if left > 0 {
			b.Fail(store.ErrNotUndone) // it has new events whose place is unknown
			return
		}
		b.ExecAll([]string{
			`UPDATE withheld SET session_id = coalesce((SELECT session_id FROM events WHERE page = withheld.load LIMIT 1), ?2) WHERE session_id = ?1`,
			`DELETE FROM sessions WHERE id = ?1 AND ?2 > 0`,
		}, id, heir)
	}
}

// rederive derives a session's visits, marks, counts and status from its events, as Ingest does while they arrive.
func (b *batch) rederive(of openSession) {
	b.Exec("UPDATE withheld SET session_id = ?1 WHERE load IN (SELECT page FROM events WHERE session_id = ?1)", of.id)
	events := storedEvents(b.Work, of.id)
	seen := map[string]bool{}
	for _, e := range events {
		if !control(e.Event) && !seen[e.Page] {
			seen[e.Page] = true
			b.projectLoad(e.Page, of)
		}
	}
	for i := range events {
		if e := &events[i]; control(e.Event) {
			b.Row("SELECT status, ended_seq, problem FROM sessions WHERE id = ?", of.id).
				Read(&of.status, &of.endedSeq, &of.problem)
			b.project(e, of)
		}
	}
	b.rest(of, events)
}

// rest pauses a submitted session that stays open because it cannot train alone.
func (b *batch) rest(of openSession, events []session.Event) {
	var status, uuid string
	b.Row("SELECT status, uuid FROM sessions WHERE id = ?", of.id).Read(&status, &uuid)
	if status != Recording || len(events) == 0 {
		return
	}
	last := events[len(events)-1]
	e := session.Event{Event: protocol.Event{V: protocol.Version, ID: protocol.NewID(), Client: of.client, Seq: last.Seq + 1, Session: uuid,
		Tab: -1, Frame: -1, At: lastTime(events), Type: protocol.SessionPause}}
	b.insert(&e, of)
	b.project(&e, of)
}

// lastTime returns the latest time of events.
func lastTime(events []session.Event) time.Time {
	var last time.Time
	for _, e := range events {
		if e.At.After(last) {
			last = e.At
		}
	}
	return last
}

// ErrLive says that a browser may still add to a session.
var ErrLive = errors.New("this session is still being recorded; submit or discard it in the browser first")

// beingRecorded returns ErrLive for a session to which a browser may still add: one that is recording, or the paused one that
// a connected browser would resume; not one that rest paused.
func beingRecorded(w *db.Work, one Session) {
	if one.Status == Submitted {
		return
	}
	if one.Status == Recording {
		w.Fail(ErrLive)
		return
	}
	newest := db.Value[bool](w, `SELECT EXISTS (SELECT 1 FROM browsers WHERE client = ?1 AND revoked_at IS NULL)
		AND NOT EXISTS (SELECT 1 FROM sessions WHERE client = ?1 AND id > ?2)
		AND coalesce((SELECT body ->> 'tab' FROM events WHERE session_id = ?2 ORDER BY client DESC, seq DESC LIMIT 1), 0) >= 0`,
		one.Client, one.ID)
	if newest {
		w.Fail(ErrLive)
		return
	}
}

// afterMove updates topics whose sessions changed: milestones move with their pages, queues lose links found only on pages of
// other topics, and empty topics are deleted.
func afterMove(w *db.Work, topicIDs []int64) {
	for _, id := range topicIDs {
		topics.MoveMilestones(w, id)
		store.DropVisited(w, id)
	}
	for _, id := range topicIDs {
		topics.DropIdle(w, id)
	}
}
