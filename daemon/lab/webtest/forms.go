package webtest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/go-chi/chi/v5"
)

// Wing is a dashboard of which a test looks at the pages of one wing.
type Wing struct {
	*Site
	Begins []string            // beginnings of the patterns of the wing's routes
	Paths  map[string][]string // paths of pages, one or more for each pattern; none for files and streams
	Unseen map[string][]string // forms that no page of the test shows, by path: the names of their fields
}

// own reports whether a route is the wing's.
func (w *Wing) own(pattern string) bool {
	return slices.ContainsFunc(w.Begins, func(begin string) bool { return strings.HasPrefix(pattern, begin) })
}

// Patterns are the patterns of the wing's routes with a method.
func (w *Wing) Patterns(method string) (all []string) {
	for _, r := range w.Dashboard.Router().Routes() {
		if _, ok := r.Handlers[method]; ok && w.own(r.Pattern) {
			all = append(all, r.Pattern)
		}
	}
	return all
}

// EveryPage are the paths of all pages. A pattern without paths is an error of the test.
func (w *Wing) EveryPage(t testing.TB) (paths []string) {
	t.Helper()
	for _, pattern := range w.Patterns(http.MethodGet) {
		of, ok := w.Paths[pattern]
		if !ok {
			t.Errorf("%s is not looked at: add it to the paths of the test", pattern)
		}
		paths = append(paths, of...)
	}
	return paths
}

// Form is a form as a page shows it.
type Form struct {
	Pattern string // of its route
	Path    string
	Values  url.Values // as they are sent when nothing is changed, the first button pressed
	Fields  []string   // names of all fields and buttons
}

// Forms are the forms of all pages that change something, one for each route and set of fields, and those that no page shows.
func (w *Wing) Forms(t testing.TB) (all []Form) {
	t.Helper()
	for _, path := range w.EveryPage(t) {
		w.Page(t, path).Find("form[method=post]").Each(func(_ int, f *goquery.Selection) {
			one := Form{Path: f.AttrOr("action", path), Values: url.Values{}}
			one.Pattern = w.RouteOf(t, one.Path)
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
				case (kind == "checkbox" || kind == "radio") && !checked, kind == "submit" && slices.Contains(one.Fields, name):
					value = ""
				}
				if !slices.Contains(one.Fields, name) {
					one.Fields = append(one.Fields, name)
				}
				if value != "" && !one.Values.Has(name) {
					one.Values.Set(name, value)
				}
			})
			slices.Sort(one.Fields)
			if !slices.ContainsFunc(all, func(o Form) bool { return o.Pattern == one.Pattern && slices.Equal(o.Fields, one.Fields) }) {
				all = append(all, one)
			}
		})
	}
	return append(all, w.unseen(t)...)
}

// RouteOf is the pattern of the route that a form is sent to.
func (w *Wing) RouteOf(t testing.TB, path string) string {
	t.Helper()
	c := chi.NewRouteContext()
	path, _, _ = strings.Cut(path, "?")
	if !w.Dashboard.Router().Match(c, http.MethodPost, path) {
		t.Fatalf("a form leads to %s, which takes no form", path)
	}
	return c.RoutePattern()
}

// unseen are the forms that no page shows.
func (w *Wing) unseen(t testing.TB) (all []Form) {
	for _, path := range slices.Sorted(maps.Keys(w.Unseen)) {
		all = append(all, Form{Pattern: w.RouteOf(t, path), Path: path, Fields: w.Unseen[path], Values: url.Values{}})
	}
	return all
}
