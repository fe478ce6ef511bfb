package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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

// Mark stores the person's mark on a find. Setting the same mark again changes nothing. The error is ErrNotFound when
// there is no such find.
func (s *Store) Mark(ctx context.Context, findID int64, mark string) error {
	_, err := s.MarkAll(ctx, []int64{findID}, mark)
	return err
}

// MarkAll stores the person's mark on finds as one action. Finds that have the mark already and ids without a find change
// nothing. The error is ErrNotFound if none of the finds exists.
func (s *Store) MarkAll(ctx context.Context, ids []int64, mark string) (Acted, error) {
	var acted Acted
	if _, known := marks[mark]; !known {
		return acted, fmt.Errorf("unknown mark %q", mark)
	}
	err := s.write(ctx, func(tx *sql.Tx) (err error) {
		acted, err = s.markAll(ctx, tx, distinct(ids), mark)
		return err
	})
	return acted, err
}

// marked is a find with its present mark.
type marked struct {
	id, topic int64
	mark      string
}

const marksOf = `SELECT id, topic_id, mark FROM finds WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`

func readMarks(ctx context.Context, tx *sql.Tx, ids []int64) ([]marked, error) {
	return query(ctx, tx, func(row scanner) (m marked, err error) {
		return m, row.Scan(&m.id, &m.topic, &m.mark)
	}, marksOf, jsonList(ids))
}

func (s *Store) markAll(ctx context.Context, tx *sql.Tx, ids []int64, mark string) (Acted, error) {
	var acted Acted
	finds, err := readMarks(ctx, tx, ids)
	if err == nil && len(finds) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return acted, err
	}
	for _, f := range finds {
		if f.mark == mark {
			continue
		}
		if acted.Action == 0 {
			if acted.Action, err = s.newAction(ctx, tx, mark, ""); err != nil {
				return acted, err
			}
		}
		if err := s.setMark(ctx, tx, &acted, f, mark, "action_id", acted.Action); err != nil {
			return acted, err
		}
	}
	acted.Topics = distinct(acted.Topics)
	return acted, nil
}

// setMark appends a find's mark to the history; column says what the action is to it. A trigger sets the mark of the find.
func (s *Store) setMark(ctx context.Context, tx *sql.Tx, acted *Acted, f marked, mark, column string, action int64) error {
	teaches, now := marks[f.mark] || marks[mark], millis(s.Now())
	id, err := single[int64](ctx, tx, "INSERT INTO feedback (find_id, mark, at, teaches, sum, "+column+") VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
		f.id, mark, now, teaches, feedbackSum(f.id, mark, now, teaches), action)
	if len(acted.Finds) == 0 {
		acted.Since = id - 1
	}
	acted.Finds = append(acted.Finds, f.id)
	if teaches {
		acted.Topics = append(acted.Topics, f.topic)
	}
	return err
}

// newAction stores an action of the person.
func (s *Store) newAction(ctx context.Context, tx *sql.Tx, kind, site string) (id int64, err error) {
	err = tx.QueryRowContext(ctx, "INSERT INTO actions (at, kind, site) VALUES (?, ?, ?) RETURNING id", millis(s.Now()), kind, site).Scan(&id)
	return id, err
}

// standingMark selects the mark that a find (?) has by the actions that were not undone.
const standingMark = `SELECT mark FROM feedback LEFT JOIN actions ON actions.id = action_id
	WHERE find_id = ? AND undoes IS NULL AND undone_at IS NULL ORDER BY feedback.id DESC LIMIT 1`

// Undo takes back exactly what an action changed, whatever came after it: each find gets the mark, and its site the state,
// that the actions which were not undone give it. An action that was undone already changes nothing. The error is
// ErrNotFound when there is no such action.
func (s *Store) Undo(ctx context.Context, action int64) (acted Acted, err error) {
	err = s.write(ctx, func(tx *sql.Tx) (err error) {
		acted, err = s.undo(ctx, tx, action)
		return err
	})
	return acted, err
}

func (s *Store) undo(ctx context.Context, tx *sql.Tx, action int64) (Acted, error) {
	acted := Acted{Action: action}
	var site string
	var undone sql.NullInt64
	_, err := found(0, tx.QueryRowContext(ctx, "SELECT site, undone_at FROM actions WHERE id = ?", action).Scan(&site, &undone))
	if err != nil || undone.Valid {
		return acted, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE actions SET undone_at = ? WHERE id = ?", millis(s.Now()), action); err != nil {
		return acted, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE questions SET answer = '', action_id = NULL WHERE action_id = ?", action); err != nil {
		return acted, err
	}
	if site != "" {
		acted.Site = site
		acted.Finds, err = s.applyRefusals(ctx, tx, site)
		return acted, err
	}
	ids, err := query(ctx, tx, scanID, "SELECT find_id FROM feedback WHERE action_id = ?", action)
	if err != nil {
		return acted, err
	}
	finds, err := readMarks(ctx, tx, ids)
	if err != nil {
		return acted, err
	}
	for _, f := range finds {
		mark, err := scanText(tx.QueryRowContext(ctx, standingMark, f.id))
		if errors.Is(err, sql.ErrNoRows) {
			mark, err = MarkNone, nil
		}
		if err == nil && mark != f.mark {
			err = s.setMark(ctx, tx, &acted, f, mark, "undoes", action)
		}
		if err != nil {
			return acted, err
		}
	}
	acted.Topics = distinct(acted.Topics)
	return acted, nil
}
