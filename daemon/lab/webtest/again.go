package webtest

import (
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/go-chi/chi/v5"
)

// WrongForm is a form that is refused.
type WrongForm struct {
	action, page string
	typed        url.Values
	field, says  string
}

// Wrong is a form of a page, sent to an address: what is typed, the field that is wrong, and what is said about it.
func Wrong(action, page string, typed url.Values, field, says string) WrongForm {
	return WrongForm{action, page, typed, field, says}
}

// WrongForms sends wrong input to each route of the wing that takes text, by pattern: the answer is the page with the form, what was
// typed, and the problem beside its field. The browser need not say where it was. Each form that takes text, or a file, must be there;
// the pages of the forms are looked at with the query.
func WrongForms(t *testing.T, w *Wing, query string, wrong map[string]WrongForm) {
	w.namesAll(t, query, wrong)
	for _, one := range wrong {
		for _, from := range []string{"", one.page, "/doctor", "/nowhere"} {
			w.holdAgain(t, from, one)
		}
	}
}

// holdAgain sends a form that must be refused, from a page of the dashboard or from nowhere.
func (w *Wing) holdAgain(t *testing.T, from string, wrongly WrongForm) {
	t.Helper()
	action, typed, field, says := wrongly.action, wrongly.typed, wrongly.field, wrongly.says
	body, kind := typed.Encode(), "application/x-www-form-urlencoded"
	if typed.Encode() == "" { // a form for a file, without one
		var parts strings.Builder
		if err := multipart.NewWriter(&parts).Close(); err != nil {
			t.Fatal(err)
		}
		body, kind = parts.String(), "multipart/form-data; boundary=x"
	}
	if from != "" {
		from = "http://" + w.Host + from
	}
	got := w.Ask(http.MethodPost, action, strings.NewReader(body), "Content-Type", kind, "Referer", from)
	if got.Code != http.StatusUnprocessableEntity {
		t.Errorf("POST %s: %d", action, got.Code)
		return
	}
	d := Tree(t, got)
	wrong := d.Find("main [aria-invalid=true]")
	if wrong.First().AttrOr("name", "") != field {
		t.Errorf("POST %s from %q: the fields %q are wrong, want %q", action, from, names(wrong), field)
		return
	}
	wrong = wrong.First()
	id, _, _ := strings.Cut(wrong.AttrOr("aria-describedby", ""), " ")
	if told := Text(d.Find("[id='" + id + "']")); id == "" || !strings.Contains(strings.ToLower(told), strings.ToLower(says)) {
		t.Errorf("POST %s: the field says %q, want %q", action, told, says)
	}
	form := wrong.Closest("form")
	if id := wrong.AttrOr("form", ""); id != "" {
		form = d.Find("#" + id)
	}
	if form.AttrOr("action", "") != action {
		t.Errorf("POST %s: the field is in the form of %s", action, form.AttrOr("action", "nothing"))
	}
	for name, values := range typed {
		form.Find("input[name='" + name + "']:not([type=hidden])").Each(func(_ int, one *goquery.Selection) {
			value := one.AttrOr("value", "")
			if kind := one.AttrOr("type", ""); kind == "checkbox" || kind == "radio" {
				if _, on := one.Attr("checked"); on != slices.Contains(values, one.AttrOr("value", "on")) {
					t.Errorf("POST %s: the box %s=%s is lost", action, name, value)
				}
			} else if strings.TrimSpace(value) != strings.TrimSpace(strings.ReplaceAll(values[0], "\x00", "\uFFFD")) {
				t.Errorf("POST %s: the field %s is %q, not %q", action, name, value, values[0])
			}
		})
	}
	if d.Find(".banner.bad[role=alert]").Length() != 1 || d.Find("nav[aria-label=Main]").Length() != 1 {
		t.Errorf("POST %s: no whole page with the problem at its top", action)
	}
}

func names(s *goquery.Selection) (all []string) {
	s.Each(func(_ int, one *goquery.Selection) { all = append(all, one.AttrOr("name", "")) })
	return all
}

// namesAll fails for each form on the wing's pages that takes text, or a file, and is not among the wrong forms.
func (w *Wing) namesAll(t *testing.T, query string, wrong map[string]WrongForm) {
	t.Helper()
	seen := map[string]bool{}
	for _, path := range w.EveryPage(t) {
		mark := "?"
		if strings.Contains(path, "?") {
			mark = "&"
		}
		got := w.Get(path + mark + query)
		if got.Code != http.StatusOK || !strings.HasPrefix(got.Header().Get("Content-Type"), "text/html") {
			continue
		}
		d := Tree(t, got)
		d.Find("form[method=post]").Each(func(_ int, form *goquery.Selection) {
			id := form.AttrOr("id", "none")
			asks := form.Find("textarea, input:not([type=hidden], [type=checkbox], [type=radio])").
				AddSelection(d.Find("[form='" + id + "']:is(textarea, input):not([type=hidden], [type=checkbox], [type=radio])"))
			action := form.AttrOr("action", "")
			at := chi.NewRouteContext()
			if asks.Length() == 0 || !w.Dashboard.Router().Match(at, http.MethodPost, action) {
				return
			}
			if _, known := wrong[at.RoutePattern()]; !known {
				t.Errorf("%s on %s takes text: add it to the wrong forms of the test", at.RoutePattern(), path)
			}
			seen[at.RoutePattern()] = true
		})
	}
	for pattern := range wrong {
		if !seen[pattern] {
			t.Errorf("no page has the form of %s", pattern)
		}
	}
}
