package reader

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Reading is a PDF of a session whose text is wanted and not stored.
type Reading struct {
	Session int64  // id
	Topic   int64  // of the session
	UUID    string // of the session
	Ended   bool   // the session was submitted
	Page    int64  // id
	URL     string
	Title   string // as the browser showed it last
	Tries   int    // attempts that failed

	load   string // the last load of the page in the session
	client string // of the session
	seq    int64  // of the load's visit
}

// ErrWithheld says that a text may not be stored: its page was deleted, or must not be recorded.
var ErrWithheld = errors.New("the page was deleted, or must not be recorded")

// unmarkedFor is for how long after the end of its session the text of a PDF without a mark is wanted, when the person wants
// that of every PDF.
const unmarkedFor = 7 * 24 * time.Hour

// wanted is the condition on sessions s, pages p and marks m for a PDF whose text is wanted; ?1 says whether that of every PDF
// is, ?2 is the earliest end of the sessions of those without a mark.
const wanted = `(coalesce(m.useful, 0) = 1 OR ?1 AND coalesce(s.ended_at, ?2) >= ?2)`

// unread is the condition on visits v of a PDF for a page of which the session has no text.
const unread = `NOT EXISTS (SELECT 1 FROM visits w JOIN events e ON e.page = w.load AND e.type = 'snapshot'
	WHERE w.page_id = v.page_id AND w.session_id = v.session_id)`

const fromPDFs = ` FROM visits v INDEXED BY visits_pdf JOIN sessions s ON s.id = v.session_id JOIN pages p ON p.id = v.page_id
	LEFT JOIN marks m ON m.session_id = v.session_id AND m.page_id = v.page_id
	LEFT JOIN readings r ON r.session_id = v.session_id AND r.page_id = v.page_id WHERE v.media = 'pdf' `

// Readings lists at most limit PDFs whose text is wanted now, those marked first: of the pages marked Useful, or with every of
// all PDFs of open sessions and of the last week. next is when the next attempt of another one is due, zero for never.
func Readings(ctx context.Context, d *db.DB, every bool, limit int) (due []Reading, next time.Time, err error) {
	now := d.Now()
	due, err = db.Query(ctx, d.Readers, scanReading, `SELECT s.id, s.topic_id, s.uuid, s.status = 'submitted', p.id, p.url, v.title, coalesce(r.tries, 0),
		v.load, s.client, max(v.seq)`+fromPDFs+`AND `+wanted+` AND (r.page_id IS NULL OR r.next_at <= ?3) AND `+unread+`
		GROUP BY v.session_id, v.page_id ORDER BY coalesce(m.useful, 0) DESC, v.session_id DESC, v.page_id LIMIT ?4`,
		every, now.Add(-unmarkedFor).UnixMilli(), now.UnixMilli(), limit)
	if err != nil {
		return nil, next, fmt.Errorf("list PDFs to read: %w", err)
	}
	at, err := db.Single[sql.NullInt64](ctx, d.Readers, "SELECT min(next_at) FROM readings WHERE next_at > ?", now.UnixMilli())
	return due, db.Moment(at), err
}

func scanReading(row db.Scanner) (r Reading, err error) {
	return r, row.Scan(&r.Session, &r.Topic, &r.UUID, &r.Ended, &r.Page, &r.URL, &r.Title, &r.Tries, &r.load, &r.client, &r.seq)
}

// PendingReadings counts the PDFs marked Useful in the submitted sessions of a topic and of its members whose text is asked
// for until a time.
func PendingReadings(ctx context.Context, d *db.DB, topicID int64, until time.Time) (n int, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT count(DISTINCT v.session_id || ' ' || v.page_id)`+fromPDFs+`AND m.useful = 1
		AND s.status = 'submitted' AND s.topic_id IN `+topics.WithMembers+` AND (r.page_id IS NULL OR r.next_at <= ?2) AND `+unread, topicID, until.UnixMilli()).Scan(&n)
	return n, err
}

// PutReading stores the text of a PDF as the snapshot of its last load, numbered like the visit, so that it is a part of the
// session however that is exported, merged or erased. The error is ErrWithheld when it may not be stored.
func PutReading(ctx context.Context, s *store.Store, r Reading, html []byte, truncated bool) error {
	e := protocol.Event{
		V: protocol.Version, ID: protocol.NewID(), Client: r.client, Seq: r.seq, Session: r.UUID, Tab: -1, Frame: -1,
		At: s.Now().UTC().Truncate(time.Millisecond), Type: protocol.Snapshot, Page: r.load, HTML: protocol.Pack(html), Truncated: truncated,
	}
	if err := protocol.Validate(e); err != nil {
		return fmt.Errorf("store the text of a PDF: %w", err)
	}
	admitted, err := session.Admit(e, html)
	if err != nil {
		return fmt.Errorf("store the text of a PDF: %w", err)
	}
	in, err := sessions.Ingest(ctx, s, []session.Event{admitted})
	if err != nil {
		return err
	}
	if len(in.Refused) > 0 {
		return ErrWithheld
	}
	return s.Exec(ctx, "DELETE FROM readings WHERE session_id = ? AND page_id = ?", r.Session, r.Page)
}

// FailReading notes why the text of a PDF could not be read, and when it is tried again; the zero time means never. Counted
// says whether that was an attempt. It does nothing when the page or the session is gone.
func FailReading(ctx context.Context, d *db.DB, r Reading, reason string, again time.Time, counted bool) error {
	tries := r.Tries
	if counted {
		tries++
	}
	return d.Exec(ctx, `INSERT INTO readings (session_id, page_id, tries, next_at, reason)
		SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM visits WHERE session_id = ?1 AND page_id = ?2)
		ON CONFLICT (session_id, page_id) DO UPDATE SET tries = excluded.tries, next_at = excluded.next_at, reason = excluded.reason`,
		r.Session, r.Page, tries, db.OrNull(again), reason)
}

// ForgetReadings forgets the attempts to read PDFs that are no longer marked Useful, so that a new mark starts anew.
func ForgetReadings(ctx context.Context, d *db.DB) error {
	const unmarked = `FROM readings WHERE NOT EXISTS (SELECT 1 FROM marks m
		WHERE m.session_id = readings.session_id AND m.page_id = readings.page_id AND m.useful = 1)`
	var some bool
	if err := d.Readers.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 "+unmarked+")").Scan(&some); err != nil || !some {
		return err
	}
	return d.Exec(ctx, "DELETE "+unmarked)
}

// PDF is a PDF of a session.
type PDF struct {
	Read   bool      // its text is stored
	Wanted bool      // its text is read, or will be
	Reason string    // why the last attempt failed, "" before
	Next   time.Time // when it is tried again; zero after a failed attempt means never
}

// PDFs returns the PDFs of a session by address. Every says whether the text of all is wanted.
func PDFs(ctx context.Context, d *db.DB, sessionID int64, every bool) (map[string]PDF, error) {
	type found struct {
		url string
		PDF
	}
	rows, err := db.Query(ctx, d.Readers, func(row db.Scanner) (f found, err error) {
		return f, row.Scan(&f.url, &f.Read, &f.Wanted, &f.Reason, db.TimeOf(&f.Next))
	}, `SELECT p.url, NOT (`+unread+`), `+wanted+`, coalesce(r.reason, ''), r.next_at`+fromPDFs+`AND v.session_id = ?3 GROUP BY v.page_id`,
		every, d.Now().Add(-unmarkedFor).UnixMilli(), sessionID)
	if err != nil {
		return nil, fmt.Errorf("list the PDFs of session %d: %w", sessionID, err)
	}
	all := map[string]PDF{}
	for _, f := range rows {
		all[f.url] = f.PDF
	}
	return all, nil
}
