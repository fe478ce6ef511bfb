package sessions

import (
	"context"
	"math"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/db"
)

// Several browsers may record one session together. Each records a session of its own, with events of its own; sessions.joins
// ties them together. What a person sees is the whole: its pages, its marks, one line in a list. A session that no other one
// joined is a whole by itself.

// Part is what one browser recorded of a session.
type Part struct {
	ID      int64
	UUID    string
	Client  string
	Browser string // its name, "" if it is not known
	Status  string
}

// keyOf is the UUID that the sessions of a whole have in common; s is the alias of the table.
const keyOf = "iif(s.joins = '', s.uuid, s.joins)"

// wholeOf selects the rows of the sessions in the same whole as session ?1, oldest first.
const wholeOf = `WITH k(key) AS (SELECT ` + keyOf + ` FROM sessions s WHERE s.id = ?1)
	SELECT id FROM sessions WHERE uuid = (SELECT key FROM k)
	UNION SELECT id FROM sessions WHERE joins <> '' AND joins = (SELECT key FROM k) ORDER BY id`

// firstOfWhole is the condition that no session of its whole has a row before that of session s.
const firstOfWhole = `NOT EXISTS (SELECT 1 FROM sessions o WHERE s.joins <> '' AND o.uuid = s.joins AND o.id < s.id)
	AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.joins <> '' AND o.joins = ` + keyOf + ` AND o.id < s.id)`

// Together returns the sessions of the whole that a session belongs to, itself included, oldest first.
func Together(w *db.Work, id int64) []int64 {
	return db.List(w, db.ScanID, wholeOf, id)
}

// expand returns the UUIDs of sessions and of all those that were recorded together with them, each once, in order. UUIDs
// of sessions that do not exist stay.
func expand(w *db.Work, uuids []string) []string {
	var all []string
	for _, uuid := range uuids {
		whole := db.List(w, db.ScanText, `WITH k(key) AS (SELECT `+keyOf+` FROM sessions s WHERE s.uuid = ?1)
			SELECT uuid FROM sessions WHERE uuid = (SELECT key FROM k) OR joins <> '' AND joins = (SELECT key FROM k) ORDER BY id`, uuid)
		if len(whole) == 0 {
			whole = []string{uuid}
		}
		all = append(all, whole...)
	}
	return db.Distinct(all)
}

// partsOf returns the parts of the wholes of sessions, by the id of each session; of one that is a whole by itself, nil.
func partsOf(w *db.Work, sessions []Session) map[int64][]Part {
	keys := map[string]bool{}
	for _, s := range sessions {
		keys[s.key()] = true
	}
	var list []string
	for key := range keys {
		list = append(list, key)
	}
	byKey := map[string][]Part{}
	w.Each(func(row db.Scanner) error {
		var key string
		var p Part
		err := row.Scan(&key, &p.ID, &p.UUID, &p.Client, &p.Browser, &p.Status)
		byKey[key] = append(byKey[key], p)
		return err
	}, `WITH k(key) AS (SELECT value FROM json_each(?1)), ids(id) AS (SELECT id FROM sessions WHERE uuid IN (SELECT key FROM k)
			UNION SELECT id FROM sessions WHERE joins <> '' AND joins IN (SELECT key FROM k))
		SELECT `+keyOf+`, s.id, s.uuid, s.client, coalesce(b.name, ''), s.status FROM ids JOIN sessions s ON s.id = ids.id
		LEFT JOIN browsers b ON b.client = s.client ORDER BY s.id`, db.JSONList(list))
	parts := map[int64][]Part{}
	for _, s := range sessions {
		if all := byKey[s.key()]; len(all) > 1 {
			parts[s.ID] = all
		}
	}
	return parts
}

// key is the UUID that the sessions of a whole have in common.
func (s Session) key() string {
	if s.Joins != "" {
		return s.Joins
	}
	return s.UUID
}

// Browsers are the names of the browsers that recorded a session together, each once; nil if it was one browser.
func (s Session) Browsers() []string {
	var names []string
	for _, p := range s.Parts {
		name := p.Browser
		if name == "" {
			name = "another browser"
		}
		names = append(names, name)
	}
	return db.Distinct(names)
}

// Others are the parts of the session that other browsers recorded.
func (s Session) Others() []Part {
	var all []Part
	for _, p := range s.Parts {
		if p.Client != s.Client {
			all = append(all, p)
		}
	}
	return all
}

// First is the part that the others joined, or else the oldest one.
func (s Session) First() int64 {
	for _, p := range s.Parts {
		if p.UUID == s.key() {
			return p.ID
		}
	}
	return s.IDs()[0]
}

// AsWhole says of a session what is so of its whole: it is being recorded while one browser records.
func (s Session) AsWhole() Session {
	for _, p := range s.Parts {
		if p.Status == Recording && s.Status == Paused {
			s.Status = Recording
		}
	}
	return s
}

// OpenElsewhere lists the open sessions that other paired browsers recorded last, one for each whole, newest first, at most
// limit of them.
func OpenElsewhere(ctx context.Context, d *db.DB, client string, limit int) ([]Session, error) {
	all, err := read(ctx, d, `JOIN browsers b ON b.client = s.client AND b.revoked_at IS NULL
		WHERE s.status IN ('recording', 'paused') AND s.client <> ?
		AND NOT EXISTS (SELECT 1 FROM sessions n WHERE n.client = s.client AND n.id > s.id)
		AND NOT EXISTS (SELECT 1 FROM discarded d WHERE d.client = s.client AND d.id > s.id)
		ORDER BY s.id DESC`, client)
	var open []Session
	seen := map[string]bool{}
	for _, one := range all {
		if !seen[one.key()] && len(open) < limit {
			seen[one.key()] = true
			open = append(open, one)
		}
	}
	return open, err
}

// Key is what a session of another browser names to be recorded together with this one.
func (s Session) Key() string { return s.key() }

// joined returns the key of the whole that a session is to belong to, "" for one of its own. The session that it names may
// come later. Of a session that is known, the event takes the topic over.
func (b *batch) joined(e *session.Event) (key string) {
	if e.Joins == "" {
		return ""
	}
	var topic string
	key = e.Joins // of one that was erased, or is yet to come
	if b.Row("SELECT "+keyOf+", t.name FROM sessions s JOIN topics t ON t.id = s.topic_id WHERE s.uuid = ?1", e.Joins).Find(&key, &topic) {
		e.Topic = topic
	}
	if key == e.Session {
		key = ""
	}
	return key
}

// tie notes which whole a new session belongs to. Sessions that came before it and name it go with it. A session that comes
// to a submitted whole is submitted.
func (b *batch) tie(s *openSession, uuid, key string, at time.Time) {
	if key != "" {
		b.Exec("UPDATE sessions SET joins = ?2 WHERE joins <> '' AND joins = ?1", uuid, key)
	}
	b.Exec("UPDATE sessions SET joins = ? WHERE id = ?", key, s.id)
	ids := Together(b.Work, s.id)
	if len(ids) < 2 || !b.Has("SELECT EXISTS (SELECT 1 FROM sessions WHERE status = 'submitted' AND id IN (SELECT value FROM json_each(?)))", db.JSONList(ids)) {
		return
	}
	s.status = Submitted
	b.Exec("UPDATE sessions SET status = 'submitted', ended_at = ? WHERE id = ?", db.Millis(at), s.id)
}

// submitOthers submits what other browsers recorded of a session. They may still send what they had recorded by then; their
// own submit ends that.
func (b *batch) submitOthers(s openSession, at time.Time) {
	ids := Together(b.Work, s.id)
	const last = `FROM events e WHERE e.session_id = sessions.id AND e.type = 'submit'
		AND e.seq = (SELECT max(seq) FROM events WHERE session_id = sessions.id))`
	b.Exec(`UPDATE sessions SET status = 'submitted', problem = '',
		ended_at = coalesce((SELECT e.at `+last+`, ?2), ended_seq = (SELECT e.seq `+last+`
		WHERE status <> 'submitted' AND id <> ?3 AND id IN (SELECT value FROM json_each(?1))`, db.JSONList(ids), db.Millis(at), s.id)
}

// discardOthers deletes what other browsers recorded of a session. What they still send of it is acknowledged.
func (b *batch) discardOthers(s openSession) {
	ids := Together(b.Work, s.id)
	for _, id := range ids {
		if id == s.id {
			continue
		}
		other := openSession{id: id}
		var uuid string
		b.Row("SELECT uuid, topic_id, client, status FROM sessions WHERE id = ?", id).
			Read(&uuid, &other.topic, &other.client, &other.status)
		b.drop(other, uuid, math.MaxInt64)
		b.sessions[uuid] = true
	}
}

// drop deletes everything of a discarded session, and its topic if nothing else is left of that. Events up to a number are
// acknowledged when they come again.
func (b *batch) drop(s openSession, uuid string, seq int64) {
	emptySession(b.Work, s.id)
	b.scrub = true
	b.Exec("INSERT INTO discarded (uuid, id, client, ended_seq) VALUES (?, ?, ?, ?)", uuid, s.id, s.client, seq)
	if s.status != Submitted { // no model knows it
		dropSession(b.Work, s.id, uuid)
		return
	}
	topicIDs := forgetSession(b.Work, uuid) // another browser submitted it meanwhile
	dropSession(b.Work, s.id, uuid)
	b.Submitted = append(b.Submitted, db.List(b.Work, db.ScanID, "SELECT id FROM topics WHERE id IN (SELECT value FROM json_each(?))", db.JSONList(topicIDs))...)
}

// Began returns the visits with which a session began, in order, at most limit of them, as session.Began needs them.
func Began(ctx context.Context, d *db.DB, id int64, limit int) ([]session.Visit, error) {
	all, err := db.Query(ctx, d.Readers, func(row db.Scanner) (v session.Visit, err error) {
		return v, row.Scan(&v.Load, &v.URL, &v.Requested, &v.From)
	}, `SELECT v.load, p.url, v.requested, v.from_load FROM visits v JOIN pages p ON p.id = v.page_id
		WHERE v.session_id = ? AND v.how NOT IN (?, ?) ORDER BY v.seq LIMIT ?`, id, protocol.KindFrame, protocol.KindIframe, limit)
	return all, db.Wrap(err, "read how session %d began", id)
}
