package feature

import (
	"strings"
	"testing"

	"nightjar/crawler/page"
)

// urlFeatures lists the features that the address of a page gives it, in the order of their making.
func urlFeatures(url string) string {
	var l list
	l.address(splitURL(url))
	return strings.Join(l.all, " ")
}

func TestAddress(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"http://www-2.cs.cmu.edu/~svc/papers/view-publications-ckl2004.html",
			"u=~ u=~svc u=papers u=view u=publications u=ckl2004 u=html x=html d=3"},
		{"https://a.test/", "d=0"},
		{"https://a.test", "d=0"},
		{"https://a.test/~", "u=~ d=1"},
		{"https://a.test/x~y", "u=~ u=x~y d=1"},
		{"https://a.test/Courses/CS-314/", "u=courses u=cs u=314 d=2"},
		{"https://a.test/a/b/c/d/e/f/g", "u=a u=b u=c u=d u=e u=f u=g d=5"},
		{"https://a.test//a//b", "u=a u=b d=2"},
		{"https://a.test/list.php?dept=cs&year=2024+25,1", "u=list u=php u=dept u=cs u=year u=2024 u=25 u=1 x=php d=1"},
		{"https://a.test/?page=2", "u=page u=2 d=0"},
		{"https://a.test/caf%C3%A9", "u=caf u=c3 u=a9 d=1"},
		{"https://a.test/wiki/Category:Rinks_(ice)", "u=wiki u=category:rinks u=(ice) d=2"},
		{"https://a.test/paper.tar.gz", "u=paper u=tar u=gz x=gz d=1"},
		{"https://a.test/v1.2", "u=v1 u=2 d=1"},
		{"https://a.test/song.MP3", "u=song u=mp3 x=mp3 d=1"},
		{"https://a.test/.hidden", "u=hidden d=1"},
		{"https://a.test/end.", "u=end d=1"},
		{"https://a.test/a.toolong", "u=a u=toolong d=1"},
		{"https://a.test/x.html/y", "u=x u=html u=y d=2"},
		{"https://a.test/a#part-two", "u=a d=1"},
		{"https://a.test/" + strings.Repeat("x", 30), "u=" + strings.Repeat("x", 20) + " d=1"},
		{"no address", "d=0"},
	} {
		if got := urlFeatures(tt.url); got != tt.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.url, got, tt.want)
		}
	}
}

// TestThesisExample: the address of [CRF] §5.3.2 gives its tokens, to the page and to a link to it.
func TestThesisExample(t *testing.T) {
	const url = "http://www-2.cs.cmu.edu/~svc/papers/view-publications-ckl2004.html"
	p := &page.Page{URL: url, Links: []page.Link{{URL: url}}}
	for _, features := range [][]string{Reader{}.Page(p, Sets{}), Reader{}.Link(p, 0)} {
		got := map[string]bool{}
		for _, f := range features {
			if token, ok := strings.CutPrefix(f, "u="); ok {
				got[token] = true
			}
		}
		want := strings.Fields("~ ~svc papers view publications ckl2004 html")
		for _, token := range want {
			if !got[token] {
				t.Errorf("no %s in %q", token, features)
			}
		}
		if len(got) != len(want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestManyTokens(t *testing.T) {
	if got := strings.Count(urlFeatures("https://a.test/"+strings.Repeat("a/", 500)+"?"+strings.Repeat("b=c&", 500)), "u="); got != maxTokens {
		t.Errorf("%d tokens, want %d", got, maxTokens)
	}
}
