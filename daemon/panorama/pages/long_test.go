//go:build !race

package pages

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/panorama/document"
)

// Tests of one goroutine that would take long under the race detector, which has nothing to see in them.

// TestMapsAreRefused: each refusal is beside its field, in the form as it was filled in.
func TestMapsAreRefused(t *testing.T) {
	s := seed(t)
	for name, tt := range map[string]struct {
		form  url.Values
		field string
		says  string
	}{
		"nothing":      {url.Values{"from": {"document"}}, "file", "choose a file"},
		"two sources":  {url.Values{"from": {"document"}, "url": {"https://example.org/"}, "titles": {"x y"}}, "file", "one of the three"},
		"an address":   {url.Values{"from": {"document"}, "url": {"ftp://example.org/"}}, "url", "should look like"},
		"no instance":  {url.Values{"from": {"document"}, "titles": {"x y"}, "search": {"searxng"}}, "instance", "write the address"},
		"instance":     {url.Values{"from": {"document"}, "titles": {"x y"}, "search": {"searxng"}, "instance": {"gopher:x"}}, "instance", ""},
		"a bad list":   {url.Values{"from": {"document"}, "titles": {"x y"}, "search": {"list"}, "list": {"https://a.example/\nnonsense"}}, "list", "line 2"},
		"pages":        {url.Values{"from": {"document"}, "titles": {"x y"}, "pages": {"-5"}}, "pages", "whole number"},
		"communities":  {url.Values{"from": {"document"}, "titles": {"x y"}, "clusters": {"900"}}, "clusters", "2 to 8"},
		"a topic":      {url.Values{"from": {"topic"}, "topic": {"9999"}}, "topic", "deleted meanwhile"},
		"another":      {url.Values{"from": {"crawl"}, "crawl": {"9999"}}, "crawl", "deleted meanwhile"},
		"no such kind": {url.Values{"from": {"document"}, "titles": {"x y"}, "search": {"telepathy"}}, "search", "choose who"},
	} {
		t.Run(name, func(t *testing.T) {
			w := s.Post("/communities", tt.form)
			d := webtest.Tree(t, w)
			wrong := d.Find("main [aria-invalid=true]").First()
			if w.Code != http.StatusUnprocessableEntity || wrong.AttrOr("name", "") != tt.field {
				t.Fatalf("%d, field %q wrong: %s", w.Code, wrong.AttrOr("name", ""), webtest.Text(d.Find("main")))
			}
			if got := webtest.Text(d.Find("#refused-problem")); !strings.Contains(strings.ToLower(got), tt.says) {
				t.Errorf("says %q", got)
			}
			if got := strings.TrimSpace(d.Find("textarea[name=titles]").Text()); got != tt.form.Get("titles") {
				t.Errorf("the titles became %q", got)
			}
		})
	}
	for _, problem := range []error{document.ErrScanned, document.ErrEncrypted, document.ErrKind} {
		s.maps.err = problem
		w := s.SendFile(t, "/communities", map[string]string{"from": "document", "url": ""}, "a.pdf", []byte("%PDF-1.4"))
		if got := webtest.Text(webtest.Tree(t, w).Find("#refused-problem")); w.Code != http.StatusUnprocessableEntity || !strings.EqualFold(strings.TrimSuffix(got, "."), problem.Error()) {
			t.Errorf("%v: %d %q", problem, w.Code, got)
		}
	}
	s.maps.err = nil
	w := s.SendFile(t, "/communities", map[string]string{"from": "document"}, "a.pdf", make([]byte, document.MaxBytes+2<<20))
	if got := webtest.Text(webtest.Tree(t, w).Find("#refused-problem")); w.Code != http.StatusUnprocessableEntity || !strings.Contains(got, "larger than 64 MiB") {
		t.Errorf("too large: %d %q", w.Code, got)
	}
}
