package webtest

import (
	"html/template"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// concrete fills a route's pattern.
func concrete(pattern string) string {
	return strings.NewReplacer("{id}", "1", "{topic}", "1", "{uuid}", "0", "{version}", "1", "{hash}", "0", "{name}", "base.css", "{map}", "1", "{community}", "1", "{ontology}", "1",
		"{fetch}", "1", "{grouping}", "1").Replace(pattern)
}

// Guarded checks that each route of the wing, which it takes from the router, answers only the dashboard's own pages in a browser with
// a login. public are those that need no login, as a method and a pattern.
func Guarded(t *testing.T, w *Wing, public ...string) {
	ask := func(method, path string, change func(*http.Request)) int {
		r := httptest.NewRequest(method, path, strings.NewReader(""))
		r.Host = w.Host
		r.AddCookie(w.Cookie)
		r.Header.Set("Origin", "http://"+w.Host)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		change(r)
		return w.Send(r).Code
	}
	check := func(method, pattern string) {
		path := concrete(pattern)
		for _, host := range WrongHosts(w.Host) {
			if code := ask(method, path, func(r *http.Request) { r.Host = host }); code != http.StatusMisdirectedRequest {
				t.Errorf("%s %s under host %q: %d", method, path, host, code)
			}
		}
		if code := ask(method, path, func(r *http.Request) { r.Host = "127.0.0.1:4774" }); path != "/" && code != http.StatusNotFound {
			t.Errorf("%s %s under the loopback address: %d", method, path, code)
		}
		if !slices.Contains(public, method+" "+pattern) {
			for name, value := range map[string]string{"none": "", "wrong": strings.Repeat("0", len(w.Cookie.Value)), "short": "x"} {
				code := ask(method, path, func(r *http.Request) {
					r.Header.Del("Cookie")
					if value != "" {
						r.AddCookie(&http.Cookie{Name: w.Cookie.Name, Value: value})
					}
				})
				if code != http.StatusUnauthorized {
					t.Errorf("%s %s with cookie %s: %d", method, path, name, code)
				}
			}
		}
		if method == http.MethodGet {
			code := ask(method, path, func(r *http.Request) {
				r.Header.Set("Sec-Fetch-Site", "cross-site")
				r.Header.Set("Sec-Fetch-Mode", "no-cors")
			})
			if code != http.StatusForbidden {
				t.Errorf("%s %s as a picture of another site: %d", method, path, code)
			}
			return
		}
		for name, change := range crossSite(w.Host) {
			if code := ask(method, path, change); code != http.StatusForbidden {
				t.Errorf("%s %s, %s: %d", method, path, name, code)
			}
		}
	}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		for _, pattern := range w.Patterns(method) {
			check(method, pattern)
		}
	}
}

// WrongHosts are names that are not those of a dashboard under its own name.
func WrongHosts(own string) []string {
	name, port, _ := strings.Cut(own, ":")
	return []string{
		"", "evil.example", "evil.example:" + port, name, name + ":80", name + ":" + port + "0", name + ".:" + port,
		strings.ToUpper(own), "x." + own, name + ".evil.example:" + port, "user@" + own, " " + own, own + " ", "LOCALHOST.:" + port, "localho\u017ft:" + port,
		"localhost", "127.0.0.1", "127.0.0.1:80", "[::1]:" + port, "127.0.0.2:" + port, "localhost.evil.example:" + port,
		"127.0.0.1.nip.io:" + port, "localhost.:" + port, "0.0.0.0:" + port, "nightjar-00000000000000000000000000000000.localhost:" + port,
	}
}

// crossSite are changing requests as other pages, or nobody in particular, can make them.
func crossSite(own string) map[string]func(*http.Request) {
	origin := func(o string) func(*http.Request) { return func(r *http.Request) { r.Header.Set("Origin", o) } }
	site := func(s string) func(*http.Request) { return func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", s) } }
	return map[string]func(*http.Request){
		"no origin":        func(r *http.Request) { r.Header.Del("Origin") },
		"null origin":      origin("null"),
		"other origin":     origin("https://evil.example"),
		"https":            origin("https://" + own),
		"other port":       origin("http://" + strings.Split(own, ":")[0] + ":9912"),
		"loopback origin":  origin("http://127.0.0.1:4774"),
		"suffix":           origin("http://" + own + ".evil.example"),
		"trailing slash":   origin("http://" + own + "/"),
		"extension":        origin("chrome-extension://abcdefghijklmnopabcdefghijklmnop"),
		"cross-site fetch": site("cross-site"),
		"same-site fetch":  site("same-site"),
		"no site":          site("none"),
	}
}

// GetsChangeNothing gets each page of the wing, and compares the tables before and after. fill puts numbers and names that are there
// into patterns.
func GetsChangeNothing(t *testing.T, w *Wing, fill *strings.Replacer) {
	dump := func() string { // pictures and leads only keep what else would be made again at each request
		var all strings.Builder
		rows, err := w.DB.Query(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%pictures' AND name <> 'leads' ORDER BY name`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				t.Fatal(err)
			}
			all.WriteString(name + " ")
			all.WriteString(strings.Repeat("i", w.Count(t, `SELECT count(*) FROM "`+name+`"`)) + "\n")
		}
		all.WriteString(time.UnixMilli(int64(w.Count(t, `SELECT total(length(value)) FROM settings`))).String())
		return all.String()
	}
	before := dump()
	for _, pattern := range w.Patterns(http.MethodGet) {
		if pattern != "/events" && pattern != "/login" {
			path := concrete(fill.Replace(pattern))
			if code := w.Get(path + "?host=linwood-university.test").Code; code >= 500 {
				t.Errorf("GET %s: %d", path, code)
			}
		}
	}
	if after := dump(); after != before {
		t.Error("asking for pages changed the store")
	}
	if len(w.Submitted)+len(w.Ran)+len(w.Stopped)+len(w.Approved)+w.Refused+len(w.Revoked) > 0 {
		t.Error("asking for pages did something")
	}
}

// TablesTakeFocus: a table in a box that scrolls sideways can be reached and moved by the keyboard, and has a name.
func TablesTakeFocus(t *testing.T, pages map[string]func() *template.Template) (seen int) {
	box := regexp.MustCompile(`<div class="(?:[a-z-]+ )*table(?: [a-z-]+)*"[^>]*>`)
	for name, page := range pages {
		var all strings.Builder
		for _, part := range page().Templates() {
			all.WriteString(part.Tree.Root.String())
		}
		for _, tag := range box.FindAllString(all.String(), -1) {
			seen++
			if !strings.Contains(tag, `tabindex="0"`) || !strings.Contains(tag, `role="region"`) || !strings.Contains(tag, "aria-label") {
				t.Errorf("%s: %s", name, tag)
			}
		}
	}
	return seen
}

// Navigation: the five entries lead everywhere, and the pages about topics have entries of their own. current are the entries of both
// that a page, by its path, says to be at.
func Navigation(t *testing.T, s *Site, current map[string][2]string) {
	for path, at := range current {
		d := s.Page(t, path)
		d.Find("nav .count").Remove()
		if got := Texts(d.Find("nav[aria-label=Main] a"), ", "); got != "Finds, Search, Topics, Nights, Settings" {
			t.Errorf("%s leads to %s", path, got)
		}
		for i, nav := range []string{"Main", "Topics"} {
			if got := Texts(d.Find("nav[aria-label="+nav+"] a[aria-current]"), ", "); got != at[i] {
				t.Errorf("%s is said to be at %q of %s", path, got, nav)
			}
		}
	}
}

// OneHeading: each page has one heading and one main part.
func OneHeading(t *testing.T, s *Site, paths ...string) {
	for _, path := range paths {
		if d := s.Page(t, path); d.Find("h1").Length() != 1 || d.Find("main").Length() != 1 {
			t.Errorf("%s: %d h1", path, d.Find("h1").Length())
		}
	}
}
