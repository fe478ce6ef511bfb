package pagekind

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"nightjar/crawler/page"
)

// whys are the names of the kinds in testdata/placeholder.txtar.
var whys = map[string]string{
	"find": "", "person": "whether its reader is a person", "rate": "asked too often", "closed": "closed to us", "login": "asks for a login",
	"consent": "asks for consent", "missing": "is not there", "moved": "has moved", "scripts": "nothing without scripts", "parked": "parked or the site",
}

// TestPlaceholder: placeholder pages as found on the web, and pages about such topics.
func TestPlaceholder(t *testing.T) {
	data, err := os.ReadFile("testdata/placeholder.txtar")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, f := range txtar.Parse(data).Files {
		kind, _, _ := strings.Cut(f.Name, "/")
		want, ok := whys[kind]
		if !ok {
			t.Fatalf("%s: no kind", f.Name)
		}
		count[kind]++
		p, err := page.Parse("http://www.example.com/a/b", page.ContentUTF8, f.Data)
		if err != nil {
			t.Fatal(err)
		}
		if got := Placeholder(p); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", f.Name, got, want)
		}
		if p.NoIndex = true; Of(p).NoFind != "the page asks not to be indexed" {
			t.Errorf("%s: noindex does not count", f.Name)
		}
	}
	if count["find"] < 30 || len(count) != len(whys) {
		t.Errorf("cases: %v", count)
	}
}

// TestNeeded: each match of an expression contains one of its needed texts, and nearly all expressions have some.
func TestNeeded(t *testing.T) {
	data, err := os.ReadFile("testdata/placeholder.txtar")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ToLower(string(data))
	var titles []string
	for _, after := range strings.Split(text, "<title>")[1:] {
		title, _, _ := strings.Cut(after, "</title>")
		titles = append(titles, titleParts(title)...)
	}
	all, without, matched := 0, 0, 0
	check := func(p phrase, match string) {
		if matched++; !p.in(match) {
			t.Errorf("%s: %q matches without any of %q", p.expression(), match, p.needs)
		}
	}
	for _, k := range placeholders {
		for _, p := range phrases()[k.name+" texts"] {
			for _, match := range p.expression().FindAllString(text, -1) {
				check(p, match)
			}
		}
		for _, p := range phrases()[k.name+" titles"] {
			for _, title := range titles {
				if p.expression().MatchString(title) {
					check(p, title)
				}
			}
		}
		for _, p := range slices.Concat(phrases()[k.name+" titles"], phrases()[k.name+" texts"]) {
			if all++; len(p.needs) == 0 {
				without++
			}
		}
	}
	if without*20 > all || matched < 100 {
		t.Errorf("%d of %d expressions need no text; %d matches", without, all, matched)
	}
}
