package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"nightjar/daemon/protocol"
	"nightjar/daemon/session"
)

// openSession is what take needs to know about an event's session.
type openSession struct {
	id, topic int64
	client    string
	status    string
	endedSeq  sql.NullInt64
	problem   string
}

// take stores one event, or acknowledges or refuses it without storing it.
func (b *batch) take(ctx context.Context, e *session.Event) error {
	_, err := single[int](ctx, b.tx, "SELECT 1 FROM events WHERE id = ?", e.ID)
	if err == nil {
		b.Acked, b.Known = append(b.Acked, e.ID), b.Known+1
		return nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if gone, err := b.buried(ctx, e); err != nil || gone {
		if err == nil {
			b.Acked = append(b.Acked, e.ID)
		}
		return err
	}
	of, ok, err := b.session(ctx, e)
	if err != nil || !ok {
		return err
	}
	if e.Page != "" {
		if ok, err := b.mayKeep(ctx, e, of); err != nil || !ok {
			return err
		}
	}
	if err := b.insert(ctx, e, of); err != nil {
		return err
	}
	b.Acked = append(b.Acked, e.ID)
	b.sessions[e.Session] = true
	return b.project(ctx, e, of)
}

// session returns the event's session, which it starts if needed. ok is false when the session's state required to
// acknowledge or refuse the event.
func (b *batch) session(ctx context.Context, e *session.Event) (s openSession, ok bool, err error) {
	err = b.tx.QueryRowContext(ctx, "SELECT id, topic_id, client, status, ended_seq, problem FROM sessions WHERE uuid = ?", e.Session).
		Scan(&s.id, &s.topic, &s.client, &s.status, &s.endedSeq, &s.problem)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return b.start(ctx, e)
	case err != nil:
		return s, false, err
	case s.client != e.Client:
		b.refuse(e.ID, protocol.OtherSession, "the session belongs to another browser")
	case s.endedSeq.Valid && e.Seq > s.endedSeq.Int64:
		b.refuse(e.ID, protocol.SessionEnded, "the session was already "+s.status)
	case e.Type == protocol.SessionStart:
		b.refuse(e.ID, protocol.BadField, "the session was already started")
	default:
		return s, true, nil
	}
	return s, false, nil
}

func (b *batch) start(ctx context.Context, e *session.Event) (s openSession, ok bool, err error) {
	if discarded, err := b.discarded(ctx, e); err != nil || discarded {
		return s, false, err
	}
	_, err = single[int](ctx, b.tx, "SELECT 1 FROM erased WHERE uuid = ?", e.Session)
	switch {
	case err == nil:
		b.refuse(e.ID, protocol.NoSession, "the session was erased, or is part of another one")
		return s, false, nil
	case !errors.Is(err, sql.ErrNoRows):
		return s, false, err
	case e.Type != protocol.SessionStart:
		b.refuse(e.ID, protocol.NoSession, "session "+e.Session+" was never started")
		return s, false, nil
	}
	s.client, s.status = e.Client, Recording
	key, err := b.joined(ctx, e)
	if err != nil {
		return s, false, err
	}
	if s.topic, err = ensureTopic(ctx, b.tx.Tx, e.Topic, b.s.Now()); err != nil {
		return s, false, err
	}
	err = b.tx.QueryRowContext(ctx, `INSERT INTO sessions (uuid, topic_id, client, status, started_at, title) VALUES (?, ?, ?, ?, ?, ?) RETURNING id`,
		e.Session, s.topic, e.Client, Recording, millis(e.At), e.Title).Scan(&s.id)
	if err == nil {
		err = b.tie(ctx, &s, e.Session, key, e.At)
	}
	return s, err == nil, err
}

// discarded reports whether the event's session was discarded, and acknowledges or refuses the event then.
func (b *batch) discarded(ctx context.Context, e *session.Event) (bool, error) {
	var client string
	var ended int64
	err := b.tx.QueryRowContext(ctx, "SELECT client, ended_seq FROM discarded WHERE uuid = ?", e.Session).Scan(&client, &ended)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, err
	case client != e.Client:
		b.refuse(e.ID, protocol.OtherSession, "the session belongs to another browser")
	case e.Seq > ended:
		b.refuse(e.ID, protocol.SessionEnded, "the session was already discarded")
	default:
		b.Acked, b.Known = append(b.Acked, e.ID), b.Known+1 // the discard deleted it, or would have
	}
	return true, nil
}

// mayKeep reports whether an event of a page load may be stored: the load must belong to this session. Of a withheld
// load, mayKeep refuses snapshots and strips the content of other events, which are stored so that they are
// acknowledged when they come again. A link to a host on the never-record list is refused; its page stays.
func (b *batch) mayKeep(ctx context.Context, e *session.Event, s openSession) (bool, error) {
	rules := protocol.Rules{Never: b.never, Listen: b.s.Listen}
	if e.Links() {
		if words := rules.Refusal(e.URL, e.Own); words != "" {
			b.refuse(e.ID, protocol.NeverRecord, words)
			return false, nil
		}
	}
	e.DropAlias(rules)
	_, err := single[int64](ctx, b.tx, "SELECT session_id FROM events WHERE page = ? AND session_id <> ? LIMIT 1", e.Page, s.id)
	if err == nil {
		b.refuse(e.ID, protocol.OtherSession, "the page load belongs to another session")
		return false, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	code, err := b.withheld(ctx, e.Page)
	if err != nil {
		return false, err
	}
	if code == "" && e.Parent != "" {
		if code, err = b.withheld(ctx, e.Parent); err != nil {
			return false, err
		}
	}
	words := withheldWords[code]
	if now, why := e.Withheld(rules); now != "" {
		code, words = now, why
	}
	if code == "" {
		return true, nil
	}
	if err := b.withhold(ctx, s, e.Page, code); err != nil {
		return false, err
	}
	if e.Type == protocol.Snapshot || code == protocol.NeverRecord {
		b.refuse(e.ID, code, words)
		return false, nil
	}
	e.Bare()
	return true, nil
}

var withheldWords = map[protocol.Code]string{
	protocol.NeverRecord:  "the page must not be recorded",
	protocol.PasswordPage: "the page has a password field",
	protocol.Erased:       "the page was deleted from the session",
}

// withheld returns why a page load is withheld, or "".
func (b *batch) withheld(ctx context.Context, load string) (code protocol.Code, err error) {
	err = b.tx.QueryRowContext(ctx, "SELECT code FROM withheld WHERE load = ?", load).Scan(&code)
	return code, optional(err)
}

// insert stores the event, and a snapshot's HTML unless the same HTML is stored already.
func (b *batch) insert(ctx context.Context, e *session.Event, s openSession) error {
	var shown []byte
	if e.Type == protocol.Snapshot {
		_, err := b.tx.ExecContext(ctx, "INSERT OR IGNORE INTO contents (hash, gzip) VALUES (?, ?)", e.Hash, e.HTML)
		if err != nil {
			return err
		}
		if shown, err = json.Marshal(e.Shown); err != nil {
			return err
		}
	}
	plain := e.Event
	plain.HTML = nil
	body, err := json.Marshal(plain)
	if err != nil {
		return err
	}
	return execute(ctx, b.tx, `INSERT INTO events (id, session_id, client, seq, at, type, page, body, content_hash, shown, sum)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.ID, s.id, e.Client, e.Seq, millis(e.At), e.Type, e.Page, string(body), e.Hash, string(shown),
		eventSum(e.ID, millis(e.At), string(e.Type), e.Page, string(body), e.Hash, string(shown)))
}

// project updates the tables that are derived from events.
func (b *batch) project(ctx context.Context, e *session.Event, s openSession) error {
	var err error
	switch e.Type {
	case protocol.Visit, protocol.Frame, protocol.Snapshot:
		err = b.projectLoad(ctx, e.Page, s)
	case protocol.Useful, protocol.NotUseful:
		err = b.projectMark(ctx, e.Page, s)
	case protocol.LinkUseful, protocol.LinkNotUseful:
		if err = remark(ctx, b.tx.Tx, s.id, []string{e.URL}); err == nil {
			err = b.s.unmarkLinked(ctx, b.tx.Tx, s.topic, e.URL)
		}
	case protocol.SessionPause, protocol.SessionResume: // neither opens a session that another browser submitted
		_, err = b.tx.ExecContext(ctx, `UPDATE sessions SET status = CASE (SELECT type FROM events
			WHERE session_id = sessions.id AND type IN ('session.pause', 'session.resume') ORDER BY seq DESC LIMIT 1)
			WHEN 'session.pause' THEN 'paused' ELSE 'recording' END WHERE id = ? AND ended_seq IS NULL AND status <> 'submitted'`, s.id)
	case protocol.Submit:
		return b.submit(ctx, e, s)
	case protocol.Discard:
		return b.discard(ctx, e, s)
	}
	if err == nil && s.status == Submitted && !control(e.Event) {
		b.Submitted = append(b.Submitted, s.topic) // it came after another browser's submit
	}
	if err != nil || s.problem == "" {
		return err
	}
	// The person was told what the session lacks. It may be complete now.
	lacks, err := trainable(ctx, b.tx.Tx, s.id)
	if err != nil {
		return err
	}
	return b.setProblem(ctx, s.id, lacks)
}

func (b *batch) setProblem(ctx context.Context, id int64, lacks error) error {
	words := ""
	if lacks != nil {
		words = lacks.Error()
	}
	ids, err := together(ctx, b.tx, id)
	if err != nil {
		return err
	}
	return execute(ctx, b.tx, "UPDATE sessions SET problem = ? WHERE id IN (SELECT value FROM json_each(?))", words, jsonList(ids))
}

// submit ends a session if it can be trained, and with it what other browsers recorded of it. Otherwise the session stays
// open and its problem says why.
func (b *batch) submit(ctx context.Context, e *session.Event, s openSession) error {
	if e.Seq < b.last[e.Session] {
		return nil
	}
	if s.status == Submitted { // by another browser
		return b.end(ctx, e, s, Submitted)
	}
	lacks, err := trainable(ctx, b.tx.Tx, s.id)
	if err != nil {
		return err
	}
	if lacks == nil {
		if err := b.end(ctx, e, s, Submitted); err != nil {
			return err
		}
		if err := b.submitOthers(ctx, s, e.At); err != nil {
			return err
		}
		b.Submitted = append(b.Submitted, s.topic)
	}
	return b.setProblem(ctx, s.id, lacks)
}

// discard deletes everything of a session, and its topic if nothing else is left of that. It notes that the session is
// discarded, so that events that come again are acknowledged.
func (b *batch) discard(ctx context.Context, e *session.Event, s openSession) error {
	if e.Whole {
		if err := b.discardOthers(ctx, s); err != nil {
			return err
		}
	}
	return b.drop(ctx, s, e.Session, e.Seq)
}

func (b *batch) end(ctx context.Context, e *session.Event, s openSession, status string) error {
	return execute(ctx, b.tx, "UPDATE sessions SET status = ?, ended_at = ?, ended_seq = ?, problem = '' WHERE id = ?",
		status, millis(e.At), e.Seq, s.id)
}

const selectEvents = `SELECT e.body, c.gzip FROM events e JOIN sessions s ON s.id = e.session_id
	LEFT JOIN contents c ON c.hash = e.content_hash WHERE e.page NOT IN (SELECT load FROM withheld) AND `

// SessionEvents lists the events of a session and of those recorded together with it, session by session and in order, with
// the HTML of snapshots, as in a session file. The error is ErrNotFound when there is no such session.
func (s *Store) SessionEvents(ctx context.Context, id int64) ([]protocol.Event, error) {
	one, err := s.SessionByID(ctx, id)
	if err != nil {
		return nil, err
	}
	return query(ctx, s.r, scanEvent, selectEvents+"e.session_id IN (SELECT value FROM json_each(?)) ORDER BY s.id, e.client, e.seq", jsonList(one.IDs()))
}

// SessionSteps lists what SessionEvents lists, without the HTML of snapshots. SnapshotOf has that of each.
func (s *Store) SessionSteps(ctx context.Context, id int64) ([]protocol.Event, error) {
	one, err := s.SessionByID(ctx, id)
	if err != nil {
		return nil, err
	}
	return query(ctx, s.r, scanEvent, `SELECT e.body, NULL FROM events e JOIN sessions s ON s.id = e.session_id
		WHERE e.page NOT IN (SELECT load FROM withheld WHERE session_id IN (SELECT value FROM json_each(?1)))
		AND e.session_id IN (SELECT value FROM json_each(?1)) ORDER BY s.id, e.client, e.seq`, jsonList(one.IDs()))
}

// SnapshotOf returns the packed HTML of a snapshot event, nil when it was erased.
func (s *Store) SnapshotOf(ctx context.Context, event string) (html []byte, err error) {
	err = s.r.QueryRowContext(ctx, "SELECT c.gzip FROM events e JOIN contents c ON c.hash = e.content_hash WHERE e.id = ?", event).Scan(&html)
	return html, optional(err)
}

// TopicEvents lists the events of the submitted sessions of a topic and of its members, session by session, without those that
// are known to be damaged; see Unsound.
func (s *Store) TopicEvents(ctx context.Context, topicID int64) (all []protocol.Event, err error) {
	return all, s.eachSession(ctx, topicID, func(events []protocol.Event) { all = append(all, events...) })
}

// eachSession calls f with the events of each session that TopicEvents lists. One session is read at a time: while a statement
// reads, the write-ahead log cannot begin anew, and all sessions of a large topic take minutes.
func (s *Store) eachSession(ctx context.Context, topicID int64, f func([]protocol.Event)) error {
	ids, err := query(ctx, s.r, scanID, "SELECT s.id FROM sessions s WHERE s.topic_id IN "+parts+" AND s.status = 'submitted' ORDER BY s.id", topicID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		events, err := query(ctx, s.r, scanEvent, selectEvents+"s.id = ? AND s.status = 'submitted' AND "+soundEvents+" ORDER BY e.client, e.seq", id)
		if err != nil {
			return err
		}
		f(events)
	}
	return nil
}

func scanEvent(row scanner) (protocol.Event, error) {
	var e protocol.Event
	var html []byte
	err := row.Scan(jsonOf{&e}, &html)
	e.HTML = html
	return e, wrap(err, "read event")
}
