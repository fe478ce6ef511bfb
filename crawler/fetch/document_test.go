package fetch

import (
	"context"
	"errors"
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

// TestPageOfDocument: with LiveOptions.Page, PDFs and texts are pages; what is none of both by its type and its bytes is not.
func TestPageOfDocument(t *testing.T) {
	w := mustWeb(t, map[string]http.HandlerFunc{
		"a.test/paper":   say("%PDF-1.4 owls", "Content-Type", "application/pdf", "ETag", `"1"`, "X-Robots-Tag", "noindex"),
		"a.test/notes":   say("caf\xe9 and owls", "Content-Type", "text/plain; charset=iso-8859-1"),
		"a.test/readme":  say(`# Owls <meta http-equiv=refresh content="0;url=/shut">`, "Content-Type", "text/markdown"),
		"a.test/login":   say("<html>Log in", "Content-Type", "application/pdf"),
		"a.test/binary":  say("a\x00\x01\x02\x03", "Content-Type", "text/plain"),
		"a.test/hidden":  say("%PDF-1.4", "Content-Type", "text/plain"),
		"a.test/broken":  say("%PDF-1.4 broken", "Content-Type", "application/pdf"),
		"a.test/long":    say(strings.Repeat("owls ", MaxBody/5+1), "Content-Type", "text/plain"),
		"a.test/longpdf": say("%PDF-1.4"+strings.Repeat("x", MaxPDF), "Content-Type", "application/pdf"),
		"a.test/table":   say("a,b", "Content-Type", "text/csv"),
		"a.test/gone": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusGone)
		},
	})
	l := w.mustLive(t, LiveOptions{Page: func(_ context.Context, url string, body []byte) ([]byte, error) {
		if strings.Contains(string(body), "broken") {
			return nil, errors.New("this PDF is broken")
		}
		return []byte("<title>" + url + "</title><p>" + string(body)), nil
	}})
	for path, want := range map[string]struct {
		outcome Outcome
		body    string
	}{
		"paper":  {OK, "<title>http://a.test/paper</title><p>%PDF-1.4 owls"},
		"notes":  {OK, "<title>http://a.test/notes</title><p>café and owls"},
		"readme": {OK, `<title>http://a.test/readme</title><p># Owls <meta http-equiv=refresh content="0;url=/shut">`},
		"login":  {Type, ""}, "binary": {Type, ""}, "hidden": {Type, ""}, "broken": {Type, ""}, "table": {Type, ""},
		"long": {TooLarge, ""}, "longpdf": {TooLarge, ""}, "gone": {Status, ""},
	} {
		res := l.Fetch(t.Context(), "http://a.test/"+path)
		if res.Outcome != want.outcome || string(res.Body) != want.body {
			t.Errorf("%s: %s (%s), %.80q", path, res.Outcome, res.Reason, res.Body)
		}
		if path == "paper" && (res.ETag != `"1"` || !res.NoIndex) {
			t.Errorf("the header of a PDF: %+v", res)
		}
	}
	if res := w.mustLive(t, LiveOptions{}).Fetch(t.Context(), "http://a.test/paper"); res.Outcome != Type {
		t.Errorf("a PDF where only HTML is read: %s", res.Outcome)
	}
}
