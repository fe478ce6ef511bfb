package trainingset

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/search/words"
	"nightjar/daemon/store/storetest"
)

// visit stores a visited page with its HTML.
func visit(t *testing.T, path, url, html string) {
	t.Helper()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(html)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256([]byte(html))
	storetest.Exec(t, path, `INSERT INTO contents (hash, gzip) VALUES (?, ?)`, hash[:], packed.Bytes())
	storetest.Exec(t, path, `INSERT INTO pages (url, content_hash) VALUES (?, ?)`, url, hash[:])
}

// TestLinksTo: pages that name a positive page and link to it are found, in whatever form the link is written; pages that only
// name it, or that only look as if they linked to it, are not.
func TestLinksTo(t *testing.T) {
	path := storetest.Path(t)
	s := open(t, path)
	p := trainingdata.PositivePage{
		Positive: trainingdata.Positive{URL: "http://to.test/go?id=focus", Title: "Focused Crawling | To Test", Reasons: []trainingdata.PositiveReason{{Title: "A New Way"}}},
		Final:    "http://to.test/papers/Sev%C3%A9rn_crawling.html",
	}
	pages := map[string]string{
		"http://a.test/":         `<a href="http://to.test/papers/Sevérn_crawling.html">focused crawling</a>`,
		"http://b.test/":         `<a href="http://to.test/go?id=focus">a new way</a>`,
		"http://to.test/papers/": `<a href="Sev%C3%A9rn_crawling.html#top">focused crawling</a>`,
		"http://named.test/":     `focused crawling is the topic of Sev%C3%A9rn_crawling.html`,
		"http://other.test/":     `<a href="http://to.test/papers/other/Sev%C3%A9rn_crawling.html">focused crawling</a>`,
		"http://unnamed.test/":   `<a href="http://to.test/papers/Sev%C3%A9rn_crawling.html">here</a>`,
		p.Final:                  `<a href="/papers/Sev%C3%A9rn_crawling.html">focused crawling</a>`,
	}
	has := map[string]storedPage{}
	for url, html := range pages {
		text := "focused crawling"
		switch {
		case strings.Contains(html, "new way"):
			text = "a new way"
		case !strings.Contains(html, text):
			text = "something else"
		}
		has[url] = storedPage{body: words.List(text)}
	}
	index(t, s, path, has)
	for url, html := range pages {
		visit(t, path, url, "<title>x</title><p>"+html)
	}
	links := Links{Store: s}
	got, err := links.To(t.Context(), p, 10)
	slices.Sort(got)
	if want := []string{"http://a.test/", "http://b.test/", "http://to.test/papers/"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if got, err := links.To(t.Context(), p, 2); err != nil || len(got) != 2 {
		t.Errorf("%q, %v; want two", got, err)
	}
	if got, err := links.To(t.Context(), trainingdata.PositivePage{Final: p.Final}, 10); err != nil || len(got) != 0 {
		t.Errorf("%q, %v for a page without a title", got, err)
	}
}

func TestTelling(t *testing.T) {
	for address, want := range map[string]string{
		"http://a.test/": "", "http://a.test": "", "http://a.test/x/": "x", "http://a.test/p/Sev%C3%A9rn_crawling.html?q=1": "rn_crawling",
		"http://a.test/%E6%97%A5": "", "http://a.test/dir/index.html": "index", "://": "",
	} {
		if got := telling(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// TestTitlesOf: the name of the site is no part of a title, and none is looked for twice.
func TestTitlesOf(t *testing.T) {
	for _, c := range []struct {
		title   string
		reasons []string
		want    string
	}{
		{"Glacier - Wikipedia", []string{"Glacier", "The Ice"}, "Glacier|The Ice"},
		{"", []string{"", "Ice"}, "Ice"},
		{"Well-known | A | B", nil, "Well-known"},
	} {
		p := trainingdata.PositivePage{Positive: trainingdata.Positive{Title: c.title}}
		for _, r := range c.reasons {
			p.Reasons = append(p.Reasons, trainingdata.PositiveReason{Title: r})
		}
		if got := strings.Join(titlesOf(p), "|"); got != c.want {
			t.Errorf("%q %q: %q, want %q", c.title, c.reasons, got, c.want)
		}
	}
}
