package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"nightjar/crawler/weburl"
)

// Where a start page came from.
const (
	StartProposed = "proposed" // an entry page of a session
	StartAdded    = "added"    // by the person
)

// ErrSecret is returned for a start page whose address carries credentials or a secret token.
var ErrSecret = errors.New("the address holds a password or a secret token, so it is never fetched")

// Start is a page where a topic's crawls may begin; they do once it is ticked.
type Start struct {
	URL       string
	Source    string
	Ticked    bool
	CreatedAt time.Time
}

// Starts lists a topic's start pages, oldest first.
func (s *Store) Starts(ctx context.Context, topicID int64) ([]Start, error) {
	return query(ctx, s.r, func(row scanner) (Start, error) {
		var p Start
		var created sql.NullInt64
		err := row.Scan(&p.URL, &p.Source, &p.Ticked, &created)
		p.CreatedAt = moment(created)
		return p, err
	}, `SELECT url, source, ticked, created_at FROM starts WHERE topic_id = ? ORDER BY created_at, url`, topicID)
}

// TickedStarts lists the URLs where a topic's crawls begin.
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

// ProposeStarts offers entry pages of a session, without a tick. Pages known already keep theirs; addresses with a
// secret are left out, and so are those that do something.
func (s *Store) ProposeStarts(ctx context.Context, topicID int64, urls []string) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		for _, u := range urls {
			u, err := weburl.Canonical(u)
			if err != nil || weburl.Secret(u) || weburl.Action(u) {
				continue
			}
			if err := putStart(ctx, tx, topicID, u, StartProposed, false, s.Now()); err != nil {
				return err
			}
		}
		return nil
	})
}

// AddStart adds a ticked start page that the person typed, and returns its canonical address. It returns the errors of
// weburl.Canonical, and ErrSecret.
func (s *Store) AddStart(ctx context.Context, topicID int64, raw string) (url string, err error) {
	url, err = weburl.Canonical(raw)
	switch {
	case err != nil:
		return "", fmt.Errorf("add start page: %w", err)
	case weburl.Secret(url):
		return "", ErrSecret
	}
	return url, s.write(ctx, func(tx *sql.Tx) error {
		if err := putStart(ctx, tx, topicID, url, StartAdded, true, s.Now()); err != nil {
			return err
		}
		return tick(ctx, tx, topicID, url, true)
	})
}

// TickStart says whether crawls may begin at a start page. ErrNotFound when the topic has no such page.
func (s *Store) TickStart(ctx context.Context, topicID int64, url string, ticked bool) error {
	return s.write(ctx, func(tx *sql.Tx) error { return tick(ctx, tx, topicID, url, ticked) })
}

func putStart(ctx context.Context, tx *sql.Tx, topicID int64, url, source string, ticked bool, now time.Time) error {
	_, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO starts (topic_id, url, source, ticked, created_at)
		VALUES (?, ?, ?, ?, ?)`, topicID, url, source, ticked, millis(now))
	return err
}

func tick(ctx context.Context, tx *sql.Tx, topicID int64, url string, ticked bool) error {
	done, err := tx.ExecContext(ctx, "UPDATE starts SET ticked = ? WHERE topic_id = ? AND url = ?", ticked, topicID, url)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrNotFound)
	}
	return nil
}
