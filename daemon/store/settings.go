package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/store/settings"
)

const settingsKey = "settings"

// Settings returns the person's settings, with defaults for those that were never set. Those that an earlier version stored and
// this one lacks are ignored.
func (s *Store) Settings(ctx context.Context) (settings.Settings, error) {
	r := s.Reads(ctx)
	return ReadSettings(r), r.Err
}

// SaveSettings stores all settings in their normal form. It stores nothing if they are invalid; the error is then that
// of Validate.
func (s *Store) SaveSettings(ctx context.Context, all settings.Settings) error {
	_, err := s.ChangeSettings(ctx, all)
	return err
}

// ChangeSettings is SaveSettings, and returns the change, with which it can be undone; 0 when nothing changed.
func (s *Store) ChangeSettings(ctx context.Context, all settings.Settings) (change int64, err error) {
	all = all.Normal()
	if err := all.Validate(); err != nil {
		return 0, err
	}
	err = s.Commit(ctx, func(w *db.Work) { change = PutSettings(w, s.Now(), all) })
	return change, err
}

// ReadSettings is Settings in a transaction.
func ReadSettings(w *db.Work) settings.Settings {
	all := settings.Default()
	ReadSetting(w, settingsKey, &all)
	return all
}

// PutSettings stores settings, which are valid and in their normal form. It returns the change, 0 when nothing changed.
func PutSettings(w *db.Work, now time.Time, all settings.Settings) (change int64) {
	if changes := settings.Changes(ReadSettings(w), all); len(changes) > 0 {
		change = Note(w, now, changeSettings, changes)
	}
	PutSetting(w, settingsKey, all)
	return change
}

// UndoSettings sets the settings that a change was about back to what they were, or only one of them when field is not "".
// That is a change itself, which is returned. The errors are ErrNotFound and ErrNotUndone when a setting was changed since.
func (s *Store) UndoSettings(ctx context.Context, id int64, field string) (change int64, err error) {
	c, err := s.PastChange(ctx, id)
	if err != nil {
		return 0, err
	}
	now, err := s.Settings(ctx)
	if err != nil {
		return 0, err
	}
	any := false
	for _, f := range c.Fields {
		if field != "" && f.Field != field {
			continue
		}
		if !f.Holds(now) {
			return 0, ErrNotUndone
		}
		if now, err = f.Undo(now); err != nil {
			return 0, err
		}
		any = true
	}
	if !any {
		return 0, db.ErrNotFound
	}
	return s.ChangeSettings(ctx, now)
}

// ForgetSettings deletes the changes of settings that name a host or a host below it.
func ForgetSettings(w *db.Work, host string) {
	all := db.List(w, scanChange, selectChange+"WHERE kind = ?", changeSettings)
	for _, c := range all {
		if !slices.ContainsFunc(c.Fields, func(f settings.Change) bool { return strings.Contains(string(f.From)+string(f.To), host) }) {
			continue
		}
		w.Exec("DELETE FROM changes WHERE id = ?", c.ID)
	}
}

// Setting reads the value of a key into a pointer, and reports whether there is one.
func (s *Store) Setting(ctx context.Context, key string, into any) (bool, error) {
	r := s.Reads(ctx)
	return ReadSetting(r, key, into), r.Err
}

func ReadSetting(w *db.Work, key string, into any) bool {
	there := w.Row("SELECT value FROM settings WHERE key = ?", key).Find(db.JSONOf(into))
	w.Err = db.Wrap(w.Err, "read setting %s", key)
	return there
}

// SetSetting stores the value of a key as JSON.
func (s *Store) SetSetting(ctx context.Context, key string, value any) error {
	return s.Commit(ctx, func(w *db.Work) { PutSetting(w, key, value) })
}

func PutSetting(w *db.Work, key string, value any) {
	w.Exec("INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, db.JSONOf(value))
}
