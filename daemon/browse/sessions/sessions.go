// Package sessions stores what browsers record: sessions with their events, visits, pages and marks. It imports, edits and erases them.
// The events are the truth; all other rows are derived from them.
package sessions

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/model"
)

// Statuses of a session.
const (
	Recording = protocol.StatusRecording
	Paused    = protocol.StatusPaused
	Submitted = protocol.StatusSubmitted
	Discarded = "discarded"
)

// Session is a session as lists show it.
type Session struct {
	ID        int64
	UUID      string
	Title     string // "" for none of its own; see Name
	TopicID   int64
	Topic     string
	Client    string
	Browser   string // its name, "" if it is not known
	Status    string
	StartedAt time.Time
	EndedAt   time.Time // zero while it is open
	Problem   string    // for people: why it could not be trained
	Pages     int       // pages of the whole in the web graph; see session.Count
	Useful    int       // those of Pages that are marked Useful
	Joins     string    // UUID of the session that it belongs to, or of one that is gone; "" for none
	Parts     []Part    // of the whole, oldest first; nil when one browser recorded it
	Asked     bool      // another browser submitted it, and its own has not yet done so

	counted bool // the row has Pages and Useful
}

const selectSession = `SELECT s.id, s.uuid, s.topic_id, t.name, s.client, s.status, s.started_at, s.ended_at, s.problem,
	s.pages IS NOT NULL, coalesce(s.pages, 0), coalesce(s.useful, 0), s.title, s.joins, s.status = 'submitted' AND s.ended_seq IS NULL,
	coalesce((SELECT w.name FROM browsers w WHERE w.client = s.client), '') FROM sessions s JOIN topics t ON t.id = s.topic_id `

func scanSession(row db.Scanner) (Session, error) {
	var s Session
	return s, row.Scan(&s.ID, &s.UUID, &s.TopicID, &s.Topic, &s.Client, &s.Status, db.TimeOf(&s.StartedAt), db.TimeOf(&s.EndedAt),
		&s.Problem, &s.counted, &s.Pages, &s.Useful, &s.Title, &s.Joins, &s.Asked, &s.Browser)
}

// read reads the sessions that the rest of selectSession selects, with the counts and the parts of their wholes.
func read(ctx context.Context, d *db.DB, rest string, args ...any) ([]Session, error) {
	r := d.Reads(ctx)
	all := db.List(r, scanSession, selectSession+rest, args...)
	parts := partsOf(r, all)
	var ids []int64
	for i, one := range all {
		all[i].Parts = parts[one.ID]
		if !one.counted {
			ids = append(ids, all[i].IDs()...)
		}
	}
	visits := visitsOf(r, ids...)
	for i, one := range all {
		if !one.counted {
			all[i].Pages, all[i].Useful = countAll(visits, all[i].IDs())
		}
	}
	if r.Err != nil {
		return nil, r.Err
	}
	return all, nil
}

// IDs are those of the sessions of its whole.
func (s Session) IDs() []int64 {
	if s.Parts == nil {
		return []int64{s.ID}
	}
	var ids []int64
	for _, p := range s.Parts {
		ids = append(ids, p.ID)
	}
	return ids
}

// countAll counts the pages of several sessions as those of one.
func countAll(visits map[int64][]session.Visit, ids []int64) (pages, useful int) {
	var all []session.Visit
	for _, id := range ids {
		all = append(all, visits[id]...)
	}
	return session.Count(all)
}

// readWholes lists sessions as sessions does, with the status of their wholes.
func readWholes(ctx context.Context, d *db.DB, rest string, args ...any) ([]Session, error) {
	all, err := read(ctx, d, rest, args...)
	for i := range all {
		all[i] = all[i].AsWhole()
	}
	return all, err
}

// readOne reads the first session that the rest of selectSession selects, or returns ErrNotFound.
func readOne(ctx context.Context, d *db.DB, rest string, args ...any) (Session, error) {
	all, err := read(ctx, d, rest+" LIMIT 1", args...)
	if err == nil && len(all) == 0 {
		err = db.ErrNotFound
	}
	if err != nil {
		return Session{}, err
	}
	return all[0], nil
}

// List lists the sessions that were not discarded, newest first. Those that browsers recorded together are one.
func List(ctx context.Context, d *db.DB) ([]Session, error) {
	return readWholes(ctx, d, "WHERE s.status <> 'discarded' AND "+firstOfWhole+" ORDER BY s.id DESC")
}

// Before lists at most limit of the sessions that List lists, of a topic and its members, 0 for all topics, from the one
// before an id on; 0 means from the newest on.
func Before(ctx context.Context, d *db.DB, topic, before int64, limit int) ([]Session, error) {
	return readWholes(ctx, d, "WHERE s.status <> 'discarded' AND (?1 = 0 OR s.topic_id IN "+topics.WithMembers+") AND (?2 = 0 OR s.id < ?2) AND "+firstOfWhole+
		" ORDER BY s.id DESC LIMIT ?3", topic, before, limit)
}

// OfTopic lists the submitted sessions of a topic and of its members, oldest first. The topic's model is trained
// on them.
func OfTopic(ctx context.Context, d *db.DB, topicID int64) ([]Session, error) {
	return read(ctx, d, "WHERE s.topic_id IN "+topics.WithMembers+" AND s.status = 'submitted' ORDER BY s.id", topicID)
}

// ByID returns one session, or ErrNotFound.
func ByID(ctx context.Context, d *db.DB, id int64) (Session, error) {
	return readOne(ctx, d, "WHERE s.id = ?", id)
}

// ByUUID returns one session, or ErrNotFound.
func ByUUID(ctx context.Context, d *db.DB, uuid string) (Session, error) {
	return readOne(ctx, d, "WHERE s.uuid = ?", uuid)
}

// Newest returns the session that a browser started last, or ErrNotFound. Of a discarded one, only the status says
// something.
func Newest(ctx context.Context, d *db.DB, client string) (Session, error) {
	one, err := readOne(ctx, d, "WHERE s.client = ? ORDER BY s.id DESC", client)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return one, err
	}
	gone := Session{Client: client, Status: Discarded}
	derr := d.Readers.QueryRowContext(ctx, "SELECT id, uuid FROM discarded WHERE client = ? ORDER BY id DESC LIMIT 1", client).Scan(&gone.ID, &gone.UUID)
	switch {
	case derr == nil && gone.ID > one.ID:
		return gone, nil
	case derr != nil && !errors.Is(derr, sql.ErrNoRows):
		return one, derr
	}
	return one, err
}

// Reopen sets a submitted session that could not be trained back to recording, with those recorded together with it,
// or to paused when its browser started another one since; problem tells the person why. It does not change a session that
// is not submitted.
func Reopen(ctx context.Context, d *db.DB, id int64, problem string) error {
	return d.Commit(ctx, func(w *db.Work) {
		ids := Together(w, id)
		w.Exec(`UPDATE sessions SET status = iif(EXISTS (SELECT 1 FROM sessions n
			WHERE n.client = sessions.client AND n.id > sessions.id), 'paused', 'recording'), ended_at = NULL, ended_seq = NULL, problem = ?
			WHERE id IN (SELECT value FROM json_each(?)) AND status = 'submitted'`, problem, db.JSONList(ids))
	})
}

// Delete erases a session with those recorded together with it: its events, visits and marks, and the pages, contents and milestones that nothing else
// refers to.
// Events of it that arrive later are refused. It also erases the bundles of models that were trained with the session,
// even as background, and returns their topics, which must be trained again. The error is ErrNotFound when there is no
// such session.
func Delete(ctx context.Context, d *db.DB, id int64) (topicIDs []int64, err error) {
	defer d.Erasing()()
	err = d.Commit(ctx, func(w *db.Work) {
		ids := Together(w, id)
		if len(ids) == 0 {
			w.Fail(db.ErrNotFound)
		}
		for _, one := range ids {
			topicIDs = append(topicIDs, eraseSession(w, one, db.Value[string](w, "SELECT uuid FROM sessions WHERE id = ?", one))...)
		}
		topicIDs = db.List(w, db.ScanID, "SELECT id FROM topics WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id", db.JSONList(topicIDs))
	})
	if err != nil {
		return nil, err
	}
	if len(topicIDs) > 0 { // a large bundle is on overflow pages of the file
		return topicIDs, d.Scrub(ctx)
	}
	return nil, d.ScrubSoon(ctx)
}

// dropSession deletes the row of an emptied session, and its topic if nothing else is left of that.
func dropSession(w *db.Work, id int64, uuid string) {
	var topic int64
	w.Row("DELETE FROM sessions WHERE id = ? RETURNING topic_id", id).Read(&topic)
	forgetEdits(w, uuid)
	topics.DropIdle(w, topic)
}

// emptySession deletes everything of a session except its row.
func emptySession(w *db.Work, id int64) {
	pages := db.List(w, db.ScanID, "SELECT DISTINCT page_id FROM visits WHERE session_id = ?", id)
	hashes := db.List(w, db.ScanBytes, "SELECT DISTINCT content_hash FROM events WHERE session_id = ? AND content_hash IS NOT NULL", id)
	for _, table := range []string{"events", "marks", "visits", "withheld"} {
		w.Exec("DELETE FROM "+table+" WHERE session_id = ?", id)
	}
	for _, page := range pages {
		RefreshPage(w, page)
	}
	var topic int64
	w.Row("SELECT topic_id FROM sessions WHERE id = ?", id).Read(&topic)
	store.DropContents(w, hashes)
	uncount(w, id)
	topics.PruneMilestones(w, topic)
	store.DropVisited(w, topic)
}

// SetCounts stores the counts of a submitted session and of those recorded together with it: of the pages of their web graph,
// and those marked Useful.
func SetCounts(ctx context.Context, d *db.DB, uuid string, pages, useful int) error {
	return d.Exec(ctx, `WITH k(key) AS (SELECT `+keyOf+` FROM sessions s WHERE s.uuid = ?3)
		UPDATE sessions SET pages = ?1, useful = ?2 WHERE status = 'submitted'
		AND (uuid IN (SELECT key FROM k) OR joins <> '' AND joins IN (SELECT key FROM k))`, pages, useful, uuid)
}

// uncount deletes the stored counts of a session whose visits or marks changed, and of those recorded together with it.
func uncount(w *db.Work, id int64) {
	w.Exec(`WITH k(key) AS (SELECT `+keyOf+` FROM sessions s WHERE s.id = ?1)
		UPDATE sessions SET pages = NULL, useful = NULL WHERE pages IS NOT NULL
		AND (id = ?1 OR uuid IN (SELECT key FROM k) OR joins <> '' AND joins IN (SELECT key FROM k))`, id)
}

// trainable counts the pages of a session and of those recorded together with it, stores the counts in their rows, and
// returns what they lack to be trained, or nil. The web graph that a training builds may be smaller, since only the texts show which pages are variants of
// one.
func trainable(w *db.Work, id int64) (lacks error) {
	ids := Together(w, id)
	visits := visitsOf(w, ids...)
	pages, useful := countAll(visits, ids)
	w.Exec("UPDATE sessions SET pages = ?, useful = ? WHERE id IN (SELECT value FROM json_each(?))", pages, useful, db.JSONList(ids))
	return model.Trainable(useful, pages-useful)
}
