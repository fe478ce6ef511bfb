// Package marks stores what the person says of finds and of their sites, each as an action that can be undone.
package marks

import (
	"context"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Put stores the person's mark on a find. Setting the same mark again changes nothing. The error is ErrNotFound when
// there is no such find.
func Put(ctx context.Context, d *db.DB, findID int64, mark string) error {
	_, err := PutAll(ctx, d, []int64{findID}, mark)
	return err
}

// PutAll stores the person's mark on finds as one action. Finds that have the mark already and ids without a find change
// nothing. The error is ErrNotFound if none of the finds exists.
func PutAll(ctx context.Context, d *db.DB, ids []int64, mark string) (store.Acted, error) {
	var acted store.Acted
	err := d.Commit(ctx, func(w *db.Work) {
		acted = store.PutMarks(w, d.Now(), db.Distinct(ids), mark)
	})
	return acted, err
}

// Undo takes back exactly what an action changed, whatever came after it: each find gets the mark, and its site the state,
// that the actions which were not undone give it. An action that was undone already changes nothing. The error is
// ErrNotFound when there is no such action.
func Undo(ctx context.Context, d *db.DB, action int64) (acted store.Acted, err error) {
	err = d.Commit(ctx, func(w *db.Work) {
		acted = store.UndoAction(w, d.Now(), action)
	})
	return acted, err
}
