package ontologies

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/model/ontology"
)

func mustOntology(t *testing.T, s *store.Store, name string, labels ...string) Ontology {
	t.Helper()
	items := []ontology.Item{{Key: "root", Labels: []string{name}}}
	for _, l := range labels {
		items = append(items, ontology.Item{Key: l, Labels: []string{l}, Parents: []string{"root"}})
	}
	tree, _, err := ontology.Build(items)
	if err != nil {
		t.Fatal(err)
	}
	o := storetest.Must(Add(t.Context(), s.DB, name, tree))(t)
	return o
}

func addTerm(key string) ontology.Edit {
	return ontology.Edit{Action: ontology.Add, Parent: "root", Terms: []ontology.Term{{Key: key, Labels: []string{key}}}}
}

// TestEditMarksGroupings: an edit, its undo and its redo mark the groupings of the ontology, and no others; deleting it
// deletes them.
func TestEditMarksGroupings(t *testing.T) {
	s := storetest.Open(t)
	o, other := mustOntology(t, s, "Music"), mustOntology(t, s, "Art")
	for i, of := range []any{o.ID, other.ID, nil} {
		storetest.Must(s.Writer.Exec(`INSERT INTO groupings (scope, scope_id, ontology_id, options, state, created_at) VALUES ('topic', ?, ?, '{}', 'done', 1)`, i, of))(t)
	}
	stale := func() []string {
		t.Helper()
		all := storetest.Must(db.Query(t.Context(), s.Readers, db.ScanText, "SELECT stale FROM groupings ORDER BY id"))(t)
		storetest.Must(s.Writer.Exec("UPDATE groupings SET stale = ''"))(t)
		return all
	}
	steps := map[string]func() error{
		"an edit": func() error { return Edit(t.Context(), s.DB, o.ID, addTerm("jazz"), nil) },
		"an undo": func() error { _, err := Undo(t.Context(), s.DB, o.ID); return err },
		"a redo":  func() error { _, err := Redo(t.Context(), s.DB, o.ID); return err },
	}
	for _, name := range []string{"an edit", "an undo", "a redo"} {
		storetest.OK(t, steps[name]())
		if got := stale(); !slices.Equal(got, []string{"its ontology was changed", "", ""}) {
			t.Errorf("after %s: %q", name, got)
		}
	}
	refused := errors.New("no")
	err := Edit(t.Context(), s.DB, o.ID, addTerm("opera"), func(before, after *ontology.Tree) error { return refused })
	if got := stale(); !errors.Is(err, refused) || !slices.Equal(got, []string{"", "", ""}) {
		t.Errorf("a refused edit: %v, %q", err, got)
	}
	storetest.OK(t, Delete(t.Context(), s.DB, o.ID))
	if got := stale(); len(got) != 2 {
		t.Errorf("after deletion: %q", got)
	}
	var edits int
	if err := s.Readers.QueryRow("SELECT count(*) FROM ontology_edits").Scan(&edits); err != nil || edits != 0 {
		t.Errorf("%d edits of a deleted ontology, %v", edits, err)
	}
}

// TestChangedAtGrows: also when the clock stands still or goes back, so that what was read before is not taken for the same.
func TestChangedAtGrows(t *testing.T) {
	s := storetest.Open(t)
	now := time.UnixMilli(5000)
	s.Now = func() time.Time { return now }
	o := mustOntology(t, s, "Music")
	last := o.ChangedAt
	for i := range 3 {
		now = now.Add(-time.Second)
		var err error
		if i == 1 {
			err = Rename(t.Context(), s.DB, o.ID, "Sound")
		} else {
			err = Edit(t.Context(), s.DB, o.ID, addTerm(fmt.Sprint(i)), nil)
		}
		one, herr := Head(t.Context(), s.DB, o.ID)
		if err != nil || herr != nil || !one.ChangedAt.After(last) {
			t.Errorf("change %d: %v after %v, %v, %v", i, one.ChangedAt, last, err, herr)
		}
		last = one.ChangedAt
	}
}

// TestEditsAreBounded: the newest edits are kept, also one that is larger than the bound.
func TestEditsAreBounded(t *testing.T) {
	s := storetest.Open(t)
	o := mustOntology(t, s, "Music")
	rename := func(label string) {
		t.Helper()
		storetest.OK(t, Edit(t.Context(), s.DB, o.ID, ontology.Edit{Action: ontology.Rename, Key: "root", Labels: []string{label}}, nil))
	}
	storetest.Must(s.Writer.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
		INSERT INTO ontology_edits (ontology_id, at, edit, undo) SELECT ?, i, '{}', '{}' FROM n`, maxOntologyEdits+1, o.ID))(t)
	rename("newest")
	if h, err := ReadHistory(t.Context(), s.DB, o.ID); err != nil || h.Undo != maxOntologyEdits {
		t.Errorf("%d edits are kept, %v", h.Undo, err)
	}
	const few = 1000
	rename(strings.Repeat("x", few))
	storetest.OK(t, s.Commit(t.Context(), func(w *db.Work) { dropOldEdits(w, o.ID, maxOntologyEdits, few) }))
	if h, err := ReadHistory(t.Context(), s.DB, o.ID); err != nil || h.Undo != 1 {
		t.Errorf("%d edits are kept beside a large one, %v", h.Undo, err)
	}
	if done, err := Undo(t.Context(), s.DB, o.ID); err != nil || !done {
		t.Errorf("undo: %v, %v", done, err)
	}
	if one, err := ByID(t.Context(), s.DB, o.ID); err != nil || one.Terms[0].Labels[0] != "newest" {
		t.Errorf("%.40q, %v", one.Terms[0].Labels, err)
	}
}

func TestOntologyErrors(t *testing.T) {
	s := storetest.Open(t)
	o := mustOntology(t, s, "Music")
	mustOntology(t, s, "Art")
	if err := Rename(t.Context(), s.DB, o.ID, "ART"); !errors.Is(err, ErrOntologyTaken) {
		t.Errorf("a name that is taken: %v", err)
	}
	if err := Rename(t.Context(), s.DB, o.ID, "MUSIC"); err != nil {
		t.Errorf("the same name in capitals: %v", err)
	}
	if err := Rename(t.Context(), s.DB, 99, "New"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("rename: %v", err)
	}
	if err := Delete(t.Context(), s.DB, 99); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("delete: %v", err)
	}
	if err := Edit(t.Context(), s.DB, 99, addTerm("x"), nil); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("edit: %v", err)
	}
	if _, err := Undo(t.Context(), s.DB, 99); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("undo: %v", err)
	}
	if _, err := ByID(t.Context(), s.DB, 99); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("read: %v", err)
	}
	for i := 2; i < MaxOntologies; i++ {
		mustOntology(t, s, fmt.Sprint(i))
	}
	tree, err := o.Tree()
	if err == nil {
		t.Errorf("an ontology without terms has a tree %v", tree)
	}
	one := storetest.Must(ByID(t.Context(), s.DB, o.ID))(t)
	if tree, err = one.Tree(); err != nil {
		t.Fatal(err)
	}
	if _, err := Add(t.Context(), s.DB, "one more", tree); err == nil || !strings.Contains(err.Error(), "delete one") {
		t.Errorf("too many ontologies: %v", err)
	}
}

// TestOntologyChild is the process that TestEditsSurviveKills kills: it adds and takes back terms, and says which it did.
func TestOntologyChild(t *testing.T) {
	path := os.Getenv("NIGHTJAR_TEST_ONTOLOGY")
	if path == "" {
		return
	}
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("\nready")
	for i := 0; ; i++ {
		if i%3 == 2 {
			_, err = Undo(t.Context(), s.DB, 1)
		} else {
			err = Edit(t.Context(), s.DB, 1, addTerm(fmt.Sprintf("%d-%d", os.Getpid(), i)), nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("done")
	}
}

// TestEditsSurviveKills kills a process in the middle of its edits: the tree is always the first one with the edits that were
// not undone, and Undo leads back to the first.
func TestEditsSurviveKills(t *testing.T) {
	s := storetest.Open(t)
	o := mustOntology(t, s, "Music")
	storetest.Must(s.Writer.Exec(`INSERT INTO groupings (scope, ontology_id, options, state, created_at) VALUES ('all', ?, '{}', 'done', 1)`, o.ID))(t)
	random := rand.New(rand.NewPCG(16, 4))
	for range 4 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOntologyChild$")
		cmd.Env = append(os.Environ(), "NIGHTJAR_TEST_ONTOLOGY="+s.Path())
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 4 + random.IntN(20); n > 0 && lines.Scan(); {
			if lines.Text() == "done" {
				n--
			}
		}
		storetest.OK(t, cmd.Process.Kill())
		for lines.Scan() { // until the pipe is closed
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("the process ended before it was killed")
		}
		checkEdited(t, s, o.ID)
	}
	for {
		done := storetest.Must(Undo(t.Context(), s.DB, o.ID))(t)
		if !done {
			break
		}
	}
	checkEdited(t, s, o.ID)
	if one, err := ByID(t.Context(), s.DB, o.ID); err != nil || one.Count != 1 || len(one.Terms) != 1 {
		t.Errorf("after all undos %+v, %v", one, err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// checkEdited compares an ontology with the additions that are stored as not undone.
func checkEdited(t *testing.T, s *store.Store, id int64) {
	t.Helper()
	edits := storetest.Must(db.Query(t.Context(), s.Readers, db.ScanText, `SELECT edit ->> '$.terms[0].key' FROM ontology_edits WHERE NOT undone ORDER BY id`))(t)
	one := storetest.Must(ByID(t.Context(), s.DB, id))(t)
	var keys []string
	for _, term := range one.Terms[1:] {
		keys = append(keys, term.Key)
	}
	if !slices.Equal(keys, edits) || one.Count != len(one.Terms) {
		t.Errorf("terms %v with edits %v", keys, edits)
	}
	if stale, err := db.Query(t.Context(), s.Readers, db.ScanText, "SELECT stale FROM groupings"); err != nil || !slices.Equal(stale, []string{"its ontology was changed"}) {
		t.Errorf("groupings %q, %v", stale, err)
	}
}
