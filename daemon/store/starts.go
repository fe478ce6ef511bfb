package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/db"
)

// Sources of a start page.
const (
	StartProposed = "proposed" // an entry page of a session
	StartAdded    = "added"    // by the person
)

// ErrSecret says that the address of a start page contains credentials or a secret token.
var ErrSecret = errors.New("the address contains a password or a secret token, so Nightjar never fetches it")

// Start is a start page. Crawls use it only if it is ticked.
type Start struct {
	URL       string
	Source    string
	Ticked    bool
	CreatedAt time.Time
}

// Starts lists a topic's start pages, oldest first.
func (s *Store) Starts(ctx context.Context, topicID int64) ([]Start, error) {
	return db.Query(ctx, s.Readers, db.Fields[Start], `SELECT url, source, ticked, created_at FROM starts WHERE topic_id = ? ORDER BY created_at, url`, topicID)
}

// TickedStarts lists the URLs of a topic's ticked start pages.
func (s *Store) TickedStarts(ctx context.Context, topicID int64) ([]string, error) {
	starts, err := s.Starts(ctx, topicID)
	var urls []string
	for _, p := range starts {
		if p.Ticked {
			urls = append(urls, p.URL)
		}
	}
	return urls, err
}

// ProposeStarts adds entry pages of a session as start pages that are not ticked. It does not change existing start
// pages, and leaves out addresses that contain a secret or perform an action. It adds none and returns db.ErrErased when something was
// erased since Erasures was the given number, before the sessions were read: the entry pages may be among it.
func (s *Store) ProposeStarts(ctx context.Context, topicID int64, urls []string, erasures int64) error {
	return s.Commit(ctx, func(w *db.Work) {
		w.Unerased(s.DB, erasures)
		for _, u := range urls {
			u, err := weburl.Canonical(u)
			if err != nil || weburl.Secret(u) || weburl.Action(u) {
				continue
			}
			u = weburl.Document(u)
			PutStart(w, topicID, u, StartProposed, false, s.Now())
		}
	})
}

// AddStart adds a start page that the person typed, ticks it and returns its canonical address, without a route: a crawl asks
// the server for the page. The errors are those of
// weburl.Canonical and ErrSecret.
func (s *Store) AddStart(ctx context.Context, topicID int64, raw string) (url string, err error) {
	url, err = weburl.Canonical(raw)
	switch {
	case err != nil:
		return "", fmt.Errorf("add start page: %w", err)
	case weburl.Secret(url):
		return "", ErrSecret
	}
	url = weburl.Document(url)
	return url, s.Commit(ctx, func(w *db.Work) {
		PutStart(w, topicID, url, StartAdded, true, s.Now())
		tick(w, topicID, url, true)
	})
}

// TickStart ticks or unticks a start page, or returns ErrNotFound.
func (s *Store) TickStart(ctx context.Context, topicID int64, url string, ticked bool) error {
	return s.Commit(ctx, func(w *db.Work) { tick(w, topicID, url, ticked) })
}

func PutStart(w *db.Work, topicID int64, url, source string, ticked bool, now time.Time) {
	w.Exec(`INSERT OR IGNORE INTO starts (topic_id, url, source, ticked, created_at)
		VALUES (?, ?, ?, ?, ?)`, topicID, url, source, ticked, db.Millis(now))
}

func tick(w *db.Work, topicID int64, url string, ticked bool) {
	w.Must(db.ErrNotFound, "UPDATE starts SET ticked = ? WHERE topic_id = ? AND url = ?", ticked, topicID, url)
}
