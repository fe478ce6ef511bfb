package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// mustWriteLogin writes a page to log in, and returns its name and what its form sends.
func (f *fixture) mustWriteLogin(t *testing.T) (name string, form url.Values) {
	t.Helper()
	name, err := f.LoginFile(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	page, err := goquery.NewDocumentFromReader(file)
	if err != nil {
		t.Fatal(err)
	}
	to := page.Find("form[method=post]").AttrOr("action", "")
	code := page.Find("input[name=code]").AttrOr("value", "")
	if to != "http://"+f.host+"/login" || len(code) != 43 || page.Find("button").Length() != 1 {
		t.Fatalf("the form leads to %q with %q", to, code)
	}
	return name, url.Values{"code": {code}}
}

// postLogin sends the form with headers as name, value, name, value.
func (f *fixture) postLogin(path string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Host = f.host
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return f.Send(r)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// fromFile is what Chromium and Firefox send with a form of a file.
var fromFile = []string{"Origin", "null", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}

// TestLoginFile: the page logs in once, and only the person can read it. It is gone when it was used.
func TestLoginFile(t *testing.T) {
	f := newFixture(t)
	name, form := f.mustWriteLogin(t)
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	w := f.postLogin("/login", form, fromFile...)
	if w.Code != http.StatusOK || len(w.Result().Cookies()) != 1 || w.Header().Get("Location") != "" {
		t.Fatalf("%d, %v", w.Code, w.Header())
	}
	if c := w.Result().Cookies()[0]; c.SameSite != http.SameSiteStrictMode || !c.HttpOnly {
		t.Errorf("the cookie %v", c)
	} else if f.Cookie = c; f.Get("/").Code != http.StatusOK {
		t.Error("the cookie opens nothing")
	}
	if exists(name) {
		t.Error("the page is still there after it was used")
	}
	if w := f.postLogin("/login", form, fromFile...); w.Code != http.StatusUnauthorized || len(w.Result().Cookies()) > 0 {
		t.Errorf("the second time: %d", w.Code)
	}
}

// TestLoginFormOfOthers: a page of another site cannot log this browser in or out, with a code or without, and cannot tell a
// code that was used from one that never was.
func TestLoginFormOfOthers(t *testing.T) {
	f := newFixture(t)
	for name, headers := range map[string][]string{
		"another site": {"Origin", "http://evil.example", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"},
		"a frame":      {"Origin", "null", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"},
		"a script":     {"Origin", "null", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"},
		"no script":    {"Origin", "null", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "empty"},
		"another port": {"Origin", "http://127.0.0.1:1", "Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"},
		"no origin":    {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"},
	} {
		file, form := f.mustWriteLogin(t)
		if w := f.postLogin("/login", form, headers...); w.Code != http.StatusForbidden || len(w.Result().Cookies()) > 0 || !exists(file) {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	_, form := f.mustWriteLogin(t)
	f.postLogin("/login", form, fromFile...)
	used := f.postLogin("/login", form, fromFile...)
	never := f.postLogin("/login", url.Values{"code": {secret()}}, fromFile...)
	none := f.postLogin("/login", url.Values{}, fromFile...)
	if used.Code != never.Code || used.Body.String() != never.Body.String() || none.Body.String() != used.Body.String() {
		t.Errorf("a used code, one that never was, none: %d, %d, %d", used.Code, never.Code, none.Code)
	}
	if len(used.Result().Cookies()) > 0 {
		t.Error("a wrong code changes the cookie")
	}
	for _, path := range []string{"/logout", "/settings", "/login/", "//login", "/Login", "/finds/mark"} {
		if w := f.postLogin(path, form, append(fromFile, "Cookie", f.Cookie.String())...); w.Code != http.StatusForbidden {
			t.Errorf("a file may send a form to %s: %d", path, w.Code)
		}
	}
	_, form = f.mustWriteLogin(t)
	if w := f.postLogin("/login?code="+form.Get("code"), url.Values{}, fromFile...); w.Code != http.StatusUnauthorized {
		t.Errorf("a form with the code in its address: %d", w.Code)
	}
}

// TestLoginFileEnds: a page to log in is of no use after its minute, and does not outlive the daemon by more than a start.
func TestLoginFileEnds(t *testing.T) {
	f := newFixture(t)
	_, form := f.mustWriteLogin(t)
	f.Clock = f.Clock.Add(codeLife + time.Second)
	if w := f.postLogin("/login", form, fromFile...); w.Code != http.StatusUnauthorized {
		t.Errorf("after its minute: %d", w.Code)
	}
	left, _ := f.mustWriteLogin(t)
	f.Close()
	if exists(left) {
		t.Error("it outlives the dashboard")
	}
	dir := t.TempDir()
	old, young, other := filepath.Join(dir, "nightjar-open-1.html"), filepath.Join(dir, "nightjar-open-2.html"), filepath.Join(dir, "notes.html")
	now := time.Now()
	for _, name := range []string{old, young, other} {
		if err := os.WriteFile(name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, now, now.Add(-2*codeLife)); name != young && err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(young, now, now); err != nil {
		t.Fatal(err)
	}
	RemoveLoginFiles(dir, now)
	if exists(old) || !exists(young) || !exists(other) {
		t.Errorf("left: old %v, young %v, other %v", exists(old), exists(young), exists(other))
	}
	if _, err := f.LoginFile(filepath.Join(dir, "none")); err == nil {
		t.Error("a page in a folder that is not there")
	}
}
