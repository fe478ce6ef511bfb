package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/store/settings"
)

// changeSettings is the kind of changes of settings. Those of other kinds are edits of sessions.
const changeSettings = "settings"

// keptChanges is how many changes can be undone.
const keptChanges = 50

// ErrNotUndone says that a change cannot be undone (any more).
var ErrNotUndone = errors.New("this cannot be undone any more, because something that it is about changed later; undo the later change first")

// PastChange is a change that the person made.
type PastChange struct {
	ID     int64
	At     time.Time
	Kind   string
	Fields []settings.Change // of settings
	Undone bool
}

func scanChange(row db.Scanner) (PastChange, error) {
	var c PastChange
	var data []byte
	if err := row.Scan(&c.ID, db.TimeOf(&c.At), &c.Kind, &data, &c.Undone); err != nil {
		return c, err
	}
	if c.Kind == changeSettings {
		return c, json.Unmarshal(data, &c.Fields)
	}
	return c, nil
}

const selectChange = `SELECT id, at, kind, data, undone FROM changes `

// SettingsChanges lists the last changes of settings, newest first.
func (s *Store) SettingsChanges(ctx context.Context) ([]PastChange, error) {
	all, err := db.Query(ctx, s.Readers, scanChange, selectChange+`WHERE kind = ? ORDER BY id DESC`, changeSettings)
	return all, db.Wrap(err, "list changes")
}

// PastChange returns a change, or ErrNotFound.
func (s *Store) PastChange(ctx context.Context, id int64) (PastChange, error) {
	c, err := scanChange(s.Readers.QueryRowContext(ctx, selectChange+`WHERE id = ?`, id))
	return c, db.Missing(err, "read change")
}

// Note stores a change, and forgets the oldest ones. data is a list of settings.Change, or says how sessions were before.
func Note(w *db.Work, now time.Time, kind string, data any) (id int64) {
	w.Row(`INSERT INTO changes (at, kind, data) VALUES (?, ?, ?) RETURNING id`,
		db.Millis(now), kind, db.JSONOf(data)).Read(&id)
	w.Exec(`DELETE FROM changes WHERE id <= ?`, id-keptChanges)
	return id
}

// OfSettings reports whether the change is one of settings: UndoSettings undoes it, and sessions.Undo any other.
func (c PastChange) OfSettings() bool { return c.Kind == changeSettings }
