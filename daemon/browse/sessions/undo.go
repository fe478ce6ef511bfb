package sessions

import (
	"context"
	"slices"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Kinds of edits of sessions, which can be undone.
const (
	ChangeName  = "name"
	ChangeTopic = "topic"
	ChangeSplit = "split"
	ChangeMerge = "merge"
)

// edit is what was changed of sessions, and how they were before.
type edit struct {
	Sessions []string `json:"sessions"` // UUIDs of all sessions that it concerns
	Before   []placed `json:"before"`   // how their events were arranged, with names and topics
	Made     []string `json:"made"`     // sessions that the change made
}

func (e edit) concerns(other edit) bool {
	return slices.ContainsFunc(e.Sessions, func(uuid string) bool { return slices.Contains(other.Sessions, uuid) })
}

// storedEdit is the change that an edit is kept as.
type storedEdit struct {
	id     int64
	kind   string
	undone bool
	edit
}

func scanEdit(row db.Scanner) (c storedEdit, err error) {
	return c, row.Scan(&c.id, &c.kind, db.JSONOf(&c.edit), &c.undone)
}

// forgetEdits deletes the changes of a session that was erased, and those of sessions that were merged into it: they have
// names and topics. There are at most keptChanges changes to look at.
func forgetEdits(w *db.Work, uuid string) {
	gone := []string{uuid}
	for i := 0; i < len(gone); i++ {
		more := db.List(w, db.ScanText, `SELECT j.value FROM changes c, json_each(c.data, '$.sessions') j WHERE c.id > 0 AND c.kind <> 'settings'
			AND EXISTS (SELECT 1 FROM json_each(c.data, '$.sessions') WHERE value = ?)
			AND NOT EXISTS (SELECT 1 FROM sessions WHERE uuid = j.value)`, gone[i])
		for _, other := range more {
			if !slices.Contains(gone, other) {
				gone = append(gone, other)
			}
		}
		w.Exec(`DELETE FROM changes WHERE id > 0 AND kind <> 'settings'
			AND EXISTS (SELECT 1 FROM json_each(data, '$.sessions') WHERE value = ?)`, gone[i])
	}
}

// Undo undoes a change of sessions, and returns the topics that must be trained again. The errors are ErrNotFound,
// ErrNotUndone when a later change concerns the same sessions, and ErrLive.
func Undo(ctx context.Context, d *db.DB, id int64) (topicIDs []int64, err error) {
	defer d.Erasing()()
	err = d.Commit(ctx, func(w *db.Work) {
		all := db.List(w, scanEdit, `SELECT id, kind, data, undone FROM changes WHERE id >= ? AND kind <> 'settings' ORDER BY id`, id)
		if len(all) == 0 || all[0].id != id {
			w.Fail(db.ErrNotFound)
			return
		}
		c := all[0]
		for _, later := range all[1:] {
			if !later.undone && c.concerns(later.edit) {
				w.Fail(store.ErrNotUndone)
				return
			}
		}
		if c.undone {
			w.Fail(store.ErrNotUndone)
			return
		}
		switch c.kind {
		case ChangeName, ChangeTopic:
			topicIDs = putBack(d, w, c.Before)
		default:
			topicIDs = arrange(d, w, c.Sessions, c.Before)
		}
		w.Exec(`UPDATE changes SET undone = 1 WHERE id = ?`, id)
	})
	return topicIDs, err
}

// putBack gives sessions the topics and names that they had.
func putBack(d *db.DB, w *db.Work, before []placed) (topicIDs []int64) {
	of := map[string][]string{} // sessions by the topic that they had
	for _, p := range before {
		of[p.Topic] = append(of[p.Topic], p.UUID)
	}
	for _, p := range before {
		one := lockedSession(w, p.UUID)
		to := topicFor(d, w, of[p.Topic], p.Topic)
		setStart(w, one.ID, to.id, p.Topic, p.Title)
		if to.id != one.TopicID || to.renamed {
			topicIDs = append(topicIDs, one.TopicID, to.id)
		}
	}
	topicIDs = db.Distinct(topicIDs)
	afterMove(w, topicIDs)
	return topicIDs
}
