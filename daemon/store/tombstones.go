package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"strings"
	"time"

	"nightjar/crawler/weburl"
	"nightjar/daemon/session"
)

// hostsKept is how long events about an erased site that are older than its erasing are recognised by their address. A browser
// that was away for longer may bring back what it never sent.
const hostsKept = 90 * 24 * time.Hour

// tombstone is the hash by which an erased id or host is recognised. It does not tell which it was.
func tombstone(of string) []byte {
	hash := sha256.Sum256([]byte(of))
	return hash[:16]
}

// bury notes ids of page loads and of events that are erased, so that they do not come back.
func bury(ctx context.Context, tx *sql.Tx, ids ...string) error {
	for _, id := range ids {
		if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO tombstones (hash, at) VALUES (?, 0)`, tombstone(id)); err != nil {
			return err
		}
	}
	return nil
}

// buryHost notes that a host is erased now, and forgets for which hosts that was noted long ago.
func (s *Store) buryHost(ctx context.Context, tx *sql.Tx, host string) error {
	now := s.Now()
	if _, err := tx.ExecContext(ctx, `DELETE FROM tombstones WHERE at > 0 AND at < ?`, millis(now.Add(-hostsKept))); err != nil {
		return err
	}
	return execute(ctx, tx, `INSERT INTO tombstones (hash, at) VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET at = excluded.at`,
		tombstone(host), millis(now))
}

// buried reports whether an event was erased, belongs to an erased page load, or was recorded of a site before that was erased.
func (b *batch) buried(ctx context.Context, e *session.Event) (bool, error) {
	for _, id := range []string{e.ID, e.Page} {
		if _, found, err := b.tombstone(ctx, id); err != nil || found {
			return found, err
		}
	}
	for _, url := range []string{e.URL, e.Requested} {
		old, err := b.beforeErasing(ctx, url, e.At)
		if err != nil {
			return false, err
		}
		if !old {
			continue
		}
		if e.Links() || e.Page == "" {
			return true, bury(ctx, b.tx.Tx, e.ID)
		}
		return true, b.forgetLoad(ctx, e.Page)
	}
	return false, nil
}

// tombstone returns the time of a tombstone.
func (b *batch) tombstone(ctx context.Context, of string) (at int64, found bool, err error) {
	if of == "" {
		return 0, false, nil
	}
	err = b.tx.QueryRowContext(ctx, `SELECT at FROM tombstones WHERE hash = ?`, tombstone(of)).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return at, err == nil, err
}

// beforeErasing reports whether a URL is on a host, or below one, that was erased at a time or later.
func (b *batch) beforeErasing(ctx context.Context, url string, at time.Time) (bool, error) {
	if url == "" {
		return false, nil
	}
	canonical, err := weburl.Canonical(url)
	if err != nil {
		return false, nil // it is refused for that
	}
	for host := strings.TrimSuffix(weburl.Host(canonical), "."); host != ""; {
		erased, found, err := b.tombstone(ctx, host)
		if err != nil {
			return false, err
		}
		if found && millis(at) <= erased {
			return true, nil
		}
		_, below, ok := strings.Cut(host, ".")
		if host = below; !ok {
			host = ""
		}
	}
	return false, nil
}

// forgetLoad deletes the events of a page load that came before the one which says where it was, and buries the load.
func (b *batch) forgetLoad(ctx context.Context, load string) error {
	hashes, err := query(ctx, b.tx, scanBytes, `DELETE FROM events WHERE page = ? RETURNING content_hash`, load)
	if err != nil {
		return err
	}
	b.scrub = b.scrub || len(hashes) > 0
	if err := dropContents(ctx, b.tx.Tx, hashes); err != nil {
		return err
	}
	return bury(ctx, b.tx.Tx, load)
}
