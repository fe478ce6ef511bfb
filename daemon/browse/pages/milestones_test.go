package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainingdata"
)

// visited lists the addresses of pages of the seeded session.
func (s *fixture) visited(t *testing.T) []string {
	t.Helper()
	var urls []string
	s.Page(t, "/sessions/"+s.Session).Find(`[aria-label=Pages] tbody th a`).Each(func(_ int, a *goquery.Selection) {
		urls = append(urls, a.AttrOr("href", ""))
	})
	if len(urls) < 4 {
		t.Fatalf("only %d pages can be named", len(urls))
	}
	return urls
}

func TestMilestonesOfASession(t *testing.T) {
	s := seed(t)
	path := "/sessions/" + s.Session
	urls := s.visited(t)
	where := s.MustPost(t, path+"/milestone", url.Values{"url": {urls[1]}, "n": {"2"}, "name": {" Team  page "}})
	if where != path+"?done=milestone-named&from=2#page-2" {
		t.Errorf("led to %s", where)
	}
	d := s.Page(t, path+"?done=milestone-named&name=2")
	row := d.Find("#page-2")
	if got := webtest.Text(s.Page(t, path).Find("#page-2 .name-it bdi")); got != "Team page" || row.Find(`input[name=name]`).AttrOr("value", "") != "Team page" {
		t.Errorf("the page's milestone is %q", got)
	}
	if d.Find(`#milestone-names option[value="Team page"]`).Length() != 1 || d.Find(`[list=milestone-names]`).Length() != 1 {
		t.Error("the name is not offered for the other pages")
	}
	if words := webtest.Text(d.Find("form.undo")); !strings.Contains(words, "called ") || !strings.Contains(words, "“Team page”") {
		t.Errorf("undo says %q", words)
	}
	if got := webtest.Text(d.Find(".banner.done")); got != "The page is now a milestone." {
		t.Errorf("notice %q", got)
	}
	s.MustPost(t, path+"/milestone", url.Values{"url": {urls[1]}, "n": {"2"}, "name": {"Team page"}, "remove": {"1"}})
	if row := s.Page(t, path+"?name=2").Find("#page-2"); webtest.Text(s.Page(t, path).Find("#page-2 .name-it bdi")) != "" || row.Find("button[name=remove]").Length() != 0 {
		t.Error("the milestone was not removed")
	}
	form := s.Page(t, path).Find("form.undo")
	undo := url.Values{}
	form.Find("input").Each(func(_ int, in *goquery.Selection) { undo.Set(in.AttrOr("name", ""), in.AttrOr("value", "")) })
	if where := s.MustPost(t, form.AttrOr("action", ""), undo); where != path+"?done=milestone-undone" {
		t.Errorf("undo led to %s", where)
	}
	if got := webtest.Text(s.Page(t, path).Find("#page-2 .name-it bdi")); got != "Team page" {
		t.Errorf("after undo the milestone is %q", got)
	}
	if w := s.Post(form.AttrOr("action", ""), undo); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "look at the milestones again") {
		t.Errorf("undone twice: %d", w.Code)
	}
}

func TestMilestonesOfATopic(t *testing.T) {
	s := seed(t)
	model, base := fmt.Sprintf("/model/%d", s.Topic), fmt.Sprintf("/topics/%d/milestones", s.Topic)
	if words := webtest.Text(s.Page(t, model).Find("#milestones")); !strings.Contains(words, "A milestone is a name") {
		t.Errorf("without milestones the page says %q", words)
	}
	urls := s.visited(t)
	for i, name := range []string{"team", "Roster", "team", "zoo"} {
		if err := topics.NamePage(t.Context(), s.Store.DB, s.Topic, urls[i], name); err != nil {
			t.Fatal(err)
		}
	}
	names := func() string {
		var all []string
		s.Page(t, model).Find("#milestones li > div").Each(func(_ int, li *goquery.Selection) { all = append(all, webtest.Text(li)) })
		return strings.Join(all, ", ")
	}
	if got := names(); got != "Roster 1 page, team 2 pages, zoo 1 page" {
		t.Errorf("names %q", got)
	}
	if words := webtest.Text(s.Page(t, model).Find("#milestones")); !strings.Contains(words, "trained before the last change") {
		t.Errorf("the model is stale, and the page says %q", words)
	}
	for _, c := range []struct {
		path   string
		form   url.Values
		notice string
		names  string
	}{
		{"/rename", url.Values{"name": {"zoo"}, "to": {"Zoo "}}, "milestone-renamed", "Roster 1 page, team 2 pages, Zoo 1 page"},
		{"/rename", url.Values{"name": {"Zoo"}, "to": {"TEAM"}}, "milestone-merged", "Roster 1 page, team 3 pages"},
		{"/delete", url.Values{"name": {"team"}, "to": {"x"}}, "milestone-deleted", "Roster 1 page"},
	} {
		if where := s.MustPost(t, base+c.path, c.form); where != model+"?done="+c.notice+"#milestones" {
			t.Errorf("%s %v led to %s", c.path, c.form, where)
		}
		if webtest.Text(s.Page(t, model+"?done="+c.notice).Find(".banner.done")) == "" {
			t.Errorf("no words for %s", c.notice)
		}
		if got := names(); got != c.names {
			t.Errorf("after %s %v: names %q, want %q", c.path, c.form, got, c.names)
		}
	}
	for _, want := range []string{"Roster 1 page, team 3 pages", "Roster 1 page, team 2 pages, Zoo 1 page"} {
		action := s.Page(t, model).Find("form.undo input[name=action]").AttrOr("value", "")
		if where := s.MustPost(t, base+"/undo", url.Values{"action": {action}}); where != model+"?done=milestone-undone#milestones" {
			t.Errorf("undo led to %s", where)
		}
		if got := names(); got != want {
			t.Errorf("after undo: %q, want %q", got, want)
		}
	}
	m, err := models.Save(t.Context(), s.Store.DB, s.Store.Erasures(), s.Topic, s.Bundle, models.Facts{Milestones: mustKnow(t, s)})
	if err != nil || m.Version != 2 {
		t.Fatal(m, err)
	}
	if words := webtest.Text(s.Page(t, model).Find("#milestones")); strings.Contains(words, "trained before") {
		t.Error("a model that knows the names is shown as stale")
	}
}

func mustKnow(t *testing.T, s *fixture) string {
	t.Helper()
	known, err := trainingdata.KnownOf(t.Context(), s.Store.DB, s.Topic)
	if err != nil || known.Milestones == "" {
		t.Fatalf("%+v, %v", known, err)
	}
	return known.Milestones
}

func TestMilestonesRefusedInWords(t *testing.T) {
	s := seed(t)
	urls := s.visited(t)
	one, base := "/sessions/"+s.Session+"/milestone", fmt.Sprintf("/topics/%d/milestones", s.Topic)
	if err := topics.NamePage(t.Context(), s.Store.DB, s.Topic, urls[0], "team"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		form url.Values
		code int
		says string
	}{
		{one, url.Values{"url": {urls[0]}, "name": {""}}, 422, "Type a name"},
		{one, url.Values{"url": {urls[0]}, "name": {" \t"}}, 422, "Type a name"},
		{one, url.Values{"url": {urls[0]}, "name": {"goal"}}, 422, "one of Nightjar’s own"},
		{one, url.Values{"url": {urls[0]}, "name": {strings.Repeat("x", 101)}}, 422, "at most 100 characters"},
		{one, url.Values{"url": {"http://never.test/"}, "name": {"x"}}, 404, "does not exist"},
		{"/sessions/none/milestone", url.Values{"url": {urls[0]}, "name": {"x"}}, 404, "does not exist"},
		{base + "/rename", url.Values{"name": {"team"}, "to": {"T3"}}, 422, "one of Nightjar’s own"},
		{base + "/rename", url.Values{"name": {"team"}, "to": {"team"}}, 422, "has this name already"},
		{base + "/rename", url.Values{"name": {"gone"}, "to": {"x"}}, 422, "renamed or deleted"},
		{base + "/delete", url.Values{"name": {"gone"}}, 422, "renamed or deleted"},
		{base + "/undo", url.Values{"action": {"x"}}, 422, "look at the milestones again"},
		{"/topics/999/milestones/delete", url.Values{"name": {"team"}}, 404, "does not exist"},
	} {
		if w := s.Post(c.path, c.form); w.Code != c.code || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s %v: %d, want %d and words that say %q", c.path, c.form, w.Code, c.code, c.says)
		}
	}
	for _, path := range []string{one, base + "/rename", base + "/delete", base + "/undo"} { // another site's form
		form := url.Values{"url": {urls[0]}, "name": {"team"}, "to": {"x"}}
		if w := s.Post(path, form, "Origin", "http://evil.test"); w.Code != http.StatusForbidden {
			t.Errorf("%s from another site: %d", path, w.Code)
		}
	}
	if n := s.Count(t, `SELECT count(*) FROM milestones`); n != 1 {
		t.Errorf("%d actions are stored, want 1", n)
	}
}
