package pages

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/safekeeping"
	"nightjar/daemon/lab/webtest"
)

// TestErasingPage: what is being erased shows how far it is and why it waits, and is asked for again; the last one says what was
// counted, without the name of the site.
func TestErasingPage(t *testing.T) {
	f := newFixture(t)
	if got := webtest.Text(f.Page(t, "/settings/erasing").Find("#erasing")); !strings.Contains(got, "No site was erased") {
		t.Errorf("before: %s", got)
	}
	e, err := erasing.Begin(t.Context(), f.Store.DB, "museum.test")
	if err != nil {
		t.Fatal(err)
	}
	e.Step, e.Counts, e.Problem = erasing.StepContents, erasing.Counts{Total: 300, Looked: 100}, "the disk is <full>"
	if err := erasing.Put(t.Context(), f.Store.DB, e); err != nil {
		t.Fatal(err)
	}
	d := f.Page(t, "/settings/erasing")
	got := webtest.Text(d.Find("#erasing"))
	for _, want := range []string{"Erasing museum.test", "100 of 300 stored pages", "the disk is <full>", "goes on after a restart"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q: %s", want, got)
		}
	}
	if d.Find("#erasing[data-load][data-again] progress").Length() != 1 {
		t.Error("the page does not ask again")
	}
	e.Host, e.Step, e.Ended, e.Problem = "", erasing.StepDone, f.Clock, ""
	e.Counts = erasing.Counts{Looked: 300, Changed: 1, Records: 2, Rewritten: 3, Topics: []int64{1}, Mentions: 4}
	if err := erasing.Put(t.Context(), f.Store.DB, e); err != nil {
		t.Fatal(err)
	}
	d = f.Page(t, "/settings/erasing")
	got = webtest.Text(d.Find("#erasing"))
	for _, want := range []string{"nothing was left", "300 stored pages looked through; 1 linked to it", "2 records deleted", "4 pages of other sites have its bare name"} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q: %s", want, got)
		}
	}
	if strings.Contains(got, "museum") || d.Find("#erasing[data-load]").Length() != 0 {
		t.Errorf("the report names the site, or asks again: %s", got)
	}
	e.Counts.Left = 1
	if err := erasing.Put(t.Context(), f.Store.DB, e); err != nil {
		t.Fatal(err)
	}
	if got := webtest.Text(f.Page(t, "/settings/erasing").Find("#erasing")); strings.Contains(got, "nothing was left") || !strings.Contains(got, "1 value of the database names it") {
		t.Errorf("with something left: %s", got)
	}
}

// TestDeleteCopy: copies that still have an erased site are listed, and deleted one by one; nothing else can be.
func TestDeleteCopy(t *testing.T) {
	f := newFixture(t)
	dir := safekeeping.Folder(f.Dir())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	names := []string{filepath.Join(dir, "nightjar-2026-11-20-010203.nightjar.zip"), filepath.Join(f.Dir(), "nightjar.db.before-0019")}
	for _, name := range names {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"/settings/erasing", "/settings/erase?host=ice.test"} {
		if n := f.Page(t, path).Find(`form[action="/settings/copies/delete"]`).Length(); n != len(names) {
			t.Errorf("%s lists %d copies", path, n)
		}
	}
	for _, bad := range []string{"", "../nightjar.db", "nightjar.db", "nightjar.db.before-0019/.."} {
		if code := f.Post("/settings/copies/delete", url.Values{"name": {bad}}).Code; code != http.StatusUnprocessableEntity {
			t.Errorf("deleting %q: %d", bad, code)
		}
	}
	f.MustPost(t, "/settings/copies/delete", url.Values{"name": {filepath.Base(names[0])}})
	if _, err := os.Stat(names[0]); !os.IsNotExist(err) {
		t.Errorf("the copy is still there: %v", err)
	}
	f.MustPost(t, "/settings/erase-all", url.Values{"confirm": {eraseAllWord}})
	if all, err := safekeeping.List(f.Dir()); err != nil || len(all) != 0 {
		t.Errorf("after all was erased: %v, %v", all, err)
	}
}
