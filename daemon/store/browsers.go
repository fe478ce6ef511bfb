package store

import (
	"context"

	"nightjar/daemon/db"
)

// Browser is a paired browser.
type Browser struct {
	Client string // UUID of the extension's installation
	Name   string
	Origin string // of the extension, stored at pairing
	Key    []byte // 32 bytes
}

// BrowserByClient returns the paired browser with this UUID, or ErrNotFound if there is none or it was revoked.
func (s *Store) BrowserByClient(ctx context.Context, client string) (Browser, error) {
	b := Browser{Client: client}
	err := s.Readers.QueryRowContext(ctx, "SELECT name, origin, key FROM browsers WHERE client = ? AND revoked_at IS NULL", client).
		Scan(&b.Name, &b.Origin, &b.Key)
	return db.Found(b, err)
}

// PairBrowser stores a browser. A browser that pairs again gets the new key, name and origin, and is no longer revoked.
func (s *Store) PairBrowser(ctx context.Context, b Browser) error {
	return s.Exec(ctx, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (client) DO UPDATE SET name = excluded.name, origin = excluded.origin, key = excluded.key,
		paired_at = excluded.paired_at, revoked_at = NULL`, b.Client, b.Name, b.Origin, b.Key, db.Millis(s.Now()))
}

// BrowserSeen stores that a browser connected now.
func (s *Store) BrowserSeen(ctx context.Context, client string) error {
	return s.Exec(ctx, "UPDATE browsers SET seen_at = ? WHERE client = ?", db.Millis(s.Now()), client)
}

// RevokeBrowser ends a browser's pairing and deletes its key, or returns ErrNotFound.
func (s *Store) RevokeBrowser(ctx context.Context, client string) error {
	return s.Must(ctx, db.ErrNotFound, `UPDATE browsers SET revoked_at = coalesce(revoked_at, ?), key = x''
		WHERE client = ?`, db.Millis(s.Now()), client)
}
