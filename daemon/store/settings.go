package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"nightjar/daemon/settings"
)

const settingsKey = "settings"

// Settings returns the person's settings, with defaults for those that were never set.
func (s *Store) Settings(ctx context.Context) (settings.Settings, error) {
	all := settings.Default()
	_, err := s.Setting(ctx, settingsKey, &all)
	return all, err
}

// SaveSettings stores all settings in their normal form. It stores nothing if they are invalid; the error is then that
// of Validate.
func (s *Store) SaveSettings(ctx context.Context, all settings.Settings) error {
	all = all.Normal()
	if err := all.Validate(); err != nil {
		return err
	}
	return s.SetSetting(ctx, settingsKey, all)
}

// Setting reads the value of a key into a pointer, and reports whether there is one.
func (s *Store) Setting(ctx context.Context, key string, into any) (bool, error) {
	return setting(ctx, s.r, key, into)
}

func setting(ctx context.Context, q queryer, key string, into any) (bool, error) {
	var value string
	err := q.QueryRowContext(ctx, "SELECT value FROM settings WHERE key = ?", key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(value), into)
	}
	if err != nil {
		return false, fmt.Errorf("read setting %s: %w", key, err)
	}
	return true, nil
}

// SetSetting stores the value of a key as JSON.
func (s *Store) SetSetting(ctx context.Context, key string, value any) error {
	return s.write(ctx, func(tx *sql.Tx) error { return putSetting(ctx, tx, key, value) })
}

func putSetting(ctx context.Context, tx *sql.Tx, key string, value any) error {
	data, err := json.Marshal(value)
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, string(data))
	}
	if err != nil {
		return fmt.Errorf("store setting %s: %w", key, err)
	}
	return nil
}
