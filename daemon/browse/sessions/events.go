package sessions

import (
	"context"
	"database/sql"
	"encoding/json"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
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
func (b *batch) take(e *session.Event) {
	if b.Has("SELECT EXISTS (SELECT 1 FROM events WHERE id = ?)", e.ID) {
		b.Acked, b.Known = append(b.Acked, e.ID), b.Known+1
		return
	}
	if b.buried(e) {
		b.Acked = append(b.Acked, e.ID)
		return
	}
	of, ok := b.session(e)
	if !ok || e.Page != "" && !b.mayKeep(e, of) {
		return
	}
	b.Acked = append(b.Acked, e.ID)
	if b.foreseen != nil {
		b.foresee(e, of)
		return
	}
	b.insert(e, of)
	b.sessions[e.Session] = true
	b.project(e, of)
}

// foresee notes what an event would make of its session.
func (b *batch) foresee(e *session.Event, s openSession) {
	if e.Type == protocol.Discard || e.Type == protocol.Submit && e.Seq >= b.last[e.Session] {
		s.status = map[protocol.Type]string{protocol.Discard: Discarded, protocol.Submit: Submitted}[e.Type]
		s.endedSeq = sql.NullInt64{Int64: e.Seq, Valid: true}
	}
	b.foreseen[e.Session] = s
}

// session returns the event's session, which it starts if needed. ok is false when the session's state required to
// acknowledge or refuse the event.
func (b *batch) session(e *session.Event) (s openSession, ok bool) {
	s, known := b.foreseen[e.Session]
	known = known || b.Row("SELECT id, topic_id, client, status, ended_seq, problem FROM sessions WHERE uuid = ?", e.Session).
		Find(&s.id, &s.topic, &s.client, &s.status, &s.endedSeq, &s.problem)
	switch {
	case !known:
		return b.start(e)
	case s.client != e.Client:
		b.refuse(e.ID, protocol.OtherSession, "the session belongs to another browser")
	case s.endedSeq.Valid && e.Seq > s.endedSeq.Int64:
		b.refuse(e.ID, protocol.SessionEnded, "the session was already "+s.status)
	case e.Type == protocol.SessionStart:
		b.refuse(e.ID, protocol.BadField, "the session was already started")
	default:
		return s, true
	}
	return s, false
}

func (b *batch) start(e *session.Event) (s openSession, ok bool) {
	switch {
	case b.discarded(e):
		return s, false
	case b.Has("SELECT EXISTS (SELECT 1 FROM erased WHERE uuid = ?)", e.Session):
		b.refuse(e.ID, protocol.NoSession, "the session was erased, or is part of another one")
		return s, false
	case e.Type != protocol.SessionStart:
		b.refuse(e.ID, protocol.NoSession, "session "+e.Session+" was never started")
		return s, false
	}
	s.client, s.status = e.Client, Recording
	if b.foreseen != nil {
		return s, true
	}
	key := b.joined(e)
	s.topic = topics.Ensure(b.Work, e.Topic, b.d.Now())
	b.Row(`INSERT INTO sessions (uuid, topic_id, client, status, started_at, title, importing) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
		e.Session, s.topic, e.Client, Recording, db.Millis(e.At), e.Title, b.importing).Read(&s.id)
	b.tie(&s, e.Session, key, e.At)
	return s, true
}

// discarded reports whether the event's session was discarded, and acknowledges or refuses the event then.
func (b *batch) discarded(e *session.Event) bool {
	var client string
	var ended int64
	if !b.Row("SELECT client, ended_seq FROM discarded WHERE uuid = ?", e.Session).Find(&client, &ended) {
		return false
	}
	switch {
	case client != e.Client:
		b.refuse(e.ID, protocol.OtherSession, "the session belongs to another browser")
	case e.Seq > ended:
		b.refuse(e.ID, protocol.SessionEnded, "the session was already discarded")
	default:
		b.Acked, b.Known = append(b.Acked, e.ID), b.Known+1 // the discard deleted it, or would have
	}
	return true
}

// mayKeep reports whether an event of a page load may be stored: the load must belong to this session. Of a withheld
// load, mayKeep refuses snapshots and strips the content of other events, which are stored so that they are
// acknowledged when they come again. A link to a host on the never-record list is refused; its page stays.
func (b *batch) mayKeep(e *session.Event, s openSession) bool {
	rules := protocol.Rules{Never: b.never, Listen: b.listen}
	if e.Links() {
		if words := rules.Refusal(e.URL, e.Own); words != "" {
			b.refuse(e.ID, protocol.NeverRecord, words)
			return false
		}
	}
	e.DropAlias(rules)
	if b.Has("SELECT EXISTS (SELECT 1 FROM events WHERE page = ? AND session_id <> ?)", e.Page, s.id) {
		b.refuse(e.ID, protocol.OtherSession, "the page load belongs to another session")
		return false
	}
	code := b.withheld(e.Page)
	if code == "" && e.Parent != "" {
		code = b.withheld(e.Parent)
	}
	words := withheldWords[code]
	if now, why := e.Withheld(rules); now != "" {
		code, words = now, why
	}
	if code == "" {
		return true
	}
	if b.foreseen == nil {
		b.withhold(s, e.Page, code)
	}
	if e.Type == protocol.Snapshot || code == protocol.NeverRecord {
		b.refuse(e.ID, code, words)
		return false
	}
	e.Bare()
	return true
}

var withheldWords = map[protocol.Code]string{
	protocol.NeverRecord:  "the page must not be recorded",
	protocol.PasswordPage: "the page has a password field",
	protocol.Erased:       "the page was deleted from the session",
}

// withheld returns why a page load is withheld, or "".
func (b *batch) withheld(load string) (code protocol.Code) {
	b.Row("SELECT code FROM withheld WHERE load = ?", load).Find(&code)
	return code
}

// insert stores the event, and a snapshot's HTML unless the same HTML is stored already.
func (b *batch) insert(e *session.Event, s openSession) {
	var shown []byte
	plain := e.Event
	plain.HTML = nil
	body, err := json.Marshal(plain)
	if e.Type == protocol.Snapshot && err == nil {
		b.Exec("INSERT OR IGNORE INTO contents (hash, gzip) VALUES (?, ?)", e.Hash, e.HTML)
		shown, err = json.Marshal(e.Shown)
	}
	b.Fail(err)
	b.Exec(`INSERT INTO events (id, session_id, client, seq, at, type, page, body, content_hash, shown, sum)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.ID, s.id, e.Client, e.Seq, db.Millis(e.At), e.Type, e.Page, string(body), e.Hash, string(shown),
		store.EventSum(e.ID, db.Millis(e.At), string(e.Type), e.Page, string(body), e.Hash, string(shown)))
}

// project updates the tables that are derived from events.
func (b *batch) project(e *session.Event, s openSession) {
	switch e.Type {
	case protocol.Visit, protocol.Frame, protocol.Snapshot:
		b.projectLoad(e.Page, s)
	case protocol.Useful, protocol.NotUseful:
		b.projectMark(e.Page, s)
	case protocol.LinkUseful, protocol.LinkNotUseful:
		remark(b.Work, s.id, []string{e.URL})
		unmarkLinked(b.Work, b.d.Now(), s.topic, e.URL)
	case protocol.SessionPause, protocol.SessionResume: // neither opens a session that another browser submitted
		b.Exec(`UPDATE sessions SET status = CASE (SELECT type FROM events
			WHERE session_id = sessions.id AND type IN ('session.pause', 'session.resume') ORDER BY seq DESC LIMIT 1)
			WHEN 'session.pause' THEN 'paused' ELSE 'recording' END WHERE id = ? AND ended_seq IS NULL AND status <> 'submitted'`, s.id)
	case protocol.Submit:
		b.submit(e, s)
		return
	case protocol.Discard:
		b.discard(e, s)
		return
	}
	if s.status == Submitted && !control(e.Event) {
		b.Submitted = append(b.Submitted, s.topic) // it came after another browser's submit
	}
	if s.problem != "" { // the person was told what the session lacks, and it may be complete now
		b.setProblem(s.id, trainable(b.Work, s.id))
	}
}

func (b *batch) setProblem(id int64, lacks error) {
	words := ""
	if lacks != nil {
		words = lacks.Error()
	}
	ids := Together(b.Work, id)
	b.Exec("UPDATE sessions SET problem = ? WHERE id IN (SELECT value FROM json_each(?))", words, db.JSONList(ids))
}

// submit ends a session if it can be trained, and with it what other browsers recorded of it. Otherwise the session stays
// open and its problem says why.
func (b *batch) submit(e *session.Event, s openSession) {
	if e.Seq < b.last[e.Session] {
		return
	}
	if s.status == Submitted { // by another browser
		b.finish(e, s, Submitted)
		return
	}
	lacks := trainable(b.Work, s.id)
	if lacks == nil {
		b.finish(e, s, Submitted)
		b.submitOthers(s, e.At)
		b.Submitted = append(b.Submitted, s.topic)
	}
	b.setProblem(s.id, lacks)
}

// discard deletes everything of a session, and its topic if nothing else is left of that. It notes that the session is
// discarded, so that events that come again are acknowledged.
func (b *batch) discard(e *session.Event, s openSession) {
	if e.Whole {
		b.discardOthers(s)
	}
	b.drop(s, e.Session, e.Seq)
}

func (b *batch) finish(e *session.Event, s openSession, status string) {
	b.Exec("UPDATE sessions SET status = ?, ended_at = ?, ended_seq = ?, problem = '' WHERE id = ?",
		status, db.Millis(e.At), e.Seq, s.id)
}

const selectEvents = `SELECT e.body, c.gzip FROM events e JOIN sessions s ON s.id = e.session_id
	LEFT JOIN contents c ON c.hash = e.content_hash WHERE e.page NOT IN (SELECT load FROM withheld) AND `

// soundEvents is a condition on events e: neither the event nor the content of its snapshot changed on the disk.
const soundEvents = `NOT EXISTS (SELECT 1 FROM unsound WHERE kind = 'event' AND row = e.id)
	AND (e.content_hash IS NULL OR NOT EXISTS (SELECT 1 FROM unsound WHERE kind = 'content' AND row = lower(hex(e.content_hash))))`

// Events lists the events of a session and of those recorded together with it, session by session and in order, with
// the HTML of snapshots, as in a session file. The error is ErrNotFound when there is no such session.
func Events(ctx context.Context, d *db.DB, id int64) ([]protocol.Event, error) {
	one, err := ByID(ctx, d, id)
	if err != nil {
		return nil, err
	}
	return db.Query(ctx, d.Readers, scanEvent, selectEvents+"e.session_id IN (SELECT value FROM json_each(?)) ORDER BY s.id, e.client, e.seq", db.JSONList(one.IDs()))
}

// Steps lists what Events lists, without the HTML of snapshots. Snapshot has that of each.
func Steps(ctx context.Context, d *db.DB, id int64) ([]protocol.Event, error) {
	one, err := ByID(ctx, d, id)
	if err != nil {
		return nil, err
	}
	return db.Query(ctx, d.Readers, scanEvent, `SELECT e.body, NULL FROM events e JOIN sessions s ON s.id = e.session_id
		WHERE e.page NOT IN (SELECT load FROM withheld WHERE session_id IN (SELECT value FROM json_each(?1)))
		AND e.session_id IN (SELECT value FROM json_each(?1)) ORDER BY s.id, e.client, e.seq`, db.JSONList(one.IDs()))
}

// Snapshot returns the packed HTML of a snapshot event, nil when it was erased.
func Snapshot(ctx context.Context, d *db.DB, event string) (html []byte, err error) {
	err = d.Readers.QueryRowContext(ctx, "SELECT c.gzip FROM events e JOIN contents c ON c.hash = e.content_hash WHERE e.id = ?", event).Scan(&html)
	return html, db.Optional(err)
}

// TopicEvents lists the events of the submitted sessions of a topic and of its members, session by session, without those that
// are known to be damaged; see Unsound.
func TopicEvents(ctx context.Context, d *db.DB, topicID int64) (all []protocol.Event, err error) {
	return all, eachSession(ctx, d, topicID, func(events []protocol.Event) { all = append(all, events...) })
}

// eachSession calls f with the events of each session that TopicEvents lists. One session is read at a time: while a statement
// reads, the write-ahead log cannot begin anew, and all sessions of a large topic take minutes.
func eachSession(ctx context.Context, d *db.DB, topicID int64, f func([]protocol.Event)) error {
	ids, err := db.Query(ctx, d.Readers, db.ScanID, "SELECT s.id FROM sessions s WHERE s.topic_id IN "+topics.WithMembers+" AND s.status = 'submitted' ORDER BY s.id", topicID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		events, err := db.Query(ctx, d.Readers, scanEvent, selectEvents+"s.id = ? AND s.status = 'submitted' AND "+soundEvents+" ORDER BY e.client, e.seq", id)
		if err != nil {
			return err
		}
		f(events)
	}
	return nil
}

func scanEvent(row db.Scanner) (protocol.Event, error) {
	var e protocol.Event
	var html []byte
	err := row.Scan(db.JSONOf(&e), &html)
	e.HTML = html
	return e, db.Wrap(err, "read event")
}
