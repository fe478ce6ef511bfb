package ontologies

import (
	"context"
	"errors"

	"nightjar/daemon/db"
	"nightjar/model/ontology"
)

// Bounds of the edits that are kept for an ontology. The oldest are dropped first.
const (
	maxOntologyEdits = 500
	maxEditBytes     = 32 << 20 // of edits and what takes them back, beside the newest one
)

// History says what can be taken back and done again.
type History struct {
	Undo, Redo int            // levels
	Last       *ontology.Edit // what Undo would take back; nil when there is nothing
	Next       *ontology.Edit // what Redo would do again; nil when there is nothing

	// LastBack is the edit that takes Last back; it has the terms or labels as they were.
	LastBack *ontology.Edit
}

// ReadHistory returns the levels of undo and redo of an ontology.
func ReadHistory(ctx context.Context, d *db.DB, id int64) (History, error) {
	var h History
	r := d.Reads(ctx)
	r.Row(`SELECT count(*) FILTER (WHERE NOT undone), count(*) FILTER (WHERE undone) FROM ontology_edits WHERE ontology_id = ?`, id).
		Read(&h.Undo, &h.Redo)
	if last, ok := lastEdit(r, id); ok {
		h.Last, h.LastBack = &last.edit, &last.undo
	}
	if next, ok := nextEdit(r, id); ok {
		h.Next = &next.edit
	}
	return h, db.Wrap(r.Err, "read the edits of ontology %d", id)
}

// storedEdit is a row of ontology_edits.
type storedEdit struct {
	id         int64
	edit, undo ontology.Edit
}

// oneEdit reads the first edit of an ontology that meets a condition.
func oneEdit(w *db.Work, id int64, condition string) (e storedEdit, ok bool) {
	ok = w.Row("SELECT id, edit, undo FROM ontology_edits WHERE ontology_id = ? AND "+condition+" LIMIT 1", id).Find(&e.id, db.JSONOf(&e.edit), db.JSONOf(&e.undo))
	return e, ok
}

// lastEdit is the newest edit that was not undone, if there is one.
func lastEdit(w *db.Work, id int64) (storedEdit, bool) {
	return oneEdit(w, id, "NOT undone ORDER BY id DESC")
}

// nextEdit is the oldest edit that was undone, if there is one.
func nextEdit(w *db.Work, id int64) (storedEdit, bool) { return oneEdit(w, id, "undone ORDER BY id") }

// Edit applies an edit to an ontology, keeps what takes it back, forgets the edits that were undone, and marks the
// ontology's groupings as out of date. check sees the trees before and after, and its error refuses the edit; it may be nil.
// The errors are ErrNotFound, and EditRefused for that of the edit and that of check; then nothing changes.
func Edit(ctx context.Context, d *db.DB, id int64, e ontology.Edit, check func(before, after *ontology.Tree) error) error {
	return changeOntology(ctx, d, id, func(w *db.Work, before *ontology.Tree) *ontology.Tree {
		after, undo, err := before.Apply(e)
		if err == nil && check != nil {
			err = check(before, after)
		}
		if err != nil {
			w.Fail(EditRefused{err})
			return nil
		}
		w.Exec("DELETE FROM ontology_edits WHERE ontology_id = ? AND undone", id)
		w.Exec("INSERT INTO ontology_edits (ontology_id, at, edit, undo) VALUES (?, ?, ?, ?)", id, db.Millis(d.Now()), db.JSONOf(e), db.JSONOf(undo))
		dropOldEdits(w, id, maxOntologyEdits, maxEditBytes)
		return after
	})
}

// EditRefused is an edit that cannot be made. Its text is for the person.
type EditRefused struct{ error }

// Unwrap is why.
func (r EditRefused) Unwrap() error { return r.error }

// dropOldEdits keeps the newest edits of an ontology, at most the given number of edits and bytes. The newest one stays,
// however large it is.
func dropOldEdits(w *db.Work, id int64, edits, bytes int) {
	w.Exec(`DELETE FROM ontology_edits WHERE id IN (
		SELECT id FROM (SELECT id, row_number() OVER newer AS n, sum(length(edit) + length(undo)) OVER newer AS bytes
			FROM ontology_edits WHERE ontology_id = ?1 WINDOW newer AS (ORDER BY id DESC))
		WHERE n > ?2 OR n > 1 AND bytes > ?3)`, id, edits, bytes)
}

// Undo takes the newest edit back that was not undone, and marks the groupings as out of date. It is false when there
// is none.
func Undo(ctx context.Context, d *db.DB, id int64) (bool, error) {
	return stepOntology(ctx, d, id, lastEdit, 1, func(e storedEdit) ontology.Edit { return e.undo })
}

// Redo makes the oldest edit again that was undone, and marks the groupings as out of date. It is false when there is
// none.
func Redo(ctx context.Context, d *db.DB, id int64) (bool, error) {
	return stepOntology(ctx, d, id, nextEdit, 0, func(e storedEdit) ontology.Edit { return e.edit })
}

// stepOntology applies what which makes of the edit that find finds.
func stepOntology(ctx context.Context, d *db.DB, id int64, find func(*db.Work, int64) (storedEdit, bool), undone int, which func(storedEdit) ontology.Edit) (bool, error) {
	none := errors.New("there is no such edit")
	err := changeOntology(ctx, d, id, func(w *db.Work, before *ontology.Tree) *ontology.Tree {
		e, ok := find(w, id)
		if !ok {
			w.Fail(none)
			return nil
		}
		after, _, err := before.Apply(which(e))
		w.Fail(err)
		w.Exec("UPDATE ontology_edits SET undone = ? WHERE id = ?", undone, e.id)
		return after
	})
	if errors.Is(err, none) {
		return false, nil
	}
	return err == nil, err
}

// changeOntology stores the tree that change makes of the present one. All that change writes is in the same transaction.
func changeOntology(ctx context.Context, d *db.DB, id int64, change func(w *db.Work, before *ontology.Tree) *ontology.Tree) error {
	err := d.Commit(ctx, func(w *db.Work) {
		o := readOntology(w, id)
		if w.Err != nil {
			return
		}
		before, err := o.Tree()
		if err != nil {
			w.Fail(err)
			return
		}
		after := change(w, before)
		if w.Err != nil {
			return
		}
		w.Exec(`UPDATE ontologies SET terms = ?, count = ?, changed_at = max(changed_at + 1, ?) WHERE id = ?`,
			db.JSONOf(after.Terms()), after.Len(), db.Millis(d.Now()), id)
		w.Exec(`UPDATE groupings SET stale = 'its ontology was changed' WHERE ontology_id = ?`, id)
	})
	if refused, ok := errors.AsType[EditRefused](err); ok {
		return refused
	}
	return db.Wrap(err, "change ontology %d", id)
}

// Tree makes the tree of an ontology's terms.
func (o Ontology) Tree() (*ontology.Tree, error) {
	items := make([]ontology.Item, len(o.Terms))
	for i, t := range o.Terms {
		items[i] = ontology.Item{Key: t.Key, Labels: t.Labels, Senses: t.Senses}
		if t.Parent >= 0 && t.Parent < len(o.Terms) {
			items[i].Parents = []string{o.Terms[t.Parent].Key}
		}
	}
	tree, _, err := ontology.Build(items)
	return tree, db.Wrap(err, "the stored terms of the ontology %q", o.Name)
}
