package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/night/settings"
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

func scanChange(row db.Scanner) (PastChange, error) {
	var c PastChange
	var data []byte
	if err := row.Scan(&c.ID, db.TimeOf(&c.At), &c.Kind, &data, &c.Undone); err != nil {
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
	all, err := db.Query(ctx, s.Readers, scanChange, selectChange+`WHERE kind = ? ORDER BY id DESC`, changeSettings)
	return all, db.Wrap(err, "list changes")
}

// PastChange returns a change, or ErrNotFound.
func (s *Store) PastChange(ctx context.Context, id int64) (PastChange, error) {
	c, err := scanChange(s.Readers.QueryRowContext(ctx, selectChange+`WHERE id = ?`, id))
	return c, db.Missing(err, "read change")
}

// note stores a change, and forgets the oldest ones. data is a list of settings.Change or an edit.
func (s *Store) note(w *db.Work, kind string, data any) (id int64) {
	w.Row(`INSERT INTO changes (at, kind, data) VALUES (?, ?, ?) RETURNING id`,
		db.Millis(s.Now()), kind, db.JSONOf(data)).Read(&id)
	w.Exec(`DELETE FROM changes WHERE id <= ?`, id-keptChanges)
	return id
}

// forgetEdits deletes the changes of a session that was erased, and those of sessions that were merged into it: they have
// names and topics. There are at most keptChanges changes to look at.
func forgetEdits(w *db.Work, uuid string) {
	gone := []string{uuid}
	for i := 0; i < len(gone); i++ {
		more := db.List(w, db.ScanText, `SELECT j.value FROM changes c, json_each(c.data, '$.sessions') j WHERE c.id > 0 AND c.kind <> ?1
			AND EXISTS (SELECT 1 FROM json_each(c.data, '$.sessions') WHERE value = ?2)
			AND NOT EXISTS (SELECT 1 FROM sessions WHERE uuid = j.value)`, changeSettings, gone[i])
		for _, other := range more {
			if !slices.Contains(gone, other) {
				gone = append(gone, other)
			}
		}
		w.Exec(`DELETE FROM changes WHERE id > 0 AND kind <> ?
			AND EXISTS (SELECT 1 FROM json_each(data, '$.sessions') WHERE value = ?)`, changeSettings, gone[i])
	}
}

// UndoEdit undoes a change of sessions, and returns the topics that must be trained again. The errors are ErrNotFound,
// ErrNotUndone when a later change concerns the same sessions, and ErrLive.
func (s *Store) UndoEdit(ctx context.Context, id int64) (topics []int64, err error) {
	defer s.Erasing()()
	err = s.Commit(ctx, func(w *db.Work) {
		all := db.List(w, scanChange, selectChange+`WHERE id >= ? AND kind <> ? ORDER BY id`, id, changeSettings)
		if len(all) == 0 || all[0].ID != id {
			w.Fail(db.ErrNotFound)
			return
		}
		c := all[0]
		for _, later := range all[1:] {
			if !later.Undone && c.edit.concerns(later.edit) {
				w.Fail(ErrNotUndone)
				return
			}
		}
		if c.Undone {
			w.Fail(ErrNotUndone)
			return
		}
		switch c.Kind {
		case ChangeName, ChangeTopic:
			topics = s.putBack(w, c.edit.Before)
		default:
			topics = s.arrange(w, c.edit.Sessions, c.edit.Before)
		}
		w.Exec(`UPDATE changes SET undone = 1 WHERE id = ?`, id)
	})
	return topics, err
}

// putBack gives sessions the topics and names that they had.
func (s *Store) putBack(w *db.Work, before []placed) (topics []int64) {
	of := map[string][]string{} // sessions by the topic that they had
	for _, p := range before {
		of[p.Topic] = append(of[p.Topic], p.UUID)
	}
	for _, p := range before {
		one := lockedSession(w, p.UUID)
		to := s.topicFor(w, of[p.Topic], p.Topic)
		setStart(w, one.ID, to.id, p.Topic, p.Title)
		if to.id != one.TopicID || to.renamed {
			topics = append(topics, one.TopicID, to.id)
		}
	}
	topics = db.Distinct(topics)
	afterMove(w, topics)
	return topics
}

// OfSettings reports whether the change is one of settings: UndoSettings undoes it, and UndoEdit any other.
func (c PastChange) OfSettings() bool { return c.Kind == changeSettings }
