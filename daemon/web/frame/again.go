package frame

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/PuerkitoBio/goquery"
	"github.com/go-chi/chi/v5"
)

// When a form is refused, the person gets the page that it was on again: with the problem beside the field, and with what
// was typed. The page is made as for GET, then the form in it is filled in (refill.go), so that no handler and no template
// has to know how.

// home is where the form of a request is.
func (f *Frame) home(r *http.Request) string {
	at := chi.RouteContext(r.Context())
	path, known := f.Homes[at.RoutePattern()]
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
func (f *Frame) places(r *http.Request) []string {
	var all []string
	if from, err := url.Parse(r.Referer()); err == nil && from.Host == f.options.Host {
		all = append(all, from.RequestURI())
	}
	path := f.home(r)
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
func (f *Frame) again(w http.ResponseWriter, r *http.Request, err error) bool {
	wrong := f.problemsIn(err)
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
	for _, path := range f.places(r) {
		found := f.inside(r, path)
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

// inside gets a page of the dashboard with the login of a request, nil if there is no such page, or it has no place for a notice.
func (f *Frame) inside(r *http.Request, path string) *goquery.Document {
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
	f.own.ServeHTTP(got, ask)
	if got.status != http.StatusOK || !got.page() {
		return nil
	}
	page, err := goquery.NewDocumentFromReader(&got.body)
	if err != nil || page.Find(notices).Length() == 0 {
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
