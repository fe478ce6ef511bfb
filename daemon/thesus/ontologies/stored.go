package ontologies

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"nightjar/daemon/db"
	"nightjar/model/ontology"
)

// Ontology is a tree of terms that the person imported or made.
type Ontology struct {
	ID        int64
	Name      string
	Terms     []ontology.Term // in pre-order; nil in a list
	Count     int             // of terms
	CreatedAt time.Time
	ChangedAt time.Time // of the name or a term. It grows with each change, also when the clock does not
}

// MaxOntologyName is how many characters the name of an ontology has at most.
const MaxOntologyName = 80

// MaxOntologies is how many ontologies there are at most.
const MaxOntologies = 200

// Errors of adding and renaming ontologies.
var (
	ErrOntologyName  = fmt.Errorf("an ontology needs a name of at most %d characters on one line", MaxOntologyName)
	ErrOntologyTaken = errors.New("another ontology has this name; choose another name")
	ErrOntologyMany  = fmt.Errorf("there are %d ontologies, and more are not kept; delete one", MaxOntologies)
)

// ontologyName is a name without outer and repeated white space.
func ontologyName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	odd := strings.IndexFunc(name, func(r rune) bool {
		return !unicode.IsPrint(r) && r != '\u200c' && r != '\u200d' // those two belong to words in some scripts
	}) >= 0
	if name == "" || odd || utf8.RuneCountInString(name) > MaxOntologyName {
		return "", ErrOntologyName
	}
	return name, nil
}

const selectOntology = "SELECT id, name, count, created_at, changed_at FROM ontologies "

func scanOntology(row db.Scanner) (Ontology, error) {
	var o Ontology
	return o, row.Scan(&o.ID, &o.Name, &o.Count, db.TimeOf(&o.CreatedAt), db.TimeOf(&o.ChangedAt))
}

// All lists the ontologies by name, without their terms.
func All(ctx context.Context, d *db.DB) ([]Ontology, error) {
	all, err := db.Query(ctx, d.Readers, scanOntology, selectOntology+"ORDER BY name")
	return all, db.Wrap(err, "list ontologies")
}

// Head returns one ontology without its terms, or ErrNotFound.
func Head(ctx context.Context, d *db.DB, id int64) (Ontology, error) {
	return db.Found(scanOntology(d.Readers.QueryRowContext(ctx, selectOntology+"WHERE id = ?", id)))
}

// ByName returns one ontology without its terms, or ErrNotFound. The case of ASCII letters does not matter.
func ByName(ctx context.Context, d *db.DB, name string) (Ontology, error) {
	name = strings.Join(strings.Fields(name), " ")
	return db.Found(scanOntology(d.Readers.QueryRowContext(ctx, selectOntology+"WHERE name = ?", name)))
}

// ByID returns one ontology with its terms, or ErrNotFound.
func ByID(ctx context.Context, d *db.DB, id int64) (Ontology, error) {
	r := d.Reads(ctx)
	return readOntology(r, id), r.Err
}

func readOntology(w *db.Work, id int64) Ontology {
	var o Ontology
	w.Row("SELECT id, name, count, created_at, changed_at, terms FROM ontologies WHERE id = ?", id).
		Read(&o.ID, &o.Name, &o.Count, db.TimeOf(&o.CreatedAt), db.TimeOf(&o.ChangedAt), db.JSONOf(&o.Terms))
	return o
}

// Add stores a new ontology with the terms of a tree. The errors are ErrOntologyName, ErrOntologyTaken and
// ErrOntologyMany.
func Add(ctx context.Context, d *db.DB, name string, tree *ontology.Tree) (Ontology, error) {
	name, err := ontologyName(name)
	if err != nil {
		return Ontology{}, err
	}
	var o Ontology
	err = d.Commit(ctx, func(w *db.Work) {
		freeOntologyName(w, name, 0)
		var n int
		w.Row("SELECT count(*) FROM ontologies").Read(&n)
		if n >= MaxOntologies {
			w.Fail(ErrOntologyMany)
			return
		}
		o = db.First(w, scanOntology, `INSERT INTO ontologies (name, terms, count, created_at, changed_at)
			VALUES (?1, ?2, ?3, ?4, ?4) RETURNING id, name, count, created_at, changed_at`,
			name, db.JSONOf(tree.Terms()), tree.Len(), db.Millis(d.Now()))
	})
	return o, db.Wrap(err, "store the ontology %q", name)
}

// freeOntologyName refuses a name that another ontology has.
func freeOntologyName(w *db.Work, name string, own int64) {
	if w.Has("SELECT EXISTS (SELECT 1 FROM ontologies WHERE name = ? AND id <> ?)", name, own) {
		w.Fail(ErrOntologyTaken)
	}
}

// Rename gives an ontology another name. The errors are ErrNotFound, ErrOntologyName and ErrOntologyTaken.
func Rename(ctx context.Context, d *db.DB, id int64, name string) error {
	name, err := ontologyName(name)
	if err != nil {
		return err
	}
	err = d.Commit(ctx, func(w *db.Work) {
		freeOntologyName(w, name, id)
		w.Must(db.ErrNotFound, "UPDATE ontologies SET name = ?, changed_at = max(changed_at + 1, ?) WHERE id = ?",
			name, db.Millis(d.Now()), id)
	})
	return db.Wrap(err, "rename ontology %d", id)
}

// Delete deletes an ontology with its edits and the groupings made with it. The error is ErrNotFound when there is no
// such ontology.
func Delete(ctx context.Context, d *db.DB, id int64) error {
	defer d.Erasing()()
	err := d.Must(ctx, db.ErrNotFound, "DELETE FROM ontologies WHERE id = ?", id)
	if err != nil {
		return fmt.Errorf("delete ontology %d: %w", id, err)
	}
	return d.ScrubSoon(ctx)
}
