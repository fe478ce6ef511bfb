package webtest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
)

// typed are what a person enters into fields of forms that no page of a test fills in.
var typed = map[string]string{"url": "http://ice.test/", "name": "step", "to": "other", "useful": "1", "site": "ice.test", "topic": "1", "answer": "useful",
	"q": "tidal", "state": "open", "format": "json", "do": "add", "term": "x", "expression": "[]", "parent": ""}

// Filled is a form with a value in each field.
func (f Form) Filled() url.Values {
	all := url.Values{}
	for _, name := range f.Fields {
		all.Set(name, typed[name])
	}
	maps.Copy(all, f.Values)
	return all
}

// ScansNoTable has SQLite explain every statement that the pages of a wing and their forms run: none may read the whole of a table
// that grows, since each would take longer with every page stored. readsMore are parts of the statements that may, and why; needed
// are parts of statements that must be among those that are run.
func ScansNoTable(t *testing.T, seed func(testing.TB) *Wing, readsMore map[string]string, needed ...string) (statements int) {
	Seed(t) // made with the usual driver; what follows works on a copy
	db.Driver = plans.Driver
	t.Cleanup(func() { db.Driver = "sqlite" })
	w := seed(t)
	all, done := plans.Note()
	forms := w.Forms(t) // which gets every page
	last := func(path string) bool {
		return strings.Contains(path, "delete") || strings.Contains(path, "revoke") || strings.Contains(path, "dissolve")
	}
	for _, second := range []bool{false, true} {
		for _, f := range forms {
			if f.Pattern == "/logout" || strings.Contains(f.Pattern, "/settings/erase") || last(f.Pattern) != second {
				continue // an erasure reads all
			}
			w.Post(f.Path, f.Filled())
		}
	}
	done()
	plans.Check(t, store.FileURL(w.Store.Path()), all, readsMore, needed...)
	return len(all)
}

// FullDisk sends every form that changes something while the disk is full. Whatever a form could not store, the answer says so with
// the cause and what to do, and nothing is changed. Every page can be read all the while. more are forms, by path, that are sent with
// other values than those that a page shows; must are the routes that have something to store; standIns are the tables that
// stand-ins of the test change past the disk. board gives the dashboard its board of troubles.
func FullDisk(t *testing.T, seed func(testing.TB) (w *Wing, board func(*trouble.Board), more map[string]url.Values), standIns, must []string) {
	effort.Long(t)
	Seed(t) // made with the usual driver; what follows works on a copy
	db.Driver = fullDriver
	t.Cleanup(func() { db.Driver = "sqlite" })
	w, board, more := seed(t)
	paths, forms := w.EveryPage(t), w.Forms(t)
	for path, values := range more {
		forms = append(forms, Form{Pattern: w.RouteOf(t, path), Path: path, Values: values, Fields: slices.Sorted(maps.Keys(values))})
	}
	for _, kept := range []string{"leads", "reasons", "forecasts", "find_counts"} { // what pages keep of what they work out
		w.Exec(t, "DELETE FROM "+kept)
	}
	fill(t)
	troubles := trouble.New(filepath.Dir(w.Store.Path()), w.Now, nil, nil)
	board(troubles)
	before := w.rows(t)
	for _, path := range paths {
		if got := w.Get(path); got.Code >= http.StatusInternalServerError {
			t.Errorf("%s cannot be read: %d %.300s", path, got.Code, Text(Tree(t, got).Find("main")))
		}
	}
	said, silent := map[string]bool{}, map[string]bool{}
	for _, f := range forms {
		if f.Pattern == "/settings/erase-all" || f.Pattern == "/logout" { // which goes on by itself; which needs no disk
			continue
		}
		sent := f.Filled()
		refused := disk.refused.Load()
		got := w.Post(f.Path, sent)
		main := Text(Tree(t, got).Find("main")) // without the banner, which each page has by now
		what := fmt.Sprintf("%s with %s: %d %.300s", f.Path, sent.Encode(), got.Code, main)
		says := got.Code == http.StatusInsufficientStorage && strings.Contains(main, "The disk is full") && strings.Contains(main, "Free some space")
		switch {
		case got.Code == http.StatusUnprocessableEntity && !strings.Contains(main, "disk is full"): // refused for what was typed
		case disk.refused.Load() == refused && got.Code >= http.StatusInternalServerError:
			t.Error(what)
		case disk.refused.Load() == refused:
			silent[f.Pattern] = true
		case !says:
			t.Errorf("nothing was stored, but %s", what)
		default:
			said[f.Pattern] = true
		}
	}
	for name, n := range w.rows(t) {
		if n != before[name] && !slices.Contains(standIns, name) {
			t.Errorf("%s: %s rows before, %s now", name, before[name], n)
		}
	}
	if all := troubles.Now(); len(all) != min(1, len(said)) || len(said) > 0 && all[0].Kind != trouble.Full {
		t.Errorf("the doctor and the other pages hear of %v", all)
	}
	maps.DeleteFunc(silent, func(pattern string, _ bool) bool { return said[pattern] })
	t.Logf("%d forms say that the disk is full; nothing was to be stored by %s", len(said), strings.Join(slices.Sorted(maps.Keys(silent)), " "))
	for _, pattern := range must {
		if !said[pattern] {
			t.Errorf("%s needed no room: the test lacks something", pattern)
		}
	}
}

// rows lists how many rows each table has.
func (s *Site) rows(t testing.TB) map[string]string {
	t.Helper()
	names, err := s.DB.Query(`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'`)
	if err != nil {
		t.Fatal(err)
	}
	defer names.Close()
	all := map[string]string{}
	for names.Next() {
		var name string
		if err := names.Scan(&name); err != nil {
			t.Fatal(err)
		}
		all[name] = ""
	}
	for name := range all {
		all[name] = fmt.Sprint(s.Count(t, `SELECT count(*) FROM "`+name+`"`))
	}
	return all
}
