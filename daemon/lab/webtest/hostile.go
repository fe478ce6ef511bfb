package webtest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"nightjar/daemon/lab/effort"
	"nightjar/daemon/lab/hostile"
)

// HostileForms sends each form of each page with hostile texts in each field in turn, the others as the page has them: the
// answer is a refusal or leads to a page of ours, no page gets markup from it, and nothing fails. For each change a field gets
// the first text and another one; at night, all. Each POST route of the wing has a form here. seed makes the dashboard, for each
// form anew, since what one deletes, the next one needs.
func HostileForms(t *testing.T, seed func(testing.TB) *Wing) {
	w := seed(t)
	missing := map[string]bool{}
	for _, pattern := range w.Patterns(http.MethodPost) {
		missing[pattern] = true
	}
	texts := hostile.Joined(t, 24)
	for at, f := range w.Forms(t) {
		delete(missing, f.Pattern)
		t.Run(f.Pattern, func(t *testing.T) {
			t.Parallel()
			on := seed(t)
			for n, field := range f.Fields {
				for i, evil := range texts {
					if i > 0 && i != 1+(at+n)%(len(texts)-1) && !effort.Nightly() {
						continue
					}
					values := maps.Clone(f.Values)
					values[field] = []string{evil}
					to := on.holdsForm(t, f.Path, field, values)
					if to != "" && i == 0 {
						on.looksAt(t, to)
					}
				}
			}
		})
	}
	if len(missing) > 0 {
		t.Errorf("no form is sent to %v: show one on a page of this test, or name it in Unseen", slices.Sorted(maps.Keys(missing)))
	}
}

// holdsForm sends a form, looks at the answer, and returns where it leads, if to a page.
func (w *Wing) holdsForm(t *testing.T, path, field string, values url.Values) (to string) {
	t.Helper()
	what := fmt.Sprintf("%s with %s=%.60q", path, field, values.Get(field))
	got := w.Post(path, values)
	if strings.HasPrefix(got.Header().Get("Content-Type"), "text/html") {
		Elements(t, what, got.Body.String())
	}
	if got.Code >= 500 {
		t.Errorf("%s: %d %s", what, got.Code, Text(Tree(t, got).Find("main")))
	}
	if to = got.Header().Get("Location"); to == "" {
		return ""
	}
	if u, err := url.Parse(to); err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\r\n\\") {
		t.Errorf("%s leads to %q", what, to)
		return ""
	}
	return to
}

// looksAt gets the page that a form leads to.
func (w *Wing) looksAt(t *testing.T, to string) {
	t.Helper()
	to, _, _ = strings.Cut(to, "#") // a browser keeps the fragment to itself
	next := w.Get(to)
	if next.Code >= 500 {
		t.Errorf("%s: %d", to, next.Code)
	}
	Elements(t, to, next.Body.String())
}

// NothingIsMarkup shows pages full of hostile texts: they must have exactly the elements that they have with plain ones. spoil
// writes a text into every place that a stranger can fill.
func NothingIsMarkup(t *testing.T, w *Wing, spoil func(text string)) {
	paths := w.EveryPage(t)
	show := func(text string) map[string][]string {
		spoil(text)
		all := map[string][]string{}
		for _, path := range paths {
			got := w.Get(path)
			if got.Code != http.StatusOK {
				t.Fatalf("%s with %q: %d", path, text, got.Code)
			}
			all[path] = slices.DeleteFunc(Elements(t, path, got.Body.String()), func(e string) bool { return e == "mark" || strings.HasPrefix(e, "tspan") }) // words of the text
		}
		return all
	}
	plain := show("plain")
	for _, evil := range hostile.Joined(t, 20) {
		for path, got := range show(evil) {
			if want := plain[path]; !slices.Equal(got, want) {
				t.Errorf("%s with %.60q has other elements than with plain text: %d, not %d", path, evil, len(got), len(want))
			}
		}
	}
}

// Elements lists a page's elements in order with the names of their attributes, and complains of what must never be
// there.
func Elements(t testing.TB, where, page string) []string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		name := n.Data
		for _, a := range n.Attr {
			name += " " + a.Key
			value := strings.ToLower(strings.TrimSpace(a.Val))
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.HasPrefix(value, "javascript:") && (a.Key == "href" || a.Key == "action" || a.Key == "src") {
				t.Errorf("%s: <%s %s=%q>", where, n.Data, a.Key, a.Val)
			}
		}
		if (n.Data == "script" || n.Data == "style") && n.FirstChild != nil {
			t.Errorf("%s: inline %s", where, n.Data)
		}
		all = append(all, name)
	}
	return all
}
