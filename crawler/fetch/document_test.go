package fetch

import (
	"net/http"
	"strings"
	"testing"
)

// Documents are of any kind and larger than pages, and everything else holds for them as for pages.
func TestDocuments(t *testing.T) {
	pdf := "%PDF-1.4 \xff\x00\x01" + strings.Repeat("x", MaxBody)
	w := mustWeb(t, map[string]http.HandlerFunc{
		"a.test/robots.txt": say("User-agent: *\nDisallow: /shut"),
		"a.test/paper":      say(pdf, "Content-Type", "application/pdf"),
		"a.test/moved":      func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/page", http.StatusFound) },
		"a.test/page":       say("<title>caf\xe9</title>", "Content-Type", "text/html; charset=iso-8859-1"),
		"a.test/shut":       say("no"),
		"a.test/refs.bib":   say("@book{a, title={T}}", "Content-Type", "application/x-bibtex"),
		"a.test/empty":      say(`<meta http-equiv=refresh content="0;url=/shut">`, "Content-Type", "application/x-bibtex"),
	})
	l := w.mustLive(t, LiveOptions{Probe: true, Sitemaps: true})
	for _, c := range []struct {
		path    string
		limit   int64
		outcome Outcome
		body    string
	}{
		{"paper", 64 << 20, OK, pdf},
		{"paper", 1 << 20, TooLarge, ""},
		{"moved", 64 << 20, OK, "<title>café</title>"},
		{"refs.bib", 64 << 20, OK, "@book{a, title={T}}"},
		{"empty", 64 << 20, OK, `<meta http-equiv=refresh content="0;url=/shut">`},
		{"shut", 64 << 20, Robots, ""},
		{"none", 64 << 20, Status, ""},
	} {
		res := l.Fetch(Documents(t.Context(), c.limit), "http://a.test/"+c.path)
		if res.Outcome != c.outcome || string(res.Body) != c.body {
			t.Errorf("%s: %s (%s), %d bytes", c.path, res.Outcome, res.Reason, len(res.Body))
		}
	}
	if asked := strings.Join(w.asked(), " "); strings.Contains(asked, "shut") || strings.Contains(asked, "sitemap") {
		t.Errorf("asked for %s", asked)
	}
	if res := l.Fetch(t.Context(), "http://a.test/refs.bib"); res.Outcome != Type {
		t.Errorf("a page of BibTeX: %s", res.Outcome)
	}
}

// What the caller refuses is not requested, nor is its robots.txt, whether it is asked for or led to.
func TestRefusing(t *testing.T) {
	w := mustWeb(t, map[string]http.HandlerFunc{
		"a.test/moved": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://b.test/", http.StatusFound)
		},
		"b.test/": say("no"),
	})
	l := w.mustLive(t, LiveOptions{})
	ctx := Refusing(t.Context(), func(url string) bool { return strings.HasPrefix(url, "http://b.test/") })
	for _, url := range []string{"http://b.test/", "http://a.test/moved"} {
		if res := l.Fetch(ctx, url); res.Outcome != Refused || res.FinalURL != "http://b.test/" {
			t.Errorf("%s: %s at %s", url, res.Outcome, res.FinalURL)
		}
	}
	if asked := strings.Join(w.asked(), " "); strings.Contains(asked, "b.test") {
		t.Errorf("asked for %s", asked)
	}
}
