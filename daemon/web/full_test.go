package web

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/db"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/store"
)

// TestFormsOnFullDisk sends every form that changes something while the disk is full. Whatever a form could not store, the
// answer says so with the cause and what to do, and nothing is changed. Every page can be read all the while.
func TestFormsOnFullDisk(t *testing.T) {
	effort.Long(t)
	seed(t) // made with the usual driver; what follows works on a copy
	db.Driver = fullDriver
	t.Cleanup(func() { db.Driver = "sqlite" })
	s := seed(t)
	find := fmt.Sprint(s.count(t, `SELECT max(id) FROM finds`))
	s.mustPost(t, "/finds/mark", url.Values{"id": {find}, "mark": {store.MarkLater}})
	if w := s.post("/settings/tokens", url.Values{"name": {"reader"}, "scope": {token.ScopeRead}}); w.Code != http.StatusOK {
		t.Fatalf("a token: %d", w.Code)
	}
	s.exec(t, `INSERT INTO refused (site, at) VALUES ('ice.test', 1)`)
	paths := s.everyPage(t)
	forms := append(s.formsOf(t, paths), s.unseen(t)...)
	for path, sent := range map[string]url.Values{
		"/finds/mark": {"id": {find}, "mark": {store.MarkUseful}}, "/finds/seen": {"ids": {find}},
		"/finds/undo": {"action": {fmt.Sprint(s.count(t, `SELECT max(id) FROM actions`))}}, "/notices/dismiss": {"notice": {"0123456789abcdef"}},
		"/sessions/edit": {"session": {s.session}, "do": {"move"}, "topic": {"Other"}}, "/settings/tokens/1/revoke": {}, "/settings/sites/allow": {"site": {"ice.test"}},
	} {
		forms = append(forms, form(s.routeOf(t, path), path, sent))
	}
	for _, kept := range []string{"leads", "reasons", "forecasts", "find_counts"} { // what pages keep of what they work out
		s.exec(t, "DELETE FROM "+kept)
	}
	fill(t)
	s.Troubles = trouble.New(s.DataDir, func() time.Time { return s.now }, nil, nil)
	before := s.rows(t)
	for _, path := range paths {
		if w := s.get(path); w.Code >= http.StatusInternalServerError {
			t.Errorf("%s cannot be read: %d %.300s", path, w.Code, text(tree(t, w).Find("main")))
		}
	}
	said, silent := map[string]bool{}, map[string]bool{}
	for _, f := range forms {
		if f.pattern == "/settings/erase-all" || f.pattern == "/logout" { // which goes on by itself; which needs no disk
			continue
		}
		sent := url.Values{}
		for _, name := range f.fields {
			sent.Set(name, values[name])
		}
		maps.Copy(sent, f.values)
		refused := disk.refused.Load()
		w := s.post(f.path, sent)
		main := text(tree(t, w).Find("main")) // without the banner, which each page has by now
		what := fmt.Sprintf("%s with %s: %d %.300s", f.path, sent.Encode(), w.Code, main)
		says := w.Code == http.StatusInsufficientStorage && strings.Contains(main, "The disk is full") && strings.Contains(main, "Free some space")
		switch {
		case w.Code == http.StatusUnprocessableEntity && !strings.Contains(main, "disk is full"): // refused for what was typed
		case disk.refused.Load() == refused && w.Code >= http.StatusInternalServerError:
			t.Error(what)
		case disk.refused.Load() == refused:
			silent[f.pattern] = true
		case !says:
			t.Errorf("nothing was stored, but %s", what)
		default:
			said[f.pattern] = true
		}
	}
	for name, n := range s.rows(t) {
		if name == "maps" || name == "documents" || name == "groupings" { // which the test's stand-ins change past the disk
			continue
		}
		if n != before[name] {
			t.Errorf("%s: %s rows before, %s now", name, before[name], n)
		}
	}
	if all := s.Troubles.Now(); len(all) != 1 || all[0].Kind != trouble.Full {
		t.Errorf("the doctor and the other pages hear of %v", all)
	}
	maps.DeleteFunc(silent, func(pattern string, _ bool) bool { return said[pattern] })
	t.Logf("%d forms say that the disk is full; nothing was to be stored by %s", len(said), strings.Join(slices.Sorted(maps.Keys(silent)), " "))
	for _, must := range []string{"/settings", "/tonight", "/finds/mark", "/finds/{id}/mark", "/finds/undo", "/finds/seen", "/sessions/{uuid}/name", "/sessions/edit",
		"/notices/dismiss", "/settings/sites/allow", "/settings/tokens", "/settings/tokens/{id}/revoke", "/topics/{topic}/starts"} {
		if !said[must] {
			t.Errorf("%s needed no room: the test lacks something", must)
		}
	}
}

// form is a form with values, as its page shows it.
func form(pattern, path string, values url.Values) filled {
	return filled{pattern: pattern, path: path, values: values, fields: slices.Sorted(maps.Keys(values))}
}

// rows lists how many rows each table has.
func (s *seeded) rows(t *testing.T) map[string]string {
	t.Helper()
	names, err := s.db.Query(`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'`)
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
		all[name] = fmt.Sprint(s.count(t, `SELECT count(*) FROM "`+name+`"`))
	}
	return all
}
