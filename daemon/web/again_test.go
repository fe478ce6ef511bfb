//go:build !race

package web

import (
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/go-chi/chi/v5"
)

// wrongForms are forms that are refused, by route: what is typed, the field that is wrong, and what is said about it. In
// paths and values, SESSION, TOPIC and COMBINED are of the seeded data.
var wrongForms = map[string]struct {
	page  string // that has the form
	typed url.Values
	field string
	says  string
}{
	"/bookmarks":                          {"/bookmarks", url.Values{"links": {"no <b> address"}}, "links", "no address of a web page"},
	"/sessions/edit":                      {"/sessions", url.Values{"do": {"move"}, "topic": {strings.Repeat("long ", 60)}, "session": {"SESSION"}}, "topic", "name"},
	"/sessions/{uuid}/name":               {"/sessions/SESSION", url.Values{"name": {strings.Repeat("long ", 60)}}, "name", "200"},
	"/sessions/{uuid}/topic":              {"/sessions/SESSION", url.Values{"topic": {strings.Repeat("long ", 60)}}, "topic", "name"},
	"/sessions/{uuid}/split":              {"/sessions/SESSION/edit", url.Values{"load": {"LOAD"}, "topic": {"Ice"}, "name": {strings.Repeat("long ", 60)}}, "name", "200"},
	"/sessions/{uuid}/milestone":          {"/sessions/SESSION?from=1&name=1", url.Values{"url": {"URL"}, "n": {"1"}, "name": {"goal"}}, "name", "Nightjar’s own"},
	"/topics/{topic}/milestones/rename":   {"/model/TOPIC", url.Values{"name": {"team"}, "to": {"T3"}}, "to", "Nightjar’s own"},
	"/topics/combine":                     {"/model", url.Values{"topic": {"TOPIC"}, "name": {"Ice & <i>snow</i>"}}, "topic", "at least two"},
	"/topics/{topic}/rename":              {"/topics/COMBINED/parts", url.Values{"name": {"Curling"}}, "name", "another name"},
	"/topics/{topic}/starts":              {"/sessions", url.Values{"url": {"ftp://example.org/\"x"}, "visited-asked": {"TOPIC"}}, "url", "should look like"},
	"/tonight":                            {"/tonight", url.Values{"topic": {"TOPIC"}, "visited-asked": {"TOPIC"}, "night": {"on"}, "night_start": {"22:00"}, "night_end": {"06:00"}, "pages": {"12"}}, "start-TOPIC", "tick at least one"},
	"/settings":                           {"/settings", url.Values{"pages": {"many"}}, "pages", "whole number"},
	"/settings/tokens":                    {"/settings", url.Values{"scope": {"feed"}, "topic": {"TOPIC"}, "name": {strings.Repeat("long ", 60)}}, "name", "80"},
	"/settings/notices":                   {"/settings", url.Values{"mail": {"on"}, "smtp_host": {"a b"}, "smtp_port": {"25"}, "smtp_tls": {"starttls"}, "smtp_from": {"a@example.org"}, "smtp_to": {"b@example.org"}}, "smtp_host", ""},
	"/settings/workers":                   {"/settings", url.Values{"workers_on": {"on"}, "workers_listen": {"any\"where"}, "workers_address": {"a.example"}, "workers_tls": {""}, "workers_broker": {""}, "workers_login": {""}, "workers_none": {"here"}}, "workers_listen", "ADDR:PORT"},
	"/settings/workers/invite":            {"/settings", url.Values{"name": {"<b> attic"}}, "name", "letters from a to z"},
	"/settings/erase-all":                 {"/settings", url.Values{"confirm": {"erase <everything"}}, "confirm", "nothing was erased"},
	"/communities":                        {"/communities", url.Values{"from": {"document"}, "titles": {"One"}, "search": {"searxng"}, "instance": {"gopher:\"x"}, "pages": {"900"}, "clusters": {"4"}, "when": {"night"}}, "instance", ""},
	"/communities/{map}/titles":           {"/communities/MAP", url.Values{"main": {"Tides <b>"}, "titles": {"One"}, "search": {"searxng"}, "instance": {"ftp://\"x"}, "do": {"go"}}, "instance", ""},
	"/communities/{map}/options":          {"/communities/MAP", url.Values{"pages": {"many"}, "clusters": {"4"}, "labels": {"words"}, "when": {"night"}}, "pages", "whole number"},
	"/explore/ontologies":                 {"/explore/ontologies", url.Values{"from": {"wordnet"}, "sense": {"pipe <b>"}, "depth": {"4"}}, "sense", "pipe"},
	"/explore/ontologies/{ontology}/name": {"/explore/ontologies/TREE", url.Values{"name": {strings.Repeat("long ", 60)}}, "name", "80"},
	"/explore/ontologies/{ontology}/edit": {"/explore/ontologies/TREE?term=wind", url.Values{"do": {"move"}, "term": {"wind"}, "view": {""}, "parent": {"no <i>such</i> term"}}, "parent", "no term is named"},
	"/explore/wordnet":                    {"/explore/wordnet", nil, "file", "choose a file"},
	"/explore":                            {"/explore", url.Values{"scope": {"all"}, "ontology": {"0"}, "words": {"many"}, "similarity": {"0.6"}, "docs": {"2"}, "method": {"cobweb"}, "count": {"sites"}}, "words", "whole number"},
	"/explore/sets":                       {"/explore/operators?q=%5B%5D", url.Values{"q": {"[]"}, "name": {strings.Repeat("long ", 60)}}, "name", "characters"},
	"/settings/restore":                   {"/settings", nil, "backup", "choose the file"},
}

// TestWrongForms sends wrong input to each route that takes text: the answer is the page with the form, what was typed,
// and the problem beside its field. The browser need not say where it was.
func TestWrongForms(t *testing.T) {
	s, ids := withTopics(t)
	combined, err := s.Store.Combine(t.Context(), "Ice", []int64{s.topic, idOf(t, ids[1])})
	if err != nil {
		t.Fatal(err)
	}
	s.withGroupings(t)
	waits := strconv.FormatInt(s.withMaps(t).making["titles waiting"], 10)
	onto := strconv.FormatInt(s.withOntology(t), 10)
	edit := s.page(t, "/sessions/"+s.session+"/edit")
	load := edit.Find("button[form=split]").First().AttrOr("value", "")
	address := s.page(t, "/sessions/"+s.session+"?from=1&name=1").Find("form[action$=milestone] [name=url]").AttrOr("value", "")
	s.mustPost(t, "/sessions/"+s.session+"/milestone", url.Values{"url": {address}, "n": {"1"}, "name": {"team"}})
	real := strings.NewReplacer("SESSION", s.session, "TOPIC", ids[0], "COMBINED", strconv.FormatInt(combined.ID, 10), "LOAD", load, "URL", address, "MAP", waits, "TREE", onto)
	path := strings.NewReplacer("{uuid}", s.session, "{topic}", ids[0], "{map}", waits, "{ontology}", onto)

	err = chi.Walk(s.Router(), func(method, pattern string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		wrong, known := wrongForms[pattern]
		if method != http.MethodPost || !known {
			return nil
		}
		action := path.Replace(pattern)
		if strings.Contains(wrong.page, "COMBINED") {
			action = strings.Replace(pattern, "{topic}", strconv.FormatInt(combined.ID, 10), 1)
		}
		typed := url.Values{}
		for name, values := range wrong.typed {
			for _, v := range values {
				typed.Add(name, real.Replace(v))
			}
		}
		for _, from := range []string{"", real.Replace(wrong.page), "/doctor", "/nowhere"} {
			s.holdAgain(t, action, from, typed, real.Replace(wrong.field), wrong.says)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func idOf(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// holdAgain sends a form that must be refused, from a page of the dashboard or from nowhere.
func (s *seeded) holdAgain(t *testing.T, action, from string, typed url.Values, field, says string) {
	t.Helper()
	body, kind := typed.Encode(), "application/x-www-form-urlencoded"
	if typed.Encode() == "" { // a form for a file, without one
		var parts strings.Builder
		if err := multipart.NewWriter(&parts).Close(); err != nil {
			t.Fatal(err)
		}
		body, kind = parts.String(), "multipart/form-data; boundary=x"
	}
	if from != "" {
		from = "http://" + s.host + from
	}
	w := s.ask(http.MethodPost, action, strings.NewReader(body), "Content-Type", kind, "Referer", from)
	if w.Code != http.StatusUnprocessableEntity {
		t.Errorf("POST %s: %d", action, w.Code)
		return
	}
	d := tree(t, w)
	wrong := d.Find("main [aria-invalid=true]")
	if wrong.First().AttrOr("name", "") != field {
		t.Errorf("POST %s from %q: the fields %q are wrong, want %q", action, from, names(wrong), field)
		return
	}
	wrong = wrong.First()
	id, _, _ := strings.Cut(wrong.AttrOr("aria-describedby", ""), " ")
	if got := text(d.Find("[id='" + id + "']")); id == "" || !strings.Contains(strings.ToLower(got), strings.ToLower(says)) {
		t.Errorf("POST %s: the field says %q, want %q", action, got, says)
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

// TestWrongFormsAreAll: each form of the dashboard that takes text, or a file, is among those that TestWrongForms sends.
func TestWrongFormsAreAll(t *testing.T) {
	s, ids := withTopics(t)
	combined, err := s.Store.Combine(t.Context(), "Ice", []int64{s.topic, idOf(t, ids[1])})
	if err != nil {
		t.Fatal(err)
	}
	address := s.page(t, "/sessions/"+s.session+"?from=1&name=1").Find("form[action$=milestone] [name=url]").AttrOr("value", "")
	s.mustPost(t, "/sessions/"+s.session+"/milestone", url.Values{"url": {address}, "n": {"1"}, "name": {"team"}})
	seen, maps := map[string]bool{}, s.withMaps(t)
	onto := s.withOntology(t)
	s.withGroupings(t)
	for _, pattern := range s.Pages() {
		if slices.Contains([]string{"/events", "/login"}, pattern) {
			continue // not a page
		}
		path := strings.Replace(concrete(pattern), "/sessions/0", "/sessions/"+s.session, 1)
		switch pattern {
		case "/communities/{map}":
			path = mapAt(maps.making["titles waiting"])
		case "/explore/ontologies/{ontology}":
			path = ontologyAt(onto)
		case "/explore/operators":
			path += "?q=%5B%5D&at="
		case "/topics/{topic}/parts":
			path = "/topics/" + strconv.FormatInt(combined.ID, 10) + "/parts"
		}
		w := s.get(path + "?from=1&name=1&host=linwood-university.test")
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			continue
		}
		d := tree(t, w)
		d.Find("form[method=post]").Each(func(_ int, form *goquery.Selection) {
			id := form.AttrOr("id", "none")
			asks := form.Find("textarea, input:not([type=hidden], [type=checkbox], [type=radio])").
				AddSelection(d.Find("[form='" + id + "']:is(textarea, input):not([type=hidden], [type=checkbox], [type=radio])"))
			action := form.AttrOr("action", "")
			at := chi.NewRouteContext()
			if asks.Length() == 0 || !s.Router().Match(at, http.MethodPost, action) {
				return
			}
			if _, known := wrongForms[at.RoutePattern()]; !known {
				t.Errorf("%s on %s takes text: add it to wrongForms", at.RoutePattern(), path)
			}
			seen[at.RoutePattern()] = true
		})
	}
	for pattern := range wrongForms {
		if !seen[pattern] {
			t.Errorf("no page has the form of %s", pattern)
		}
	}
}
