package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/model/webgraph"
)

// site is the web of the scripts below. A page of one letter has text and links.
func site(links string) map[string]string {
	s := map[string]string{
		"set":   `<title>Set</title><frameset cols="30%,*"><frame src="/menu"><frame src="/main"></frameset>`,
		"outer": `<frameset><frame src="/top"><frame src="/inner"></frameset>`,
		"inner": `<frameset><frame src="/left"><frame src="/right"></frameset>`,
		"login": `<form><input type=password></form>`,
	}
	for line := range strings.FieldsSeq(links) {
		name, to, _ := strings.Cut(line, ">")
		html := "<title>" + name + "</title><p>" + strings.Repeat("words of the page ", 5)
		for _, l := range strings.Split(to, ",") {
			html += fmt.Sprintf(` <a href="/%s">to %s</a>`, l, l)
		}
		s[name] = html
	}
	return s
}

// drawn is a forest in one line: each node as PAGE(PARENT LINK), a leaf with a star, and with a letter for its screen when
// it shares one. LINK is the number of the link in the parent, "?" when it is not there.
func drawn(g *webgraph.Graph, forest []Node) string {
	name := func(i int) string {
		return strings.TrimPrefix(g.Pages[forest[i].At].URL, sessiontest.Host)
	}
	var all []string
	for i, n := range forest {
		s := name(i)
		if n.Parent >= 0 {
			link := "?"
			if n.Link >= 0 {
				link = fmt.Sprint(n.Link)
			}
			s += fmt.Sprintf("(%s %s)", name(n.Parent), link)
		}
		if n.Screen != i {
			s += "@" + name(n.Screen)
		}
		if n.Leaf {
			s += "*"
		}
		all = append(all, s)
	}
	return strings.Join(all, " ")
}

func TestForest(t *testing.T) {
	web := site("a>b,c,d b>c,old c>d d>a e>a menu>b,c,main main>c b2>b two>d,old left>a right>b top>a")
	for name, c := range map[string]struct{ script, want string }{
		"nothing":                     {"submit", ""},
		"links":                       {"typed=a link=b link=c submit", "a b(a 0) c(b 0)"},
		"back, then a link":           {"typed=a link=b back link=c back link=d submit", "a b(a 0)* c(a 1)* d(a 2)"},
		"back twice":                  {"typed=a link=b link=c back back link=d submit", "a b(a 0) c(b 0)* d(a 2)"},
		"back at the end":             {"typed=a link=b back submit", "a b(a 0)*"},
		"opener tab":                  {"typed=a tab=b to=a tab=c link=d to=a link=d submit", "a b(a 0)* c(a 1) d(c 0)* d(a 2)"},
		"marked in another tab last":  {"typed=a tab=b to=a tab=c to=b useful submit", "a b(a 0) c(a 1)*"},
		"typed":                       {"typed=a link=b typed=c link=d submit", "a b(a 0)* c d(c 0)"},
		"bookmark, reload, form":      {"typed=a bookmark=b reload=b form=c other=d submit", "a* b b c* d"},
		"reloaded, not the last":      {"typed=b typed=a typed=b typed=c reload=b submit", "b* a* b c* b"},
		"frameset reloaded":           {"typed=set frame=menu frame=main reload=set frame=menu frame=main typed=a submit", "menu main@menu menu* main@menu* a"},
		"form in a frame":             {"typed=set frame=menu frame=main to=main form=b typed=a submit", "menu main@menu b* a"},
		"without submit":              {"typed=a link=b", "a b(a 0)"},
		"a page twice":                {"typed=a link=b back link=b submit", "a b(a 0)* b(a 0)"},
		"redirect":                    {"typed=b link=old:d submit", "b d(b 1)"},
		"a link to each address":      {"typed=two link=old:d submit", "two d(two 1)"},
		"a script's link":             {"typed=d link=e submit", "d e(d ?)"},
		"alias learned later":         {"typed=b link=d typed=a link=old:d submit", "b d(b 1)* a d(a 2)"},
		"a page that is not recorded": {"typed=a link=login link=b submit", "a* b"},
		"lost at the end":             {"typed=a link=b lost submit", "a"},
		"lost before it":              {"typed=a link=e lost link=b submit", "a* b"},

		"frameset":                       {"typed=a link=set frame=menu frame=main submit", "a menu(a ?) main(a ?)@menu"},
		"frameset that is linked":        {"typed=e link=a:set frame=menu frame=main to=menu link=b submit", "e menu(e 0) main(e 0)@menu b(menu 0)"},
		"frameset left":                  {"typed=set frame=menu frame=main typed=a submit", "menu* main@menu* a"},
		"from the frameset, one shows":   {"typed=set frame=menu frame=main link=b submit", "menu main@menu b(menu 0)"},
		"from the frameset, none shows":  {"typed=set frame=menu frame=main link=e submit", "menu main@menu e(main ?)"},
		"from the frameset, both show":   {"typed=set frame=menu frame=main link=c submit", "menu main@menu c(main 0)"},
		"opened in a frame":              {"typed=set frame=menu frame=main frame=b frame=c typed=a submit", "menu main@menu b(menu 0) c(b 0)* a"},
		"opened in a frame, last":        {"typed=set frame=menu frame=main frame=b submit", "menu main@menu b(menu 0)"},
		"first frame again":              {"typed=set frame=menu frame=main frame=b frame=main typed=a submit", "menu main@menu b(menu 0)* main(menu 2)* a"},
		"frame that a redirect led to":   {"typed=set frame=menu frame=e typed=a submit", "menu* e@menu* a"},
		"framesets in a frameset":        {"typed=outer frame=top frame=inner to=inner frame=left frame=right to=outer submit", "top left@top right@top"},
		"frameset without its frames":    {"typed=set frame=menu frame=main typed=a link=set link=b submit", "menu* main@menu* a* b"},
		"iframe with text":               {"typed=a iframe=c to=c link=d typed=e submit", "a c(a ?)@a d(c 0)* e"},
		"iframe with text, left":         {"typed=a iframe=c typed=e submit", "a* c(a ?)@a e"},
		"iframe without text":            {"typed=a iframe=none to=none link=b submit", "a b(a 0)"},
		"a link shown beside its iframe": {"typed=a iframe=c link=d submit", "a c(a ?)@a d(a 2)"},
	} {
		t.Run(name, func(t *testing.T) {
			events, err := sessiontest.Script(1, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), web, c.script)
			if err != nil {
				t.Fatal(err)
			}
			r := mustFold(t, events...)
			g := webgraph.Build(r.Loads())
			if got := drawn(g, r.Forest(g)); got != c.want {
				t.Errorf("%s\ngot  %s\nwant %s", c.script, got, c.want)
			}
		})
	}
}
