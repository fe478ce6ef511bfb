// Package startpages keeps the pages that crawls of a topic begin with: those that sessions propose, and those that the person adds.
package startpages

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
	Proposed = "proposed" // an entry page of a session
	Added    = "added"    // by the person
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

// All lists a topic's start pages, oldest first.
func All(ctx context.Context, d *db.DB, topicID int64) ([]Start, error) {
	return db.Query(ctx, d.Readers, db.Fields[Start], `SELECT url, source, ticked, created_at FROM starts WHERE topic_id = ? ORDER BY created_at, url`, topicID)
}

// Ticked lists the URLs of a topic's ticked start pages.
func Ticked(ctx context.Context, d *db.DB, topicID int64) ([]string, error) {
	starts, err := All(ctx, d, topicID)
	var urls []string
	for _, p := range starts {
		if p.Ticked {
			urls = append(urls, p.URL)
		}
	}
	return urls, err
}

// Propose adds entry pages of a session as start pages that are not ticked. It does not change existing start
// pages, and leaves out addresses that contain a secret or perform an action. It adds none and returns db.ErrErased when something was
// erased since Erasures was the given number, before the sessions were read: the entry pages may be among it.
func Propose(ctx context.Context, d *db.DB, topicID int64, urls []string, erasures int64) error {
	return d.Commit(ctx, func(w *db.Work) {
		w.Unerased(d, erasures)
		for _, u := range urls {
			u, err := weburl.Canonical(u)
			if err != nil || weburl.Secret(u) || weburl.Action(u) {
				continue
			}
			u = weburl.Document(u)
			Put(w, topicID, u, Proposed, false, d.Now())
		}
	})
}

// Add adds a start page that the person typed, ticks it and returns its canonical address, without a route: a crawl asks
// the server for the page. The errors are those of
// weburl.Canonical and ErrSecret.
func Add(ctx context.Context, d *db.DB, topicID int64, raw string) (url string, err error) {
	url, err = weburl.Canonical(raw)
	switch {
	case err != nil:
		return "", fmt.Errorf("add start page: %w", err)
	case weburl.Secret(url):
		return "", ErrSecret
	}
	url = weburl.Document(url)
	return url, d.Commit(ctx, func(w *db.Work) {
		Put(w, topicID, url, Added, true, d.Now())
		tick(w, topicID, url, true)
	})
}

// Tick ticks or unticks a start page, or returns ErrNotFound.
func Tick(ctx context.Context, d *db.DB, topicID int64, url string, ticked bool) error {
	return d.Commit(ctx, func(w *db.Work) { tick(w, topicID, url, ticked) })
}

// Put stores a start page, unless the topic has it.
func Put(w *db.Work, topicID int64, url, source string, ticked bool, now time.Time) {
	w.Exec(`INSERT OR IGNORE INTO starts (topic_id, url, source, ticked, created_at)
		VALUES (?, ?, ?, ?, ?)`, topicID, url, source, ticked, db.Millis(now))
}

func tick(w *db.Work, topicID int64, url string, ticked bool) {
	w.Must(db.ErrNotFound, "UPDATE starts SET ticked = ? WHERE topic_id = ? AND url = ?", ticked, topicID, url)
}

// Topics lists the ids of the topics that have a model and a ticked start page. One whose sessions were
// all moved away is not crawled by itself: what its model learned from is elsewhere.
func Topics(ctx context.Context, d *db.DB) ([]int64, error) {
	return db.Query(ctx, d.Readers, db.ScanID, `SELECT id FROM own_topics WHERE EXISTS (SELECT 1 FROM models WHERE topic_id = own_topics.id)
		AND EXISTS (SELECT 1 FROM starts WHERE topic_id = own_topics.id AND ticked = 1)
		AND (EXISTS (SELECT 1 FROM sessions WHERE status = 'submitted' AND (topic_id = own_topics.id
				OR topic_id IN (SELECT member_id FROM combined WHERE combined.topic_id = own_topics.id)))
			OR (SELECT coalesce(json_array_length(facts, '$.sessions'), 0) = 0 OR coalesce(json_extract(facts, '$.imported'), 0)
				FROM models WHERE topic_id = own_topics.id ORDER BY version DESC LIMIT 1))
		ORDER BY id`)
}
