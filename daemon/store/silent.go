package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"time"
)

// silentKey is the setting that keeps which hosts asked to be left alone.
const silentKey = "silent"

// Silent tells until when hosts asked to be left alone, as PutSilent kept it.
func (s *Store) Silent(ctx context.Context) (until map[string]time.Time, err error) {
	_, err = s.Setting(ctx, silentKey, &until)
	return until, err
}

// PutSilent keeps until when hosts asked to be left alone, in place of what was kept before.
func (s *Store) PutSilent(ctx context.Context, until map[string]time.Time) error {
	return s.SetSetting(ctx, silentKey, until)
}

// eraseSilent forgets that hosts that are erased asked to be left alone.
func eraseSilent(ctx context.Context, tx *sql.Tx, host string) error {
	var until map[string]time.Time
	if _, err := setting(ctx, tx, silentKey, &until); err != nil {
		return err
	}
	had := len(until)
	maps.DeleteFunc(until, func(name string, _ time.Time) bool { return onHost("http://"+name+"/", host) })
	if len(until) == had {
		return nil
	}
	text, err := json.Marshal(until)
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE settings SET value = ? WHERE key = ?`, string(text), silentKey)
	}
	if err != nil {
		return fmt.Errorf("forget who asked to be left alone: %w", err)
	}
	return nil
}
