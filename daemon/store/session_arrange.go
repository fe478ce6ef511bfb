package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"nightjar/daemon/protocol"
	"nightjar/daemon/session"
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
func readPlaced(ctx context.Context, tx *sql.Tx, one Session) (placed, []session.Event, error) {
	p := placed{ID: one.ID, UUID: one.UUID, Client: one.Client, Topic: one.Topic, Title: one.Title}
	events, err := storedEvents(ctx, tx, one.ID)
	if err != nil {
		return p, nil, err
	}
	for _, e := range events {
		if control(e.Event) {
			p.Control = append(p.Control, e.Event)
		} else {
			p.Events = append(p.Events, placedEvent{e.ID, e.Seq})
		}
	}
	return p, events, nil
}

// storedEvents reads the events of a session in order, without HTML.
func storedEvents(ctx context.Context, tx *sql.Tx, id int64) ([]session.Event, error) {
	return query(ctx, tx, scanShown, `SELECT body, shown FROM events WHERE session_id = ? ORDER BY client, seq, id`, id)
}

// lockedSession reads a session in a transaction, or returns ErrNotFound.
func lockedSession(ctx context.Context, tx *sql.Tx, uuid string) (Session, error) {
	return found(scanSession(tx.QueryRowContext(ctx, selectSession+"WHERE s.uuid = ?", uuid)))
}

// arrange makes the sessions with these UUIDs those that want describes, and derives their rows again. Sessions that want
// does not name go, and cannot be imported again. It returns the topics that the sessions were in and are in now. Events
// that were erased since stay erased.
func (s *Store) arrange(ctx context.Context, tx *sql.Tx, uuids []string, want []placed) (topics []int64, err error) {
	stored := map[string]session.Event{} // of all the sessions
	var gone []int64
	for _, uuid := range uuids {
		one, err := lockedSession(ctx, tx, uuid)
		if errors.Is(err, ErrNotFound) {
			continue // a merged session, which comes back
		}
		if err != nil {
			return nil, err
		}
		if err := beingRecorded(ctx, tx, one); err != nil {
			return nil, err
		}
		topics = append(topics, one.TopicID)
		events, err := storedEvents(ctx, tx, one.ID)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			stored[e.ID] = e
		}
		for _, table := range []string{"marks", "visits"} {
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+table+" WHERE session_id = ?", one.ID); err != nil {
				return nil, err
			}
		}
		if !slices.ContainsFunc(want, func(p placed) bool { return p.UUID == uuid }) {
			gone = append(gone, one.ID)
			if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO erased (uuid) VALUES (?)", uuid); err != nil {
				return nil, err
			}
		}
	}
	b := &batch{s: s, tx: quick{Tx: tx}, sessions: map[string]bool{}}
	var open []openSession
	for _, p := range want {
		of, err := b.room(ctx, p)
		if err != nil {
			return nil, err
		}
		open, topics = append(open, of), append(topics, of.topic)
	}
	for i, p := range want {
		if err := b.place(ctx, open[i], p, stored); err != nil {
			return nil, err
		}
	}
	if err := b.dropSessions(ctx, gone, open[0].id); err != nil {
		return nil, err
	}
	for _, of := range open {
		if err := b.rederive(ctx, of); err != nil {
			return nil, err
		}
	}
	topics = distinct(topics)
	return topics, afterMove(ctx, tx, topics)
}

// room makes the row of a session, or empties it of all that is derived from events.
func (b *batch) room(ctx context.Context, p placed) (openSession, error) {
	s := openSession{client: p.Client, status: Recording}
	var err error
	if s.topic, err = ensureTopic(ctx, b.tx.Tx, p.Topic, b.s.Now()); err != nil {
		return s, err
	}
	if _, err := b.tx.ExecContext(ctx, "DELETE FROM erased WHERE uuid = ?", p.UUID); err != nil {
		return s, err
	}
	err = b.tx.QueryRowContext(ctx, `INSERT INTO sessions (id, uuid, topic_id, client, status, started_at, title)
		VALUES (iif(EXISTS (SELECT 1 FROM sessions WHERE id = ?1), NULL, nullif(?1, 0)), ?2, ?3, ?4, ?5, 0, ?6)
		ON CONFLICT (uuid) DO UPDATE SET topic_id = excluded.topic_id, client = excluded.client, status = excluded.status,
		title = excluded.title, ended_at = NULL, ended_seq = NULL, problem = '', pages = NULL, useful = NULL RETURNING id`,
		p.ID, p.UUID, s.topic, p.Client, Recording, p.Title).Scan(&s.id)
	return s, err
}

// place gives a session its events, in place of any others about the session itself.
func (b *batch) place(ctx context.Context, of openSession, p placed, stored map[string]session.Event) error {
	var keep []string
	for _, e := range p.Control {
		keep = append(keep, e.ID)
	}
	for _, id := range keep {
		if _, err := b.tx.ExecContext(ctx, "DELETE FROM events WHERE id = ?", id); err != nil {
			return err
		}
	}
	if _, err := b.tx.ExecContext(ctx, `DELETE FROM events WHERE session_id = ? AND page = ''
		AND id NOT IN (SELECT value FROM json_each(?))`, of.id, jsonList(keep)); err != nil {
		return err
	}
	for _, e := range p.Control {
		e.Session, e.Client = p.UUID, p.Client
		if e.Type == protocol.SessionStart {
			e.Topic, e.Title = p.Topic, p.Title
			if _, err := b.tx.ExecContext(ctx, "UPDATE sessions SET started_at = ?, joins = ? WHERE id = ?", millis(e.At), e.Joins, of.id); err != nil {
				return err
			}
		}
		if err := b.insert(ctx, &session.Event{Event: e}, of); err != nil {
			return err
		}
	}
	for _, at := range p.Events {
		e, ok := stored[at.ID]
		if !ok {
			continue // erased since
		}
		e.Session, e.Client, e.Seq = p.UUID, p.Client, at.Seq
		if _, err := b.tx.ExecContext(ctx, "UPDATE events SET session_id = ?, client = ?, seq = ?, body = ? WHERE id = ?",
			of.id, p.Client, at.Seq, jsonOf{e.Event}, at.ID); err != nil {
			return err
		}
	}
	return nil
}

// dropSessions deletes sessions whose events all moved to others; withheld page loads follow their events, or move to the
// session heir.
func (b *batch) dropSessions(ctx context.Context, gone []int64, heir int64) error {
	for _, id := range gone {
		left, err := single[int](ctx, b.tx, "SELECT count(*) FROM events WHERE session_id = ? AND page <> ''", id)
		if err != nil {
			return err
		}
		if left > 0 {
			return ErrNotUndone // it has new events whose place is unknown
		}
		if err := execAll(ctx, b.tx, []string{
			`UPDATE withheld SET session_id = coalesce((SELECT session_id FROM events WHERE page = withheld.load LIMIT 1), ?2) WHERE session_id = ?1`,
			`DELETE FROM sessions WHERE id = ?1 AND ?2 > 0`,
		}, id, heir); err != nil {
			return err
		}
	}
	return nil
}

// rederive derives a session's visits, marks, counts and status from its events, as Ingest does while they arrive.
func (b *batch) rederive(ctx context.Context, of openSession) error {
	_, err := b.tx.ExecContext(ctx, "UPDATE withheld SET session_id = ?1 WHERE load IN (SELECT page FROM events WHERE session_id = ?1)", of.id)
	if err != nil {
		return err
	}
	events, err := storedEvents(ctx, b.tx.Tx, of.id)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, e := range events {
		if !control(e.Event) && !seen[e.Page] {
			seen[e.Page] = true
			if err := b.projectLoad(ctx, e.Page, of); err != nil {
				return err
			}
		}
	}
	for i := range events {
		if e := &events[i]; control(e.Event) {
			if err := b.tx.QueryRowContext(ctx, "SELECT status, ended_seq, problem FROM sessions WHERE id = ?", of.id).
				Scan(&of.status, &of.endedSeq, &of.problem); err != nil {
				return err
			}
			if err := b.project(ctx, e, of); err != nil {
				return err
			}
		}
	}
	return b.rest(ctx, of, events)
}

// rest pauses a submitted session that stays open because it cannot train alone.
func (b *batch) rest(ctx context.Context, of openSession, events []session.Event) error {
	var status, uuid string
	if err := b.tx.QueryRowContext(ctx, "SELECT status, uuid FROM sessions WHERE id = ?", of.id).Scan(&status, &uuid); err != nil {
		return err
	}
	if status != Recording || len(events) == 0 {
		return nil
	}
	last := events[len(events)-1]
	e := session.Event{Event: protocol.Event{V: protocol.Version, ID: protocol.NewID(), Client: of.client, Seq: last.Seq + 1, Session: uuid,
		Tab: -1, Frame: -1, At: lastTime(events), Type: protocol.SessionPause}}
	if err := b.insert(ctx, &e, of); err != nil {
		return err
	}
	return b.project(ctx, &e, of)
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
func beingRecorded(ctx context.Context, tx *sql.Tx, one Session) error {
	if one.Status == Submitted {
		return nil
	}
	if one.Status == Recording {
		return ErrLive
	}
	newest, err := single[bool](ctx, tx, `SELECT EXISTS (SELECT 1 FROM browsers WHERE client = ?1 AND revoked_at IS NULL)
		AND NOT EXISTS (SELECT 1 FROM sessions WHERE client = ?1 AND id > ?2)
		AND coalesce((SELECT body ->> 'tab' FROM events WHERE session_id = ?2 ORDER BY client DESC, seq DESC LIMIT 1), 0) >= 0`,
		one.Client, one.ID)
	if err != nil {
		return fmt.Errorf("look for the browser of a session: %w", err)
	}
	if newest {
		return ErrLive
	}
	return nil
}

// afterMove updates topics whose sessions changed: milestones move with their pages, queues lose links found only on pages of
// other topics, and empty topics are deleted.
func afterMove(ctx context.Context, tx *sql.Tx, topics []int64) error {
	for _, id := range topics {
		if err := moveMilestones(ctx, tx, id); err != nil {
			return err
		}
		if err := dropVisited(ctx, tx, id); err != nil {
			return err
		}
	}
	for _, id := range topics {
		if err := dropIdleTopic(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// moveMilestones gives the names of pages that a topic's sessions do not visit any more to the topic whose session visits
// them now, when there is one such topic.
func moveMilestones(ctx context.Context, tx *sql.Tx, topicID int64) error {
	return execute(ctx, tx, `UPDATE milestones SET topic_id = (SELECT s.topic_id FROM visits v
			JOIN sessions s ON s.id = v.session_id WHERE v.page_id = milestones.page_id ORDER BY s.id DESC LIMIT 1)
		WHERE topic_id = ?1 AND page_id IS NOT NULL AND action = 'name'
		AND NOT EXISTS (SELECT 1 FROM combined WHERE topic_id = ?1)
		AND EXISTS (SELECT 1 FROM visits WHERE page_id = milestones.page_id)
		AND NOT EXISTS (SELECT 1 FROM visits v JOIN sessions s ON s.id = v.session_id
			WHERE v.page_id = milestones.page_id AND s.topic_id = ?1)`, topicID)
}
