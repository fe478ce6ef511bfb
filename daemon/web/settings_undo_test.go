package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/app/wings"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/lab/webtest"
)

// undoButton is where the notice's Undo of the page at a path leads.
func (f *fixture) undoButton(t *testing.T, path string) string {
	t.Helper()
	action := f.Page(t, path).Find(".banner.done form").AttrOr("action", "")
	if action == "" {
		t.Fatalf("%s offers no undo", path)
	}
	return action
}

func TestSettingsUndo(t *testing.T) {
	f := newFixture(t)
	form := settingsValues(t, f)
	form.Set("delay", "7")
	form.Set("night_on", "on")
	form.Set("never", form.Get("never")+"\nbank.test")
	to := f.MustPost(t, "/settings", form)
	page := f.Page(t, to)
	if n := page.Find("details:has(#changes) .table tbody tr").Length(); n != 3 {
		t.Fatalf("%d changes are listed", n)
	}
	if !strings.Contains(webtest.Text(page.Find("details:has(#changes) .table")), "bank.test") {
		t.Error("the list does not say which host was added")
	}
	all := f.undoButton(t, to)
	f.MustPost(t, all, url.Values{"field": {"delay"}})
	if now, err := f.Store.Settings(t.Context()); err != nil || now.Delay != 2 || !now.Night.Enabled {
		t.Errorf("one undone: %+v, %v", now, err)
	}
	if w := f.Post(all, nil); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("all undone after one of them was: %d", w.Code)
	}
	for _, field := range []string{"night.enabled", "never_record"} {
		f.MustPost(t, all, url.Values{"field": {field}})
	}
	now, err := f.Store.Settings(t.Context())
	if err != nil || now.Night.Enabled || slices.Contains(now.NeverRecord, "bank.test") {
		t.Errorf("all undone: %+v, %v", now, err)
	}
	if w := f.Post(all, url.Values{"field": {"nothing"}}); w.Code != http.StatusNotFound {
		t.Errorf("a field that did not change: %d", w.Code)
	}
	if _, err := erasing.Host(t.Context(), f.Store, wings.Erasing, "bank.test"); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(webtest.Text(f.Page(t, "/settings").Find("details:has(#changes) .table")), "bank.test") {
		t.Error("the changes name a site that was erased")
	}
}
