// Package webtest has what tests of the dashboard's pages need: a store, stand-ins for the parts that pages ask, a browser with a
// login, and checks that hold for the pages of every wing.
package webtest

import (
	"database/sql"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/go-chi/chi/v5"

	"nightjar/crawler/archive"
	"nightjar/crawler/clock"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
	"nightjar/daemon/web/frame"
)

// Listen is the address at which dashboards of tests say that they listen.
const Listen = "127.0.0.1:4774"

// Dashboard is the server of pages; see web.Server.
type Dashboard interface {
	Handler() http.Handler
	Router() *chi.Mux
	LoginURL(path string) string
	Pages() []string // patterns
}

// Site is a dashboard over a real store, with a browser. What pages ask of the trainer, the scheduler and others is written down
// in Asked instead of being done.
type Site struct {
	Asked
	Store     *store.Store
	Archive   *archive.Archive
	Bundles   *models.Cache
	DB        *sql.DB   // a second connection, to put rows in and look at them
	Clock     time.Time // the time on the dashboard
	Dashboard Dashboard
	Host      string // the dashboard's own host:port
	Cookie    *http.Cookie
}

// New makes a site with an empty store. Its dashboard is set by [Site.Serve].
func New(t testing.TB) *Site {
	t.Helper()
	return Open(t, storetest.Path(t))
}

// Open makes a site with the store of a file.
func Open(t testing.TB, name string) *Site {
	t.Helper()
	s := &Site{Clock: time.Date(2026, 11, 21, 8, 30, 0, 0, time.UTC)}
	s.Asked.begin(s)
	var err error
	if s.Store, err = store.Open(t.Context(), name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Store.Close() })
	s.Store.Now = s.Now
	s.Bundles = &models.Cache{Store: s.Store}
	if s.Archive, err = archive.Open(archive.Options{Dir: filepath.Join(t.TempDir(), "archive"), Clock: clock.Func(s.Now)}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Archive.Close(); err != nil {
			t.Error(err)
		}
	})
	if s.DB, err = sql.Open("sqlite", store.FileURL(name)+"?_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)&_pragma=synchronous(OFF)"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.DB.Close() })
	return s
}

// Now is the time on the dashboard.
func (s *Site) Now() time.Time { return s.Clock }

// Serve gives the site its dashboard, and logs the browser in.
func (s *Site) Serve(t testing.TB, d Dashboard) {
	t.Helper()
	s.Dashboard = d
	u, err := url.Parse(d.LoginURL(""))
	if err != nil {
		t.Fatal(err)
	}
	s.Host = u.Host
	r := httptest.NewRequest(http.MethodGet, u.RequestURI(), nil)
	r.Host = u.Host
	w := s.Send(r)
	cookies := w.Result().Cookies()
	if len(cookies) != 1 {
		t.Fatalf("login gave no cookie: %d %s", w.Code, w.Body)
	}
	s.Cookie = cookies[0]
}

// Send sends a request as it is.
func (s *Site) Send(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.Dashboard.Handler().ServeHTTP(w, r)
	return w
}

// Ask asks as a page of the dashboard would, with some more headers: pairs of a name and a value.
func (s *Site) Ask(method, path string, body io.Reader, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, body)
	r.Host = s.Host
	if method == http.MethodPost {
		r.Header.Set("Origin", "http://"+s.Host)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	r.AddCookie(s.Cookie)
	return s.Send(r)
}

// Get gets a page or a file.
func (s *Site) Get(path string) *httptest.ResponseRecorder { return s.Ask(http.MethodGet, path, nil) }

// Page gets a page that must be there, as a tree.
func (s *Site) Page(t testing.TB, path string) *goquery.Document {
	t.Helper()
	return mustTree(t, path, s.Get(path))
}

// Part gets a part of a page as a script does.
func (s *Site) Part(t testing.TB, path string) *goquery.Document {
	t.Helper()
	return mustTree(t, path, s.Ask(http.MethodGet, path, nil, "X-Fragment", "1"))
}

func mustTree(t testing.TB, path string, w *httptest.ResponseRecorder) *goquery.Document {
	t.Helper()
	if w.Code != http.StatusOK {
		t.Fatalf("GET %s: %d\n%s", path, w.Code, w.Body)
	}
	return Tree(t, w)
}

// Post sends a form.
func (s *Site) Post(path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	headers = append([]string{"Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin"}, headers...)
	return s.Ask(http.MethodPost, path, strings.NewReader(form.Encode()), headers...)
}

// PostPart sends a form as a script does, which wants only the parts that changed.
func (s *Site) PostPart(path string, form url.Values) *httptest.ResponseRecorder {
	return s.Post(path, form, "X-Fragment", "1")
}

// MustPost sends a form that must be accepted, and returns where it led.
func (s *Site) MustPost(t testing.TB, path string, form url.Values) string {
	t.Helper()
	w := s.Post(path, form)
	if w.Code != http.StatusSeeOther {
		t.Fatalf("POST %s: %d\n%s", path, w.Code, w.Body)
	}
	return w.Header().Get("Location")
}

// SendFile sends a form with a file.
func (s *Site) SendFile(t testing.TB, path string, fields map[string]string, name string, body []byte) *httptest.ResponseRecorder {
	t.Helper()
	var out strings.Builder
	w := multipart.NewWriter(&out)
	for key, value := range fields {
		if err := w.WriteField(key, value); err != nil {
			t.Fatal(err)
		}
	}
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(body)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.Ask(http.MethodPost, path, strings.NewReader(out.String()), "Content-Type", w.FormDataContentType())
}

// Program asks as a program does: without a cookie, under a name of this machine.
func (s *Site) Program(host, path, token string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = host
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return s.Send(r)
}

// Exec changes rows, and returns the id of the last one that was inserted.
func (s *Site) Exec(t testing.TB, text string, args ...any) int64 {
	t.Helper()
	res, err := s.DB.Exec(text, args...)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	id, _ := res.LastInsertId()
	return id
}

// Count reads one number.
func (s *Site) Count(t testing.TB, text string, args ...any) int {
	t.Helper()
	var n int
	if err := s.DB.QueryRow(text, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

// Tree is an answer as a tree.
func Tree(t testing.TB, w *httptest.ResponseRecorder) *goquery.Document {
	t.Helper()
	d, err := goquery.NewDocumentFromReader(strings.NewReader(w.Body.String()))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Text is the text of elements, with single spaces.
func Text(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

// Texts are the texts of each of some elements.
func Texts(all *goquery.Selection, between string) string {
	var parts []string
	all.Each(func(_ int, e *goquery.Selection) { parts = append(parts, Text(e)) })
	return strings.Join(parts, between)
}

// Loosened is a text with plain spaces for those at which no line may break.
func Loosened(t string) string { return strings.ReplaceAll(t, frame.NoBreak, " ") }
