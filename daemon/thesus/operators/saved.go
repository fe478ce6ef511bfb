package operators

import (
	"context"
	"fmt"
	"time"

	"nightjar/daemon/db"
)

// Limits of what the person keeps.
const (
	MaxSavedSets  = 500
	MaxOperations = 200 // older ones are forgotten
)

// ErrManySets says that there are MaxSavedSets sets.
var ErrManySets = fmt.Errorf("there are already %d saved sets; delete one first", MaxSavedSets)

// SavedSet is a set of pages or of words that the person named.
type SavedSet struct {
	Name       string
	Expression string // of link operators
	CreatedAt  time.Time
}

// Operation is an expression that the person ran.
type Operation struct {
	ID   int64
	At   time.Time
	Text string
}

// SavedSets lists the saved sets by name.
func SavedSets(ctx context.Context, d *db.DB) ([]SavedSet, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[SavedSet], `SELECT name, expression, created_at FROM saved_sets ORDER BY name`)
	return all, db.Wrap(err, "list saved sets")
}

// SavedSet returns the saved set with a name, or ErrNotFound. The case of ASCII letters does not matter.
func (g *LinkGraph) SavedSet(ctx context.Context, name string) (SavedSet, error) {
	return db.Found(db.Fields[SavedSet](g.tx.QueryRowContext(ctx, `SELECT name, expression, created_at FROM saved_sets WHERE name = ?`, name)))
}

// SaveSet keeps an expression under a name, in the place of one with the same name. The error is ErrManySets if there are
// too many.
func SaveSet(ctx context.Context, d *db.DB, name, expression string) error {
	return d.Commit(ctx, func(w *db.Work) {
		var others int
		w.Row(`SELECT count(*) FROM saved_sets WHERE name <> ?`, name).Read(&others)
		if others >= MaxSavedSets {
			w.Fail(ErrManySets)
			return
		}
		w.Exec(`INSERT INTO saved_sets (name, expression, created_at) VALUES (?, ?, ?)
			ON CONFLICT (name) DO UPDATE SET name = excluded.name, expression = excluded.expression, created_at = excluded.created_at`,
			name, expression, db.Millis(d.Now()))
	})
}

// ForgetSet deletes a saved set. The error is ErrNotFound if there is none with the name.
func ForgetSet(ctx context.Context, d *db.DB, name string) error {
	err := d.Must(ctx, db.ErrNotFound, `DELETE FROM saved_sets WHERE name = ?`, name)
	return db.Wrap(err, "delete a saved set")
}

// NoteOperation keeps an expression as the newest of the history, once: an older one with the same text is forgotten.
func NoteOperation(ctx context.Context, d *db.DB, text string) error {
	return d.Commit(ctx, func(w *db.Work) {
		for _, one := range []struct {
			text string
			args []any
		}{
			{`DELETE FROM operations WHERE text = ?`, []any{text}},
			{`INSERT INTO operations (at, text) VALUES (?, ?)`, []any{db.Millis(d.Now()), text}},
			{`DELETE FROM operations WHERE id <= (SELECT id FROM operations ORDER BY id DESC LIMIT 1 OFFSET ?)`, []any{MaxOperations}},
		} {
			w.Exec(one.text, one.args...)
		}
	})
}

// Operations returns the n newest expressions that the person ran, the newest first.
func Operations(ctx context.Context, d *db.DB, n int) ([]Operation, error) {
	all, err := db.Query(ctx, d.Readers, db.Fields[Operation], `SELECT id, at, text FROM operations ORDER BY id DESC LIMIT ?`, n)
	return all, db.Wrap(err, "read the history of operations")
}
