package ingest

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
func BrowserByClient(ctx context.Context, d *db.DB, client string) (Browser, error) {
	b := Browser{Client: client}
	err := d.Readers.QueryRowContext(ctx, "SELECT name, origin, key FROM browsers WHERE client = ? AND revoked_at IS NULL", client).
		Scan(&b.Name, &b.Origin, &b.Key)
	return db.Found(b, err)
}

// PairBrowser stores a browser. A browser that pairs again gets the new key, name and origin, and is no longer revoked.
func PairBrowser(ctx context.Context, d *db.DB, b Browser) error {
	return d.Exec(ctx, `INSERT INTO browsers (client, name, origin, key, paired_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (client) DO UPDATE SET name = excluded.name, origin = excluded.origin, key = excluded.key,
		paired_at = excluded.paired_at, revoked_at = NULL`, b.Client, b.Name, b.Origin, b.Key, db.Millis(d.Now()))
}

// BrowserSeen stores that a browser connected now.
func BrowserSeen(ctx context.Context, d *db.DB, client string) error {
	return d.Exec(ctx, "UPDATE browsers SET seen_at = ? WHERE client = ?", db.Millis(d.Now()), client)
}

// RevokeBrowser ends a browser's pairing and deletes its key, or returns ErrNotFound.
func RevokeBrowser(ctx context.Context, d *db.DB, client string) error {
	return d.Must(ctx, db.ErrNotFound, `UPDATE browsers SET revoked_at = coalesce(revoked_at, ?), key = x''
		WHERE client = ?`, db.Millis(d.Now()), client)
}

// learnedFrom tells whether the newest version of a topic's model was trained on a session.
func learnedFrom(ctx context.Context, d *db.DB, topicID int64, session string) (has bool, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM (SELECT facts FROM models
		WHERE topic_id = ? AND length(bundle) > 0 ORDER BY version DESC LIMIT 1) newest, json_each(newest.facts, '$.sessions') WHERE value = ?)`, topicID, session).Scan(&has)
	return has, db.Wrap(err, "what was learned from session %s", session)
}
