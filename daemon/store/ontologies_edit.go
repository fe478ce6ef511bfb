package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"nightjar/model/ontology"
)

// Bounds of the edits that are kept for an ontology. The oldest are dropped first.
const (
	maxOntologyEdits = 500
	maxEditBytes     = 32 << 20 // of edits and what takes them back, beside the newest one
)

// OntologyHistory says what can be taken back and done again.
type OntologyHistory struct {
	Undo, Redo int            // levels
	Last       *ontology.Edit // what Undo would take back; nil when there is nothing
	Next       *ontology.Edit // what Redo would do again; nil when there is nothing

	// LastBack is the edit that takes Last back; it has the terms or labels as they were.
	LastBack *ontology.Edit
}

// OntologyHistory returns the levels of undo and redo of an ontology.
func (s *Store) OntologyHistory(ctx context.Context, id int64) (OntologyHistory, error) {
	var h OntologyHistory
	err := s.r.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE NOT undone), count(*) FILTER (WHERE undone) FROM ontology_edits
		WHERE ontology_id = ?`, id).Scan(&h.Undo, &h.Redo)
	if err == nil && h.Undo > 0 {
		var e storedEdit
		if e, err = lastEdit(ctx, s.r, id); err == nil {
			h.Last, h.LastBack = &e.edit, &e.undo
		}
	}
	if err == nil && h.Redo > 0 {
		var e storedEdit
		if e, err = nextEdit(ctx, s.r, id); err == nil {
			h.Next = &e.edit
		}
	}
	if err != nil && !errors.Is(err, ErrNotFound) { // an edit may have come in between
		return h, fmt.Errorf("read the edits of ontology %d: %w", id, err)
	}
	return h, nil
}

// storedEdit is a row of ontology_edits.
type storedEdit struct {
	id         int64
	edit, undo ontology.Edit
}

func scanEdit(row scanner) (storedEdit, error) {
	var e storedEdit
	return e, row.Scan(&e.id, jsonOf{&e.edit}, jsonOf{&e.undo})
}

// lastEdit is the newest edit that was not undone, or ErrNotFound.
func lastEdit(ctx context.Context, q queryer, id int64) (storedEdit, error) {
	return found(scanEdit(q.QueryRowContext(ctx, `SELECT id, edit, undo FROM ontology_edits WHERE ontology_id = ? AND NOT undone
		ORDER BY id DESC LIMIT 1`, id)))
}

// nextEdit is the oldest edit that was undone, or ErrNotFound.
func nextEdit(ctx context.Context, q queryer, id int64) (storedEdit, error) {
	return found(scanEdit(q.QueryRowContext(ctx, `SELECT id, edit, undo FROM ontology_edits WHERE ontology_id = ? AND undone
		ORDER BY id LIMIT 1`, id)))
}

// EditOntology applies an edit to an ontology, keeps what takes it back, forgets the edits that were undone, and marks the
// ontology's groupings as out of date. check sees the trees before and after, and its error refuses the edit; it may be nil.
// The errors are ErrNotFound, and EditRefused for that of the edit and that of check; then nothing changes.
func (s *Store) EditOntology(ctx context.Context, id int64, e ontology.Edit, check func(before, after *ontology.Tree) error) error {
	return s.changeOntology(ctx, id, func(tx *sql.Tx, before *ontology.Tree) (*ontology.Tree, error) {
		after, undo, err := before.Apply(e)
		if err == nil && check != nil {
			err = check(before, after)
		}
		if err != nil {
			return nil, EditRefused{err}
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM ontology_edits WHERE ontology_id = ? AND undone", id); err != nil {
			return nil, err
		}
		return after, s.keepEdit(ctx, tx, id, e, undo)
	})
}

// EditRefused is an edit that cannot be made. Its text is for the person.
type EditRefused struct{ error }

// Unwrap is why.
func (r EditRefused) Unwrap() error { return r.error }

func (s *Store) keepEdit(ctx context.Context, tx *sql.Tx, id int64, e, undo ontology.Edit) error {
	if _, err := tx.ExecContext(ctx, "INSERT INTO ontology_edits (ontology_id, at, edit, undo) VALUES (?, ?, ?, ?)",
		id, millis(s.Now()), jsonOf{e}, jsonOf{undo}); err != nil {
		return err
	}
	return dropOldEdits(ctx, tx, id, maxOntologyEdits, maxEditBytes)
}

// dropOldEdits keeps the newest edits of an ontology, at most the given number of edits and bytes. The newest one stays,
// however large it is.
func dropOldEdits(ctx context.Context, tx *sql.Tx, id int64, edits, bytes int) error {
	return execute(ctx, tx, `DELETE FROM ontology_edits WHERE id IN (
		SELECT id FROM (SELECT id, row_number() OVER newer AS n, sum(length(edit) + length(undo)) OVER newer AS bytes
			FROM ontology_edits WHERE ontology_id = ?1 WINDOW newer AS (ORDER BY id DESC))
		WHERE n > ?2 OR n > 1 AND bytes > ?3)`, id, edits, bytes)
}

// UndoOntology takes the newest edit back that was not undone, and marks the groupings as out of date. It is false when there
// is none.
func (s *Store) UndoOntology(ctx context.Context, id int64) (bool, error) {
	return s.stepOntology(ctx, id, lastEdit, 1, func(e storedEdit) ontology.Edit { return e.undo })
}

// RedoOntology makes the oldest edit again that was undone, and marks the groupings as out of date. It is false when there is
// none.
func (s *Store) RedoOntology(ctx context.Context, id int64) (bool, error) {
	return s.stepOntology(ctx, id, nextEdit, 0, func(e storedEdit) ontology.Edit { return e.edit })
}

func (s *Store) stepOntology(ctx context.Context, id int64, find func(context.Context, queryer, int64) (storedEdit, error),
	undone int, which func(storedEdit) ontology.Edit) (bool, error) {
	none := errors.New("there is no such edit")
	err := s.changeOntology(ctx, id, func(tx *sql.Tx, before *ontology.Tree) (*ontology.Tree, error) {
		e, err := find(ctx, tx, id)
		if errors.Is(err, ErrNotFound) {
			return nil, none
		}
		if err != nil {
			return nil, err
		}
		after, _, err := before.Apply(which(e))
		if err != nil {
			return nil, err
		}
		_, err = tx.ExecContext(ctx, "UPDATE ontology_edits SET undone = ? WHERE id = ?", undone, e.id)
		return after, err
	})
	if errors.Is(err, none) {
		return false, nil
	}
	return err == nil, err
}

// changeOntology stores the tree that change makes of the present one. All that change writes is in the same transaction.
func (s *Store) changeOntology(ctx context.Context, id int64, change func(tx *sql.Tx, before *ontology.Tree) (*ontology.Tree, error)) error {
	err := s.write(ctx, func(tx *sql.Tx) error {
		o, err := readOntology(ctx, tx, id)
		if err != nil {
			return err
		}
		before, err := o.Tree()
		if err != nil {
			return err
		}
		after, err := change(tx, before)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE ontologies SET terms = ?, count = ?, changed_at = max(changed_at + 1, ?) WHERE id = ?`,
			jsonOf{after.Terms()}, after.Len(), millis(s.Now()), id); err != nil {
			return err
		}
		return execute(ctx, tx, `UPDATE groupings SET stale = 'its ontology was changed' WHERE ontology_id = ?`, id)
	})
	var refused EditRefused
	if errors.As(err, &refused) {
		return refused
	}
	return wrap(err, "change ontology %d", id)
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
	return tree, wrap(err, "the stored terms of the ontology %q", o.Name)
}
