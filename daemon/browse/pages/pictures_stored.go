package pages

import (
	"context"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// eventsState identifies the events of a session and of those recorded together with it: it changes when one is added, changed
// or deleted. It reads indexes only.
func eventsState(ctx context.Context, d *db.DB, sessionID int64) (string, error) {
	r := d.Reads(ctx)
	state := db.Value[string](r, `SELECT count(*) || '.' || coalesce(max(rowid), 0) FROM events WHERE session_id IN (SELECT value FROM json_each(?))`,
		db.JSONList(store.Together(r, sessionID)))
	return state, db.Wrap(r.Err, "state of session %d", sessionID)
}

// storedPicture returns what was kept of a session's picture, or ErrNotFound when nothing was kept of this state.
func storedPicture(ctx context.Context, d *db.DB, sessionID int64, of string) (body []byte, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT body FROM pictures WHERE session_id = ? AND of = ?`, sessionID, of).Scan(&body)
	return db.Found(body, err)
}

// lastPicture returns the picture that was kept of a session last, whatever state it is of, or ErrNotFound.
func lastPicture(ctx context.Context, d *db.DB, sessionID int64) (of string, body []byte, err error) {
	err = d.Readers.QueryRowContext(ctx, `SELECT of, body FROM pictures WHERE session_id = ?`, sessionID).Scan(&of, &body)
	body, err = db.Found(body, err)
	return of, body, err
}

// keepPicture keeps a session's picture in place of an earlier one. It keeps nothing for a session that was deleted
// meanwhile. An erased or changed event of the session deletes the picture (a trigger).
func keepPicture(ctx context.Context, d *db.DB, sessionID int64, of string, body []byte) error {
	return d.Exec(ctx, `INSERT INTO pictures (session_id, of, body) SELECT id, ?2, ?3 FROM sessions WHERE id = ?1
		ON CONFLICT (session_id) DO UPDATE SET of = excluded.of, body = excluded.body`, sessionID, of, body)
}
