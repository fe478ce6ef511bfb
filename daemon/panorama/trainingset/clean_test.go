package trainingset

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"nightjar/crawler/weburl"
)

func TestQuery(t *testing.T) {
	for title, want := range map[string]string{
		"":                                  "",
		"!images :fr <3 ?? -- \"":           "images fr 3",
		`Panorama: extending "digital" web`: "panorama extending digital web",
		"X-means, the -k- means":            "x-means the k means",
		"site:a.test OR NOT (b AND c)":      "site a.test or not b and c",
		"Don't  stop\u202e\x00\n now…":      "don't stop now",
		"日本語 の 検索":                          "日本語 の 検索",
		"!!g foo | bar ~baz +qux @quux #a":  "g foo bar baz qux quux a",
		strings.Repeat("word ", 200):        strings.TrimSpace(strings.Repeat("word ", 80)),
		"\xff\xfe":                          "",
	} {
		if got := Query(title); got != want {
			t.Errorf("Query(%q) = %q, want %q", title, got, want)
		}
	}
}

// FuzzQuery: nothing of a title can be a command to a search engine.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"!images :fr", `a"b`, "-x", "x-y", "a\u0301-\u0301", "OR", "日本", strings.Repeat("é", 500)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := Query(s)
		if len(q) > maxQuery || !utf8.ValidString(q) || Query(q) != q {
			t.Fatalf("%q: %q is too long, broken, or changes again: %q", s, q, Query(q))
		}
		for _, w := range strings.Split(q, " ") {
			runes := []rune(w)
			if q != "" && (len(runes) == 0 || !wordy(runes[0]) || !wordy(runes[len(runes)-1]) || w != strings.ToLower(w)) {
				t.Fatalf("%q: %q has the word %q", s, q, w)
			}
			if strings.ContainsFunc(w, func(r rune) bool { return !wordy(r) && !strings.ContainsRune("-'’.", r) }) {
				t.Fatalf("%q: %q has signs", s, q)
			}
		}
	})
}

// FuzzAnswer: whatever an instance answers, its pages can be shown and requested.
func FuzzAnswer(f *testing.F) {
	for _, s := range []string{`{"results": [{"url": "http://a.test/", "title": "a", "content": "b"}]}`, `{"results": [null, 1, {"url": []}]}`,
		"<html>", `{"results": [{"url": "http://a.test/\u0000", "title": "\u202e"}], "unresponsive_engines": [["x"]]}`, `[[[`, ``} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		a, err := readAnswer(body)
		if err != nil && (len(a.pages) > 0 || err.Error() == "") {
			t.Fatalf("%+v with %v", a, err)
		}
		if len(a.pages) > MaxHits {
			t.Fatalf("%d pages", len(a.pages))
		}
		var urls []string
		for _, p := range a.pages {
			if again, err := weburl.Canonical(p.URL); err != nil || again != p.URL || weburl.Secret(p.URL) || len(p.URL) > maxURL {
				t.Fatalf("address %q, again %q, %v", p.URL, again, err)
			}
			if slices.Contains(urls, p.URL) {
				t.Fatalf("%q stands twice", p.URL)
			}
			urls = append(urls, p.URL)
			for _, s := range []string{p.Title, p.Snippet} {
				if len(s) > maxSnippet || !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) || strings.ContainsRune(s, '\u202e') {
					t.Fatalf("text %q", s)
				}
			}
		}
	})
}
