package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"nightjar/daemon/settings"
)

// Kinds of changes that can be undone.
const (
	changeSettings = "settings"
	ChangeName     = "name"
	ChangeTopic    = "topic"
	ChangeSplit    = "split"
	ChangeMerge    = "merge"
)

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

	edit edit // of the other kinds
}

// edit is what was changed of sessions, and how they were before.
type edit struct {
	Sessions []string `json:"sessions"` // UUIDs of all sessions that it concerns
	Before   []placed `json:"before"`   // how their events were arranged, with names and topics
	Made     []string `json:"made"`     // sessions that the change made
}

func (e edit) concerns(other edit) bool {
	return slices.ContainsFunc(e.Sessions, func(uuid string) bool { return slices.Contains(other.Sessions, uuid) })
}

func scanChange(row scanner) (PastChange, error) {
	var c PastChange
	var data []byte
	if err := row.Scan(&c.ID, timeOf{&c.At}, &c.Kind, &data, &c.Undone); err != nil {
		return c, err
	}
	if c.Kind == changeSettings {
		return c, json.Unmarshal(data, &c.Fields)
	}
	return c, json.Unmarshal(data, &c.edit)
}

const selectChange = `SELECT id, at, kind, data, undone FROM changes `

// SettingsChanges lists the last changes of settings, newest first.
func (s *Store) SettingsChanges(ctx context.Context) ([]PastChange, error) {
	all, err := query(ctx, s.r, scanChange, selectChange+`WHERE kind = ? ORDER BY id DESC`, changeSettings)
	return all, wrap(err, "list changes")
}

// PastChange returns a change, or ErrNotFound.
func (s *Store) PastChange(ctx context.Context, id int64) (PastChange, error) {
	c, err := scanChange(s.r.QueryRowContext(ctx, selectChange+`WHERE id = ?`, id))
	return c, missing(err, "read change")
}

// note stores a change, and forgets the oldest ones. data is a list of settings.Change or an edit.
func (s *Store) note(ctx context.Context, tx *sql.Tx, kind string, data any) (id int64, err error) {
	err = tx.QueryRowContext(ctx, `INSERT INTO changes (at, kind, data) VALUES (?, ?, ?) RETURNING id`,
		millis(s.Now()), kind, jsonOf{data}).Scan(&id)
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM changes WHERE id <= ?`, id-keptChanges)
	return id, err
}

func setUndone(ctx context.Context, tx *sql.Tx, id int64) error {
	return execute(ctx, tx, `UPDATE changes SET undone = 1 WHERE id = ?`, id)
}

// forgetEdits deletes the changes of a session that was erased, and those of sessions that were merged into it: they have
// names and topics. There are at most keptChanges changes to look at.
func forgetEdits(ctx context.Context, tx *sql.Tx, uuid string) error {
	gone := []string{uuid}
	for i := 0; i < len(gone); i++ {
		more, err := query(ctx, tx, scanText, `SELECT j.value FROM changes c, json_each(c.data, '$.sessions') j WHERE c.id > 0 AND c.kind <> ?1
			AND EXISTS (SELECT 1 FROM json_each(c.data, '$.sessions') WHERE value = ?2)
			AND NOT EXISTS (SELECT 1 FROM sessions WHERE uuid = j.value)`, changeSettings, gone[i])
		if err != nil {
			return err
		}
		for _, other := range more {
			if !slices.Contains(gone, other) {
				gone = append(gone, other)
			}
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM changes WHERE id > 0 AND kind <> ?
			AND EXISTS (SELECT 1 FROM json_each(data, '$.sessions') WHERE value = ?)`, changeSettings, gone[i]); err != nil {
			return err
		}
	}
	return nil
}

// UndoEdit undoes a change of sessions, and returns the topics that must be trained again. The errors are ErrNotFound,
// ErrNotUndone when a later change concerns the same sessions, and ErrLive.
func (s *Store) UndoEdit(ctx context.Context, id int64) (topics []int64, err error) {
	defer s.erasing()()
	err = s.write(ctx, func(tx *sql.Tx) error {
		all, err := query(ctx, tx, scanChange, selectChange+`WHERE id >= ? AND kind <> ? ORDER BY id`, id, changeSettings)
		if err != nil {
			return err
		}
		if len(all) == 0 || all[0].ID != id {
			return ErrNotFound
		}
		c := all[0]
		for _, later := range all[1:] {
			if !later.Undone && c.edit.concerns(later.edit) {
				return ErrNotUndone
			}
		}
		if c.Undone {
			return ErrNotUndone
		}
		switch c.Kind {
		case ChangeName, ChangeTopic:
			topics, err = s.putBack(ctx, tx, c.edit.Before)
		default:
			topics, err = s.arrange(ctx, tx, c.edit.Sessions, c.edit.Before)
		}
		if err != nil {
			return err
		}
		return setUndone(ctx, tx, id)
	})
	return topics, err
}

// putBack gives sessions the topics and names that they had.
func (s *Store) putBack(ctx context.Context, tx *sql.Tx, before []placed) (topics []int64, err error) {
	of := map[string][]string{} // sessions by the topic that they had
	for _, p := range before {
		of[p.Topic] = append(of[p.Topic], p.UUID)
	}
	for _, p := range before {
		one, err := lockedSession(ctx, tx, p.UUID)
		if err != nil {
			return nil, err
		}
		to, err := s.topicFor(ctx, tx, of[p.Topic], p.Topic)
		if err != nil {
			return nil, err
		}
		if err := setStart(ctx, tx, one.ID, to.id, p.Topic, p.Title); err != nil {
			return nil, err
		}
		if to.id != one.TopicID || to.renamed {
			topics = append(topics, one.TopicID, to.id)
		}
	}
	topics = distinct(topics)
	return topics, afterMove(ctx, tx, topics)
}

// OfSettings reports whether the change is one of settings: UndoSettings undoes it, and UndoEdit any other.
func (c PastChange) OfSettings() bool { return c.Kind == changeSettings }
