package store

import (
	"database/sql"
	"fmt"
	"time"

	"nightjar/daemon/db"
)

// Marks of a find.
const (
	MarkUseful    = "useful"
	MarkNotUseful = "not-useful"
	MarkLater     = "later"     // saved for later: teaches nothing
	MarkOffTopic  = "off-topic" // it belongs to another topic: for this one, a page of the rest of the web
	MarkNone      = "none"      // the mark was removed
)

// marks has the marks that a find can get, and whether a training learns from them.
var marks = map[string]bool{MarkUseful: true, MarkNotUseful: true, MarkOffTopic: true, MarkLater: false, MarkNone: false}

// Acted is what an action of the person, or undoing it, changed.
type Acted struct {
	Action int64   // to undo it; 0 when nothing changed
	Finds  []int64 // whose mark changed, or, for a site, that left the lists or came back
	Topics []int64 // of these finds, if a training would learn from the change
	Since  int64   // id of the last mark before the change
	Site   string  // that was refused or allowed
}

// marked is a find with its present mark.
type marked struct {
	id, topic int64
	mark      string
}

const marksOf = `SELECT id, topic_id, mark FROM finds WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`

func readMarks(w *db.Work, ids []int64) []marked {
	return db.List(w, func(row db.Scanner) (m marked, err error) {
		return m, row.Scan(&m.id, &m.topic, &m.mark)
	}, marksOf, db.JSONList(ids))
}

// PutMarks stores marks as one action, in a transaction. The ids are distinct.
func PutMarks(w *db.Work, now time.Time, ids []int64, mark string) Acted {
	var acted Acted
	if _, known := marks[mark]; !known {
		w.Fail(fmt.Errorf("unknown mark %q", mark))
	}
	finds := readMarks(w, ids)
	if len(finds) == 0 {
		w.Fail(db.ErrNotFound)
	}
	for _, f := range finds {
		if f.mark == mark {
			continue
		}
		if acted.Action == 0 {
			acted.Action = NewAction(w, now, mark, "")
		}
		setMark(w, now, &acted, f, mark, "action_id", acted.Action)
	}
	acted.Topics = db.Distinct(acted.Topics)
	return acted
}

// setMark appends a find's mark to the history; column says what the action is to it. A trigger sets the mark of the find.
func setMark(w *db.Work, now time.Time, acted *Acted, f marked, mark, column string, action int64) {
	teaches, at := marks[f.mark] || marks[mark], db.Millis(now)
	id := db.Value[int64](w, "INSERT INTO feedback (find_id, mark, at, teaches, sum, "+column+") VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
		f.id, mark, at, teaches, FeedbackSum(f.id, mark, at, teaches), action)
	if len(acted.Finds) == 0 {
		acted.Since = id - 1
	}
	acted.Finds = append(acted.Finds, f.id)
	if teaches {
		acted.Topics = append(acted.Topics, f.topic)
	}
}

// newAction stores an action of the person.
func NewAction(w *db.Work, now time.Time, kind, site string) (id int64) {
	w.Row("INSERT INTO actions (at, kind, site) VALUES (?, ?, ?) RETURNING id", db.Millis(now), kind, site).Read(&id)
	return id
}

// standingMark selects the mark that a find (?) has by the actions that were not undone.
const standingMark = `SELECT mark FROM feedback LEFT JOIN actions ON actions.id = action_id
	WHERE find_id = ? AND undoes IS NULL AND undone_at IS NULL ORDER BY feedback.id DESC LIMIT 1`

// UndoAction takes back exactly what an action changed: see marks.Undo.
func UndoAction(w *db.Work, now time.Time, action int64) Acted {
	acted := Acted{Action: action}
	var site string
	var undone sql.NullInt64
	w.Row("SELECT site, undone_at FROM actions WHERE id = ?", action).Read(&site, &undone)
	if undone.Valid {
		return acted
	}
	w.Exec("UPDATE actions SET undone_at = ? WHERE id = ?", db.Millis(now), action)
	w.Exec("UPDATE questions SET answer = '', action_id = NULL WHERE action_id = ?", action)
	if site != "" {
		acted.Site = site
		acted.Finds = ApplyRefusals(w, now, site)
		return acted
	}
	ids := db.List(w, db.ScanID, "SELECT find_id FROM feedback WHERE action_id = ?", action)
	finds := readMarks(w, ids)
	for _, f := range finds {
		mark := MarkNone
		if w.Row(standingMark, f.id).Find(&mark); mark != f.mark {
			setMark(w, now, &acted, f, mark, "undoes", action)
		}
	}
	acted.Topics = db.Distinct(acted.Topics)
	return acted
}

// Kinds of actions besides the marks.
const (
	ActionRefuse = "refuse" // a site
	ActionAllow  = "allow"  // a site that was refused
)

// PruneActions deletes the actions whose finds are all gone.
func PruneActions(w *db.Work) {
	w.Exec(`DELETE FROM actions WHERE site = '' AND NOT EXISTS (SELECT 1 FROM feedback WHERE action_id = actions.id)
		AND NOT EXISTS (SELECT 1 FROM feedback WHERE undoes = actions.id)`)
}

// actionLink is the kind of the action that marks a fetched page Useful since the person said that a link to it looks so.
const actionLink = "link"

// MarkLinked marks a find Useful since the person said that a link to its page looks so.
func MarkLinked(w *db.Work, now time.Time, findID int64) {
	for _, f := range readMarks(w, []int64{findID}) {
		setMark(w, now, &Acted{}, f, MarkUseful, "action_id", NewAction(w, now, actionLink, ""))
	}
}
