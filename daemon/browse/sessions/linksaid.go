package sessions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// What became of a link that looks useful.
const (
	LinkVisited = "visited" // its page was visited in the session, and counts there
	LinkLater   = "later"   // another session of the topic visited its page
	LinkFound   = "found"   // a crawl fetched its page, which is a find
	LinkFailed  = "failed"  // crawls could not fetch its page
	LinkWaits   = "waits"   // the next crawl of the topic fetches its page
	LinkOpen    = "open"    // as long as the session is not submitted
	LinkNever   = "never"   // its host is on the never-record list
	LinkSecret  = "secret"  // it contains a password or a secret token, so it is never fetched
	LinkActs    = "acts"    // it does something, so it is never fetched
)

// MarkedLink is a link of which the person said in a session that it looks useful.
type MarkedLink struct {
	URL     string // canonical
	On      string // address of the page with the link; "" when it was deleted
	OnTitle string
	At      time.Time // when it was said last
	Taken   bool      // it was taken back last
	Became  string    // LinkVisited …

	Page    string // LinkVisited, LinkLater: the page it led to
	Session string // LinkLater: UUID
	Find    int64  // LinkFound
	Mark    string // LinkFound: of the find
	Reason  string // LinkFailed
}

// ErrNoLink says that nothing was said of a link.
var ErrNoLink = errors.New("nothing was said of this link in the session; it may have been deleted")

// MarkedLinks lists the links of which something was said in a session, in the order in which they were named first.
func MarkedLinks(ctx context.Context, d *db.DB, one Session) ([]MarkedLink, error) {
	byURL := map[string][]session.Said{}
	var all []MarkedLink
	err := db.Each(ctx, d.Readers, func(row db.Scanner) error {
		var l MarkedLink
		var said session.Said
		if err := row.Scan(&said.Type, &l.URL, db.TimeOf(&l.At), &l.On, &l.OnTitle); err != nil {
			return err
		}
		said.URL = l.URL
		i := slices.IndexFunc(all, func(k MarkedLink) bool { return k.URL == l.URL })
		if i < 0 {
			i, all = len(all), append(all, l)
		}
		byURL[l.URL] = append(byURL[l.URL], said)
		all[i] = l
		all[i].Taken = len(session.StandingLinks(byURL[l.URL])) == 0
		return nil
	}, `SELECT e.type, e.body ->> '$.url', e.at, coalesce(p.url, ''), coalesce(nullif(p.title, ''), p.url, '') FROM events e
		LEFT JOIN visits v ON v.load = e.page LEFT JOIN pages p ON p.id = v.page_id
		WHERE e.session_id = ? AND `+linkEvents+` AND coalesce(e.body ->> '$.url', '') <> '' ORDER BY e.seq, e.id`, one.ID)
	if err != nil {
		return nil, fmt.Errorf("list links of session %d: %w", one.ID, err)
	}
	r := d.Reads(ctx)
	never := store.ReadSettings(r).NeverRecord
	if r.Err != nil {
		return nil, r.Err
	}
	for i := range all {
		if err := became(ctx, d, one, &all[i], never); err != nil {
			return nil, fmt.Errorf("look for the page of a link: %w", err)
		}
	}
	return all, nil
}

// visitedAs finds the page that a link (?2) led to in a session of a topic (?1), in the session ?3 first.
const visitedAs = `SELECT p.url, s.uuid, s.id = ?3 FROM (SELECT id FROM pages WHERE url = ?2
		UNION SELECT page_id FROM visits WHERE requested = ?2 AND requested <> '') o
	CROSS JOIN pages p ON p.id = o.id CROSS JOIN visits v ON v.page_id = p.id CROSS JOIN sessions s ON s.id = v.session_id
	WHERE s.topic_id = ?1 AND (p.url = ?2 OR v.requested = ?2) ORDER BY s.id = ?3 DESC, s.id LIMIT 1`

// fetchedAs finds the last fetch of a link (?2) by a crawl of a topic (?1), and its find.
const fetchedAs = `SELECT f.outcome = 'ok', f.reason, coalesce(d.id, 0), coalesce(d.mark, '') FROM crawls c
	CROSS JOIN fetches f ON f.crawl_id = c.id AND f.url = ?2 LEFT JOIN finds d ON d.topic_id = c.topic_id AND d.url = f.final_url
	WHERE c.topic_id = ?1 ORDER BY f.id DESC LIMIT 1`

// became fills in what became of a link.
func became(ctx context.Context, d *db.DB, one Session, l *MarkedLink, never []string) error {
	var here bool
	err := d.Readers.QueryRowContext(ctx, visitedAs, one.TopicID, l.URL, one.ID).Scan(&l.Page, &l.Session, &here)
	if !errors.Is(err, sql.ErrNoRows) {
		l.Became = LinkLater
		if here {
			l.Became, l.Session = LinkVisited, ""
		}
		return err
	}
	var ok bool
	err = d.Readers.QueryRowContext(ctx, fetchedAs, one.TopicID, l.URL).Scan(&ok, &l.Reason, &l.Find, &l.Mark)
	switch {
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return err
	case err == nil && ok && l.Find != 0:
		l.Became = LinkFound
	case err == nil && !ok:
		l.Became = LinkFailed
	case Unfit(l.URL, never) != "":
		l.Became = Unfit(l.URL, never)
	case one.Status != Submitted:
		l.Became = LinkOpen
	default:
		l.Became = LinkWaits
	}
	return nil
}

// SayOfLink says of a link of a session that it looks useful, or takes that back, as the person does in the browser: an event
// follows the last one about the link. Saying the same again changes nothing. The error is ErrNoLink when nothing was said of
// the link before.
func SayOfLink(ctx context.Context, d *db.DB, uuid, url string, useful bool) error {
	return d.Commit(ctx, func(w *db.Work) {
		one := lockedSession(w, uuid)
		said := db.List(w, scanShown, `SELECT e.body, e.shown FROM events e WHERE e.session_id = ? AND `+linkEvents+`
			AND e.body ->> '$.url' = ? ORDER BY e.seq, e.id`, one.ID, url)
		if len(said) == 0 {
			w.Fail(ErrNoLink)
			return
		}
		e := said[len(said)-1]
		kind := protocol.LinkNotUseful
		if useful {
			kind = protocol.LinkUseful
		}
		if e.Type == kind {
			return
		}
		e.ID, e.Type, e.At = protocol.NewID(), kind, d.Now().UTC()
		b := newBatch(d, w)
		of := openSession{id: one.ID, topic: one.TopicID, client: one.Client, status: one.Status, problem: one.Problem}
		b.insert(&e, of)
		b.project(&e, of)
	})
}
