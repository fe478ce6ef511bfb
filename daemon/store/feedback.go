package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Marks of a find.
const (
	MarkUseful    = "useful"
	MarkNotUseful = "not-useful"
	MarkNone      = "none" // the mark was removed
)

// Mark stores the person's mark on a find: MarkUseful, MarkNotUseful or MarkNone. Setting the same mark again changes
// nothing. The error is ErrNotFound when there is no such find.
func (s *Store) Mark(ctx context.Context, findID int64, mark string) error {
	if mark != MarkUseful && mark != MarkNotUseful && mark != MarkNone {
		return fmt.Errorf("unknown mark %q", mark)
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		last, err := found(scanText(tx.QueryRowContext(ctx, `SELECT coalesce((SELECT mark FROM feedback WHERE find_id = finds.id
			ORDER BY id DESC LIMIT 1), 'none') FROM finds WHERE id = ?`, findID)))
		if err != nil || last == mark {
			return err
		}
		_, err = tx.ExecContext(ctx, "INSERT INTO feedback (find_id, mark, at) VALUES (?, ?, ?)", findID, mark, millis(s.Now()))
		return err
	})
}
