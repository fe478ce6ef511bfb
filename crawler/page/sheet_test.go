package page

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestSheet(t *testing.T) {
	for _, c := range []struct {
		css, tag, id, class string
		want                bool
	}{
		{".a{display:none}", "p", "", "a", true},
		{".a{display:none}", "p", "", "ab", false},
		{"#a{display:none}", "p", "a", "", true},
		{"p{visibility:hidden}", "p", "", "", true},
		{"p.a.b{display:none}", "p", "", "b c a", true},
		{"p.a.b{display:none}", "p", "", "a", false},
		{"div.a{display:none}", "p", "", "a", false},
		{".x, .a , .y{color:red;DISPLAY: None}", "p", "", "a", true},
		{".a{display:none}.a{display:block}", "p", "", "a", false},
		{".a{display:block}.a{display:none}", "p", "", "a", true},
		{"#i{display:block}.a{display:none}", "p", "i", "a", false},
		{".a.b{display:block}.a{display:none}", "p", "", "a b", false},
		{".a{display:none}.on .a{display:flex}", "p", "", "a", false},
		{".a{display:none}.a:target{display:flex}", "p", "", "a", false},
		{".on .a{display:none}", "p", "", "a", false},
		{".a:empty{display:none}", "p", "", "a", false},
		{"@media print{.a{display:none}}", "p", "", "a", false},
		{"@media screen{.b{} .a{display:none}}.c{}", "p", "", "a", true},
		{"@media (max-width:1px){.a{display:none}}", "p", "", "a", false},
		{"@import 'x';.a{display:none}", "p", "", "a", true},
		{"@font-face{a:b}.a{display:none}", "p", "", "a", true},
		{"/*.b{}*/.a/**/{display:/**/none}", "p", "", "a", true},
		{"body{display:none}", "body", "", "", false},
		{".a{display:none", "p", "", "a", true},
		{"}.a{display:none}", "p", "", "a", true},
	} {
		style := &html.Node{Type: html.ElementNode, Data: "style"}
		style.AppendChild(&html.Node{Type: html.TextNode, Data: c.css})
		s := readSheet([]*html.Node{style})
		if got := s != nil && s.hides(c.tag, c.id, c.class); got != c.want {
			t.Errorf("%s: <%s id=%q class=%q> hidden %v; want %v", c.css, c.tag, c.id, c.class, got, c.want)
		}
	}
}

func FuzzSheet(f *testing.F) {
	f.Add("@media screen{.a{display:none}}#b.c{visibility:hidden}", "a c")
	f.Add("/*{*/.a..b#{display:none}", "b")
	f.Fuzz(func(t *testing.T, css, class string) {
		p := mustParse(t, "<style>"+css+"</style><p class=\""+class+"\">one two three")
		// A page never loses all its text by its own style.
		if !strings.Contains(css, "<") && !strings.ContainsAny(class, `"&`) && !strings.Contains(p.Text, "one two three") {
			t.Fatalf("text %q", p.Text)
		}
	})
}
