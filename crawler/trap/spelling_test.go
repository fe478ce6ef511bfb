package trap_test

import (
	"fmt"
	"strings"
	"testing"

	"nightjar/crawler/neardup"
	"nightjar/crawler/page"
	"nightjar/crawler/trap"
)

// TestSpellings: a page at another spelling of its address is a copy, even if some of its words have changed since it was read. It is none
// if its title or its text is another one, or if its address is.
func TestSpellings(t *testing.T) {
	words := strings.Fields(prose(1) + prose(2))
	text := func(others int) string {
		return strings.Join(words[others:], " ") + " " + strings.Join(words[:others], "x ")
	}
	const url = "http://www.a.test/~ann/"
	for name, tt := range map[string]struct {
		first, second string
		title         string
		text          string
		again         string // the text of the first page when it was read again
		near          bool
	}{
		"index file":       {url, url + "index.html", "Ann", text(8), "", true},
		"two index files":  {url + "welcome.htm", url + "home.html", "Ann", text(8), "", true},
		"host":             {url, "http://a.test/~ann", "Ann", text(8), "", true},
		"parameter":        {url, url + "?from=mail", "Ann", text(8), "", true},
		"more parameters":  {url + "?id=1", url + "?from=mail&id=1", "Ann", text(8), "", true},
		"fewer parameters": {url + "?from=mail&id=1", url + "?id=1", "Ann", text(8), "", true},
		"other parameters": {url + "?id=1", url + "?id=2", "Ann", text(8), "", false},
		"the same address": {url, url, "Ann", text(8), "", false},
		"another page":     {url, url + "cv.html", "Ann", text(8), "", false},
		"another host":     {url, "http://b.a.test/~ann/", "Ann", text(8), "", false},
		"another title":    {url, url + "index.html", "Bob", text(8), "", false},
		"no title":         {url, url + "index.html", "", text(8), "", false},
		"another text":     {url, url + "index.html", "Ann", text(80), "", false},
		"the newest text":  {url, url + "index.html", "Ann", text(84), text(80), true},
		"newest at once":   {url, "http://b.test/", "Bob", text(80), text(80), true},
	} {
		for _, resumed := range []bool{false, true} {
			g := trap.New(trap.Options{})
			past := trap.Past{URL: tt.first, Title: "Ann", Simhash: neardup.NewSketch(tt.first, text(0)).Simhash, Credit: true}
			if resumed {
				g.Recall(past)
			} else {
				g.Page(trap.Read{URL: tt.first, Page: &page.Page{URL: tt.first, Title: "Ann", Text: text(0)}})
			}
			if tt.again != "" {
				past.Simhash, past.Again = neardup.NewSketch(tt.first, tt.again).Simhash, true
				g.Recall(past)
			}
			v := g.Page(trap.Read{URL: tt.second, Page: &page.Page{URL: tt.second, Title: tt.title, Text: tt.text}})
			if v.Near != tt.near {
				t.Errorf("%s, resumed %v: a copy: %v", name, resumed, v.Near)
			}
		}
	}
}

// TestParametersTellApart: parameters tell pages apart if an address has many pages with one title.
func TestParametersTellApart(t *testing.T) {
	words := strings.Fields(prose(1) + prose(2))
	for _, items := range []int{1, 20} {
		g := trap.New(trap.Options{})
		for i := range items {
			g.Recall(trap.Past{URL: fmt.Sprintf("http://a.test/?item=%d", i), Title: "Shop", Simhash: neardup.NewSketch("", strings.Join(words, " ")).Simhash})
		}
		all := &page.Page{URL: "http://a.test/", Title: "Shop", Text: strings.Join(words[8:], " ") + " " + strings.Join(words[:8], "x ")}
		if v := g.Page(trap.Read{URL: all.URL, Page: all}); v.Near != (items == 1) {
			t.Errorf("beside %d items: a copy: %v", items, v.Near)
		}
	}
}
