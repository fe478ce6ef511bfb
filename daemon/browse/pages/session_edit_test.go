package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/chart"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/web/frame"
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

func (f *fixture) sessions(t *testing.T) []sessions.Session {
	t.Helper()
	all, err := sessions.List(t.Context(), f.Store.DB)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// splits lists the page loads at which the parts of a page offer to split a session, in order.
func (f *fixture) splits(t *testing.T, path string) (loads []string) {
	t.Helper()
	visits := 0
	hrefs := []string{path}
	f.Page(t, path).Find("#visits a:not([aria-current])").Each(func(_ int, a *goquery.Selection) {
		href := a.AttrOr("href", "")
		hrefs = append(hrefs, path+href[:strings.IndexByte(href, '#')])
	})
	for i, href := range hrefs {
		d := f.Page(t, href)
		rows := d.Find("tbody tr")
		if n := rows.Length(); n == 0 || n > frame.RowsShown || i < len(hrefs)-1 && n < frame.RowsShown {
			t.Errorf("%s shows %d visits", href, n)
		}
		if first := webtest.Text(rows.First().Find("td").First()); first != strconv.Itoa(visits+1) {
			t.Errorf("%s begins with visit %s, after %d", href, first, visits)
		}
		visits += rows.Length()
		d.Find("form#split, button[name=load][form=split]").Each(func(_ int, b *goquery.Selection) {
			if b.Is("button") {
				loads = append(loads, b.AttrOr("value", ""))
			}
		})
		if d.Find("form#split").Length() != 1 {
			t.Errorf("%s has no form to split with", href)
		}
	}
	if len(loads) != visits-1 || visits < 10 {
		t.Fatalf("%d places to split %d visits", len(loads), visits)
	}
	return loads
}

// A session of many visits is shown in parts; it can be split at a visit of any part, and deleting one leads back to its part.
func TestEditLongSession(t *testing.T) {
	s := seed(t)
	path := "/sessions/" + s.Session
	loads := s.splits(t, path+"/edit")
	if len(loads) <= frame.RowsShown {
		t.Fatalf("%d visits are no long session", len(loads)+1)
	}
	last := loads[len(loads)-1]
	to := s.MustPost(t, path+"/visits/delete", url.Values{"load": {last}})
	if want := fmt.Sprint("from=", len(loads)/frame.RowsShown*frame.RowsShown+1); !strings.Contains(to, want) || s.Page(t, to).Find(".banner.done").Length() != 1 {
		t.Errorf("after deleting a visit, %s; want %s", to, want)
	}
	s.MustPost(t, path+"/split", url.Values{"load": {loads[frame.RowsShown]}, "topic": {"The rest"}})
	if all := s.sessions(t); len(all) != 2 {
		t.Errorf("%d sessions after a split in the second part", len(all))
	}
}

func TestEditSession(t *testing.T) {
	s := seed(t)
	path := "/sessions/" + s.Session
	before := s.sessions(t)[0]

	to := s.MustPost(t, path+"/name", url.Values{"name": {"<b>My\n name</b>"}})
	page := s.Page(t, to)
	if got := webtest.Text(page.Find("h1")); got != "<b>My name</b>" {
		t.Errorf("the heading is %q", got)
	}
	s.MustPost(t, s.undoButton(t, to), nil)
	if one := s.sessions(t)[0]; one.Title != "" || one.Name() == one.Topic {
		t.Errorf("undone, the session is called %q %q", one.Title, one.Name())
	}

	splits := s.splits(t, path+"/edit")
	load := splits[len(splits)/2]
	to = s.MustPost(t, path+"/split", url.Values{"load": {load}, "topic": {"The rest"}, "name": {"Second"}})
	if len(s.Submitted) == 0 {
		t.Error("nothing is trained again")
	}
	parts := s.sessions(t)
	if len(parts) != 2 || parts[0].Title != "Second" || parts[0].Topic != "The rest" {
		t.Fatalf("%+v", parts)
	}
	s.Page(t, path)
	split := s.undoButton(t, to)
	to = s.MustPost(t, "/sessions/edit", url.Values{"do": {"merge"}, "session": {parts[0].UUID, parts[1].UUID}})
	if all := s.sessions(t); len(all) != 1 || all[0].Pages != before.Pages || all[0].Useful != before.Useful {
		t.Fatalf("merged: %+v; before %+v", all, before)
	}
	if w := s.Post(split, nil); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "undo the later change first") {
		t.Errorf("the split undone before the merge: %d", w.Code)
	}
	s.MustPost(t, s.undoButton(t, to), nil)
	s.MustPost(t, split, nil)
	if all := s.sessions(t); len(all) != 1 || !reflect.DeepEqual(all[0], before) {
		t.Errorf("undone: %+v; before %+v", all, before)
	}
	to = s.MustPost(t, "/sessions/edit", url.Values{"do": {"move"}, "topic": {"Elsewhere"}, "session": {s.Session}})
	if one := s.sessions(t)[0]; one.Topic != "Elsewhere" {
		t.Errorf("moved to %q", one.Topic)
	}
	s.MustPost(t, s.undoButton(t, to), nil)
	if _, err := topics.Create(t.Context(), s.Store.DB, "There"); err != nil {
		t.Fatal(err)
	}
	finds := s.Count(t, "SELECT count(*) FROM finds")
	to = s.MustPost(t, path+"/topic", url.Values{"topic": {"there"}})
	banner := s.Page(t, to).Find(".banner.done")
	if got := webtest.Text(banner); !strings.Contains(got, "no session left") || banner.Find("a[href$='/delete']").Length() != 1 {
		t.Errorf("the topic that is left: %s", got)
	}
	s.MustPost(t, s.undoButton(t, to), nil)
	if one := s.sessions(t)[0]; !reflect.DeepEqual(one, before) || s.Count(t, "SELECT count(*) FROM finds") != finds {
		t.Errorf("undone: %+v; before %+v", one, before)
	}
	for what, form := range map[string]url.Values{
		"nothing": {"do": {"merge"}}, "one session": {"do": {"merge"}, "session": {s.Session}},
		"no topic": {"do": {"move"}, "session": {s.Session}},
	} {
		if w := s.Post("/sessions/edit", form); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s was accepted: %d", what, w.Code)
		}
	}
	if w := s.Post(path+"/split", url.Values{"load": {"x"}}); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("split at nothing: %d", w.Code)
	}
	if w := s.Post(path+"/name", url.Values{"name": {strings.Repeat("x", 10_000)}}); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("a long name: %d", w.Code)
	}
}

func TestDeleteVisitsPage(t *testing.T) {
	s := seed(t)
	path := "/sessions/" + s.Session
	href := s.Page(t, path+"/edit").Find("tbody a[href*='visits/delete']").First().AttrOr("href", "")
	ask := s.Page(t, href)
	if !strings.Contains(webtest.Text(ask.Find("main")), "cannot be undone") {
		t.Error("the page does not say that it cannot be undone")
	}
	load := ask.Find("input[name=load]").AttrOr("value", "")
	before := s.Count(t, "SELECT count(*) FROM visits")
	to := s.MustPost(t, path+"/visits/delete", url.Values{"load": {load}})
	if after := s.Count(t, "SELECT count(*) FROM visits"); after >= before {
		t.Errorf("%d visits, before %d", after, before)
	}
	if s.Page(t, to).Find(".banner.done form").Length() != 0 {
		t.Error("the page offers to undo it")
	}
	if !slices.Contains(s.Submitted, s.Topic) {
		t.Errorf("trained again: %v", s.Submitted)
	}
	if w := s.Post(path+"/visits/delete", url.Values{"load": {load}}); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("deleted twice: %d", w.Code)
	}
}

func TestDeleteTopicPage(t *testing.T) {
	s := seed(t)
	href := s.Page(t, "/sessions").Find("#topics + ul a").First().AttrOr("href", "")
	if quick := s.Page(t, href); quick.Find("#plan[data-load] a").AttrOr("href", "") != href+"?count=1" || quick.Find("form button.danger").Length() != 1 {
		t.Error("the page that does not count offers no way to count, or none to delete")
	}
	ask := webtest.Text(s.Page(t, href+"?count=1").Find("main"))
	plan, err := sessions.PlanDeletion(t.Context(), s.Store.DB, s.Topic)
	if err != nil || plan.Sessions != 1 || plan.Models == 0 || plan.Crawls == 0 || plan.Finds == 0 || plan.Bytes < 10_000 || plan.Pages == 0 {
		t.Fatalf("%+v, %v", plan, err)
	}
	for _, word := range []string{"1 session", chart.Plural(plan.Finds, "find", "finds"), chart.Plural(plan.Pages, "page", "pages"), webtest.Loosened(frame.Bytes(plan.Bytes)), "cannot be undone"} {
		if !strings.Contains(ask, word) {
			t.Errorf("the preview does not say %q: %s", word, ask)
		}
	}
	s.MustPost(t, href, nil)
	if !slices.Contains(s.Canceled, s.Topic) {
		t.Error("the training was not cancelled")
	}
	for _, table := range []string{"topics", "sessions", "events", "visits", "pages", "contents", "models", "crawls", "fetches", "finds", "starts", "frontier", "reasons", "search_entries"} {
		if n := s.Count(t, "SELECT count(*) FROM "+table); n != 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
	if w := s.Post(href, nil); w.Code != http.StatusNotFound {
		t.Errorf("deleted twice: %d", w.Code)
	}
}
