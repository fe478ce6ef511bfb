package web

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/go-chi/chi/v5"
)

// When a form is refused, the person gets the page that it was on again: with the problem beside the field, and with what
// was typed. The page is made as for GET, then the form in it is filled in (refill.go), so that no handler and no template
// has to know how.

// problems say what is wrong, by the name of the field. A text without a field is about the form's only field for text, or about
// the form as a whole.
type problems map[string]string

// Error is all texts.
func (p problems) Error() string {
	var all []string
	for _, field := range slices.Sorted(maps.Keys(p)) {
		all = append(all, p[field])
	}
	return strings.Join(all, " ")
}

// at names the field that an error in the person's input is about. Other errors, and nil, stay what they are.
func at(field string, err error) error {
	if text, ok := mistakeIn(err); ok {
		return problems{field: sentence(text)}
	}
	return err
}

// problemsIn are those that an error tells the person, nil for another error.
func problemsIn(err error) (all problems) {
	errors.As(at("", err), &all)
	return all
}

// homes are the pages that have the forms of routes which do not begin with the path of their page. {name} is the value of
// the path, or of the form. The browser also says on which page it is (Referer), but not after a form was refused.
var homes = map[string]string{
	"/bookmarks/start":                  "/bookmarks?folder={folder}",
	"/sessions/{uuid}/milestone":        "/sessions/{uuid}?from={n}&name={n}",
	"/sessions/{uuid}/split":            "/sessions/{uuid}/edit",
	"/sessions/{uuid}/visits/delete":    "/sessions/{uuid}/edit",
	"/settings/erase":                   "/settings",
	"/settings/copies/delete":           "/settings/erasing",
	"/topics/{topic}/milestones/rename": "/model/{topic}",
	"/topics/{topic}/milestones/delete": "/model/{topic}",
	"/topics/{topic}/milestones/undo":   "/model/{topic}",
	"/topics/{topic}/train":             "/model/{topic}",
	"/topics/{topic}/train/stop":        "/model/{topic}",
	"/topics/{topic}/rename":            "/topics/{topic}/parts",
	"/topics/{topic}/dissolve":          "/topics/{topic}/parts",
	"/topics/{topic}/run":               "/crawls",
	"/workers/{name}/pause":             "/crawls",
	"/workers/{name}/go-on":             "/crawls",
	"/workers/{name}/drain":             "/crawls",
	"/settings/workers/invite":          "/settings",
	"/settings/workers/file":            "/settings",
	"/topics/{topic}/starts":            "/sessions",
	"/topics/combine":                   "/model",
	"/explore/sets":                     "/explore/operators?q={q}",
	"/explore/sets/forget":              "/explore/operators",
	"/changes/{id}/undo":                "/sessions",

	"/explore/ontologies/{ontology}/edit": "/explore/ontologies/{ontology}?term={term}",
	"/explore/ontologies/{ontology}/undo": "/explore/ontologies/{ontology}?term={term}",
	"/explore/ontologies/{ontology}/redo": "/explore/ontologies/{ontology}?term={term}",
}

// home is where the form of a request is.
func home(r *http.Request) string {
	at := chi.RouteContext(r.Context())
	path, known := homes[at.RoutePattern()]
	if !known {
		return r.URL.Path
	}
	for strings.Contains(path, "{") {
		before, rest, _ := strings.Cut(path, "{")
		name, after, _ := strings.Cut(rest, "}")
		value := at.URLParam(name)
		if value == "" {
			value = r.PostForm.Get(name)
		}
		path = before + url.QueryEscape(value) + after
	}
	return path
}

// places are the addresses at which the form of a request may be: where the browser was, the home of the form, and what
// its path begins with.
func (s *Server) places(r *http.Request) []string {
	var all []string
	if from, err := url.Parse(r.Referer()); err == nil && from.Host == s.host {
		all = append(all, from.RequestURI())
	}
	path := home(r)
	all = append(all, path)
	for path, _, _ = strings.Cut(path, "?"); len(path) > 1; {
		path = path[:max(1, strings.LastIndexByte(path, '/'))]
		all = append(all, path)
	}
	return all
}

// insideKey marks the request for the page of a refused form.
type insideKey struct{}

// again shows a refused form again on its page. It returns false if there is no such page.
func (s *Server) again(w http.ResponseWriter, r *http.Request, err error) bool {
	wrong := problemsIn(err)
	if wrong == nil || r.Context().Value(insideKey{}) != nil {
		return false
	}
	refused := refusal{Action: r.URL.Path, Typed: r.PostForm, Wrong: maps.Clone(wrong), Text: wrong.Error(),
		banner: r.Header.Get("X-Fragment") != ""}
	if r.Method == http.MethodGet {
		refused.Typed = r.URL.Query()
	}
	var page *goquery.Document // the first page found, for forms that are on no page
	var place string
	for _, path := range s.places(r) {
		found := s.inside(r, path)
		if found == nil {
			continue
		}
		if refused.fill(found) {
			page, place = found, path
			break
		}
		if page == nil {
			page, place = found, path
		}
	}
	if page == nil {
		return false
	}
	refused.tell(page, place)
	var out bytes.Buffer
	if err := goquery.Render(&out, page.Selection); err != nil {
		return false
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusUnprocessableEntity)
	_, _ = w.Write(out.Bytes()) // fails when the client is gone
	return true
}

// inside gets a page of the dashboard with the login of a request, nil if there is no such page.
func (s *Server) inside(r *http.Request, path string) *goquery.Document {
	address, err := url.ParseRequestURI(path)
	if err != nil {
		return nil
	}
	ctx := context.WithValue(r.Context(), insideKey{}, true)
	ask := r.Clone(context.WithValue(ctx, chi.RouteCtxKey, (*chi.Context)(nil)))
	ask.Method, ask.URL, ask.RequestURI, ask.Body, ask.ContentLength = http.MethodGet, address, path, http.NoBody, 0
	ask.Form, ask.PostForm, ask.MultipartForm = nil, nil, nil
	ask.Header.Del("X-Fragment")
	ask.Header.Del("X-Refresh")
	got := &kept{header: http.Header{}}
	s.own.(http.Handler).ServeHTTP(got, ask)
	if got.status != http.StatusOK || !got.page() {
		return nil
	}
	page, err := goquery.NewDocumentFromReader(&got.body)
	if err != nil {
		return nil
	}
	return page
}

// kept is the answer of a request that the dashboard makes of itself. It keeps pages only.
type kept struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (k *kept) Header() http.Header { return k.header }

func (k *kept) page() bool { return strings.HasPrefix(k.header.Get("Content-Type"), "text/html") }

func (k *kept) WriteHeader(status int) {
	if k.status == 0 {
		k.status = status
	}
}

func (k *kept) Write(data []byte) (int, error) {
	k.WriteHeader(http.StatusOK)
	if !k.page() {
		return 0, http.ErrNotSupported
	}
	return k.body.Write(data)
}
