package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/go-chi/chi/v5"
)

// filled is a form as a page shows it.
type filled struct {
	pattern string // of its route
	path    string
	values  url.Values // as they are sent when nothing is changed, the first button pressed
	fields  []string   // names of all fields and buttons
}

// forms are the forms of all pages that change something, one for each route and set of fields.
func (s *seeded) forms(t *testing.T) (all []filled) {
	t.Helper()
	return s.formsOf(t, s.everyPage(t))
}

// formsOf is forms for some pages.
func (s *seeded) formsOf(t *testing.T, paths []string) (all []filled) {
	t.Helper()
	for _, path := range paths {
		s.page(t, path).Find("form[method=post]").Each(func(_ int, f *goquery.Selection) {
			one := filled{path: f.AttrOr("action", path), values: url.Values{}}
			one.pattern = s.routeOf(t, one.path)
			owner := f
			if id := f.AttrOr("id", ""); id != "" { // fields may stand elsewhere
				owner = f.AddSelection(f.Closest("body").Find("[form=" + id + "]"))
			}
			owner.Find("[name]").AddSelection(owner.Filter("[form]")).Each(func(_ int, e *goquery.Selection) {
				name, value := e.AttrOr("name", ""), e.AttrOr("value", "")
				_, checked := e.Attr("checked")
				kind := e.AttrOr("type", goquery.NodeName(e))
				switch {
				case name == "":
					return
				case kind == "select":
					value = e.Find("option[selected], option").First().AttrOr("value", "")
				case kind == "textarea":
					value = e.Text()
				case (kind == "checkbox" || kind == "radio") && !checked, kind == "submit" && slices.Contains(one.fields, name):
					value = ""
				}
				if !slices.Contains(one.fields, name) {
					one.fields = append(one.fields, name)
				}
				if value != "" && !one.values.Has(name) {
					one.values.Set(name, value)
				}
			})
			slices.Sort(one.fields)
			if !slices.ContainsFunc(all, func(o filled) bool { return o.pattern == one.pattern && slices.Equal(o.fields, one.fields) }) {
				all = append(all, one)
			}
		})
	}
	return all
}

// routeOf is the pattern of the route that a form is sent to.
func (s *seeded) routeOf(t *testing.T, path string) string {
	t.Helper()
	c := chi.NewRouteContext()
	path, _, _ = strings.Cut(path, "?")
	if !s.own.Match(c, http.MethodPost, path) {
		t.Fatalf("a form leads to %s, which takes no form", path)
	}
	return c.RoutePattern()
}

// unseen are forms that no page shows with the data of this test, with a path and the fields that they have.
func (s *seeded) unseen(t *testing.T) []filled {
	topic, crawl := fmt.Sprintf("/topics/%d", s.topic), fmt.Sprintf("/crawls/%d", s.crawl)
	form := func(path string, fields ...string) filled {
		return filled{pattern: s.routeOf(t, path), path: path, fields: fields, values: url.Values{}}
	}
	return []filled{
		form("/finds/undo", "action", "back"), form(topic + "/strategy/undo"), form("/changes/1/undo"), form(topic+"/milestones/undo", "action", "back"),
		form(topic+"/milestones/rename", "name", "to"), form(topic+"/milestones/delete", "name"),
		form("/sessions/"+s.session+"/milestone", "url", "name"), form("/sessions/"+s.session+"/links", "url", "useful"), form(topic + "/train/stop"), form(topic + "/dissolve"),
		form("/topics/combine", "name", "member"), form("/teach/"+fmt.Sprint(s.topic)+"/answer", "fetch", "answer"), form("/teach/" + fmt.Sprint(s.topic) + "/undo"),
		form("/teach/" + fmt.Sprint(s.topic) + "/learn"), form(crawl + "/stop"), form(crawl + "/pause"), form(crawl + "/resume"), form(crawl + "/go-on"), form(topic + "/anew/undo"),
		form("/settings/pairing/open"), form("/settings/pairing/page", "shown"), form("/settings/copies/delete", "name"), form("/settings/sites/allow", "site"), form("/settings/restore/confirm", "do"), form("/settings/archive/prune"),
		form("/tonight/switch", "night", "back"), form("/notices/dismiss", "notice", "back"), form(topic+"/starts", "url"), form("/logout"), form("/login", "code"), form(topic+"/rename", "name"),
		form("/finds/seen", "ids", "next", "back"), form("/finds/changed", "ids"), form("/settings/browsers/revoke", "client"), form("/settings/pairing/approve", "digits"), form("/settings/pairing/refuse"),
		form(bookmarksPath, "links"), form("/bookmarks/stop"), form("/explore/wordnet/stop"), form("/communities/1/enough"), form("/communities/1/go"), form("/communities/1/topic"),
		form("/explore/ontologies/1/undo", "term", "view"), form("/explore/ontologies/1/redo", "term", "view"), form("/explore/ontologies/1/edit", "do", "term", "view", "parent"),
		form("/explore/sets/forget", "name"),
		form("/finds/export", "id", "format", "state", "topic", "q", "anyway"), form("/settings/tokens/1/revoke"), form("/settings/notices/test"),
		form("/settings/workers/file", "name", "file"),
	}
}

// holdsForm sends a form, looks at the answer, and returns where it leads, if to a page.
func (s *seeded) holdsForm(t *testing.T, path, field string, values url.Values) (to string) {
	t.Helper()
	what := fmt.Sprintf("%s with %s=%.60q", path, field, values.Get(field))
	w := s.post(path, values)
	if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		elements(t, what, w.Body.String())
	}
	if w.Code >= 500 {
		t.Errorf("%s: %d %s", what, w.Code, text(tree(t, w).Find("main")))
	}
	if to = w.Header().Get("Location"); to == "" {
		return ""
	}
	if u, err := url.Parse(to); err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\r\n\\") {
		t.Errorf("%s leads to %q", what, to)
		return ""
	}
	return to
}

// looksAt gets the page that a form leads to.
func (s *seeded) looksAt(t *testing.T, to string) {
	t.Helper()
	to, _, _ = strings.Cut(to, "#") // a browser keeps the fragment to itself
	next := s.get(to)
	if next.Code >= 500 {
		t.Errorf("%s: %d", to, next.Code)
	}
	elements(t, to, next.Body.String())
}
