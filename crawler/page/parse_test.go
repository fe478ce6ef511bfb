package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"nightjar/crawler/weburl"
)

const testURL = "http://example.com/dir/page.html"

func mustParse(tb testing.TB, html string) *Page {
	tb.Helper()
	p, err := Parse(testURL, ContentUTF8, []byte(html))
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func TestParse(t *testing.T) {
	got := mustParse(t, `<!doctype html><html><head>
		<title> Ice &amp;
		 rinks </title>
		<meta name="Description" content="All  rinks.">
		<meta name=robots content="NOFOLLOW, noarchive">
		<link rel="alternate canonical" href="../rinks?utm_source=x">
		<style>p{}</style><script>var a = "<p>no</p>"</script></head>
		<body><h1>Rinks</h1><p>One<b>two</b> three<br>four</p>
		<!-- no --><noscript>no</noscript><template>no</template>
		<div hidden>no</div><div style="Display : none">no</div><select><option>no</option></select>
		<ul><li><a href="a.html#x"> A <i>b</i> </a></li><li><a href=/b.html rel="external NoFollow"><img src=x alt="B pic"></a></li></ul>
		<a href="a.html">again</a><a href="#top">self</a><a href="page.html#y">self</a><a href="javascript:x()">no</a>
		<a href="mailto:a@example.com">mail</a><a name=x>no link</a>
		<map><area href="https://other.example:443/" alt="map"></map>
		<iframe src="/frame"></iframe><iframe src="about:blank"></iframe><svg><title>no</title><text>no</text></svg>
		<a href="/b.html"></a><a href="/c" title="See"></a>
		<input type="PassWord" value="no"></body></html>`)
	want := &Page{
		URL:   testURL,
		Title: "Ice & rinks",
		Text:  "Ice & rinks\nAll rinks.\nRinks\nOnetwo three\nfour\nA b\nB pic\nagainselfselfno mailno link\nmap",
		Links: []Link{
			// Words that only a style hides ("no") count, too.
			{URL: "http://example.com/dir/a.html", Anchor: "A b", Before: "Rinks One two three four no no", After: "again self self no mail no link",
				Around: "Rinks One two three four no no again self self no mail no link", Heading: "Rinks", Path: "ul>li"},
			{URL: "http://example.com/b.html", Anchor: "B pic", Before: "Rinks One two three four no no A b", After: "again self self no mail no link",
				Around: "Rinks One two three four no no A b again self self no mail no link", Heading: "Rinks", Path: "ul>li"},
			{URL: "https://other.example/", Anchor: "map", Before: "no A b again self self no mail no link", After: "",
				Around: "no A b again self self no mail no link", Heading: "Rinks", Path: "map"},
			{URL: "http://example.com/c", Anchor: "See", Before: "no A b again self self no mail no link", After: "",
				Around: "no A b again self self no mail no link", Heading: "Rinks", Path: "body"},
		},
		Frames:        []Frame{{"http://example.com/frame", "iframe"}},
		Headings:      []string{"Rinks"},
		Repeats:       Repeats{Most: 6, Links: true}, // from "again" to "no link"
		Canonical:     "http://example.com/rinks",
		NoFollow:      true,
		PasswordField: true,
		Letters:       54,
		Scripts:       1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestRoutes: a link to a route is a link of its own; for a crawl it is one to the document.
func TestRoutes(t *testing.T) {
	const html = `<a href="#/teams"></a><a href="#top">top</a><a href="page.html#!/rinks">Rinks</a><a href="/app#/a">A</a><a href="/app#/b" rel=nofollow>B</a>
		<a href="/app#/">App</a><a href="#!">Menu</a><a href="#/teams">Teams</a><frame src="/app#/a"><iframe src="#/x"></iframe><link rel=canonical href="/app#/a">`
	addresses := func(p *Page) (all []string) {
		for _, l := range p.Links {
			all = append(all, strings.TrimSpace(strings.TrimPrefix(l.URL, "http://example.com")+" "+l.Anchor))
		}
		for _, f := range p.Frames {
			all = append(all, f.Kind+" "+strings.TrimPrefix(f.URL, "http://example.com"))
		}
		return append(all, strings.TrimPrefix(p.Canonical, "http://example.com"))
	}
	p := mustParse(t, html)
	want := []string{"/dir/page.html#/teams Teams", "/dir/page.html#!/rinks Rinks", "/app#/a A", "/app#/b B", "/app App", "iframe /dir/page.html#/x", "/app#/a"}
	if diff := cmp.Diff(want, addresses(p)); diff != "" {
		t.Error(diff)
	}
	p.Documents()
	if diff := cmp.Diff([]string{"/app A", "/app"}, addresses(p)); diff != "" {
		t.Error(diff)
	}
	if p.Links[0].NoFollow {
		t.Error("one of the links to the document may be followed")
	}
}

func TestParseBogusComments(t *testing.T) {
	got := mustParse(t, `<title>CS</title><P><H3>Me</H3> see <!WA0><!WA0><A href=http://www.example.org/x>X
	 home </A>, <!WA1><A HREF="y.html">Y</A>.`)
	want := []Link{
		{URL: "http://www.example.org/x", Anchor: "X home", Before: "Me see", After: ", Y .", Around: "Me see , Y .", Heading: "Me", Path: "body"},
		{URL: "http://example.com/dir/y.html", Anchor: "Y", Before: "Me see X home ,", After: ".", Around: "Me see X home , .", Heading: "Me", Path: "body"},
	}
	if diff := cmp.Diff(want, got.Links); diff != "" {
		t.Error(diff)
	}
	if want := "CS\nMe\nsee X home , Y."; got.Text != want {
		t.Errorf("text %q; want %q", got.Text, want)
	}
}

func TestParseFrameset(t *testing.T) {
	got := mustParse(t, `<html><head><title>F</title></head><frameset cols="1,2"><frame src="nav.html"><frameset>
		<frame name=m src="main.html"></frameset><noframes><body><a href=x>no frames</a></body></noframes></frameset></html>`)
	want := []Frame{{"http://example.com/dir/nav.html", "frame"}, {"http://example.com/dir/main.html", "frame"}}
	if diff := cmp.Diff(want, got.Frames); diff != "" || got.Text != "F" || len(got.Links) != 0 {
		t.Errorf("text %q, links %v, frames %s", got.Text, got.Links, diff)
	}
}

func TestParseBase(t *testing.T) {
	for base, want := range map[string]string{
		`<base href="/other/">`:                      "http://example.com/other/x",
		`<base target=_top><base href="//o.test">`:   "http://o.test/x",
		`<base href="/1/"><base href="/2/">`:         "http://example.com/1/x",
		`<base href="javascript:1">`:                 "http://example.com/dir/x",
		`<base href="http://[bad">`:                  "http://example.com/dir/x",
		`<base href="/session;jsessionid=1/?sid=1">`: "http://example.com/session;jsessionid=1/x",
	} {
		p := mustParse(t, base+`<a href=x>x</a>`)
		if strings.Contains(base, "jsessionid") {
			want = "http://example.com/session/x"
		}
		if len(p.Links) != 1 || p.Links[0].URL != want {
			t.Errorf("%s: links %v; want %s", base, p.Links, want)
		}
	}
}

func TestParseRefresh(t *testing.T) {
	for content, want := range map[string]string{
		"0;url=next":               "http://example.com/dir/next",
		`5; URL = '/next?a=1;b' x`: "http://example.com/next?a=1;b",
		"0.5,next":                 "http://example.com/dir/next",
		"3":                        "",
		"0;url=":                   "",
		"0;url=javascript:x()":     "",
		"0; url=page.html":         "",
	} {
		p := mustParse(t, fmt.Sprintf(`<meta http-equiv=Refresh content="%s">`, content))
		got := ""
		if len(p.Links) == 1 {
			got = p.Links[0].URL
		}
		if got != want {
			t.Errorf("%q: %q; want %q", content, got, want)
		}
	}
}

func TestRobotsTag(t *testing.T) {
	for in, want := range map[string][2]bool{
		"":                   {false, false},
		"noindex":            {true, false},
		"NoFollow":           {false, true},
		"none":               {true, true},
		"index, follow":      {false, false},
		"noindex,nofollow":   {true, true},
		"noindexing, x-none": {false, false},
	} {
		if i, f := RobotsTag(in); i != want[0] || f != want[1] {
			t.Errorf("RobotsTag(%q) = %v, %v", in, i, f)
		}
	}
}

func TestParseDeep(t *testing.T) {
	deep := `<title>Deep</title><base href="/b/">` + strings.Repeat("<div>", 5000) +
		`<a href=x><b>An <i>anchor</i></b></a><p>Text <script>no()</script> here <a href=y>second<div>half</a><input type=password>` +
		`<iframe src=f></iframe><meta name=robots content=noindex>`
	got := mustParse(t, deep)
	want := &Page{
		URL: testURL, Title: "Deep", Text: "Deep\nAn anchor\nText here\nsecond\nhalf",
		Links: []Link{
			{URL: "http://example.com/b/x", Anchor: "An anchor", After: "Text here second half", Around: "Text here second half"},
			{URL: "http://example.com/b/y", Anchor: "second half", Before: "An anchor Text here", Around: "An anchor Text here"},
		},
		Frames:  []Frame{{"http://example.com/b/f", "iframe"}},
		NoIndex: true, PasswordField: true, TextOnly: true, Letters: 26, Scripts: 1,
	}
	if diff := cmp.Diff(want, got, cmp.Transformer("fold", func(s string) string { return strings.Join(strings.Fields(s), " ") })); diff != "" {
		t.Error(diff)
	}
}

// TestParseRoots: a document with too many attributes of html and body is read as text.
func TestParseRoots(t *testing.T) {
	p := mustParse(t, hugePages(400)["roots"]+"<p>Text <a href=x>anchor</a>")
	if !p.TextOnly || p.Text != "Text anchor" || len(p.Links) != 1 || p.Links[0].Anchor != "anchor" {
		t.Errorf("text only: %v; text %q, links %+v", p.TextOnly, p.Text, p.Links)
	}
	if p := mustParse(t, strings.Repeat("<html lang=en><body class=x><p>Text</body></html>", 400)); p.TextOnly || p.Language != "en" {
		t.Errorf("400 documents in one: text only: %v, language %q", p.TextOnly, p.Language)
	}
}

func TestParseErrors(t *testing.T) {
	for _, u := range []string{"", "about:blank", "file:///x", "http://"} {
		if p, err := Parse(u, "text/html", nil); err == nil || p != nil {
			t.Errorf("Parse(%q) = %v, %v", u, p, err)
		}
	}
	if p := mustParse(t, ""); p.Text != "" || p.Links != nil {
		t.Errorf("empty document: %+v", p)
	}
}

// hugePages are documents made to be slow, each of 0.6 to 3 kB times size.
func hugePages(size int) map[string]string {
	var all strings.Builder
	for i := range 100 * size {
		fmt.Fprintf(&all, "<a href=/%d>n</a>", i)
	}
	links := all.String()
	var roots strings.Builder
	for i := range 60 * size {
		fmt.Fprintf(&roots, "<html a%d><BODY\tb%d>", i, i)
	}
	return map[string]string{
		"links":      links,
		"deep":       strings.Repeat("<div>", 200*size),
		"unclosed":   strings.Repeat("<b><p>", 100*size),
		"formatting": strings.Repeat("<a href=x><b><i>", 50*size) + strings.Repeat("</a>", 50*size),
		"roots":      roots.String(),
		"attributes": "<p " + strings.Repeat("a=b ", 250*size) + ">",
		"tables":     strings.Repeat("<table><tr><td>x", 60*size),
		"text":       strings.Repeat("word ", 600*size),
		"style":      "<style>" + strings.Repeat(".x.y{display:block}", 13*size) + "</style>" + strings.Repeat("<p class='x x x x x x x x'>w", 50*size),
		"footers":    strings.Repeat("<div class=footer>a</div><table><td>b", 20*size),
		"entities":   strings.Repeat("&amp;&notit;", 80*size),
		"one word":   strings.Repeat("<a href=/1></a>", 20) + strings.Repeat("x", size<<10) + links[:size<<10],
		"headings":   strings.Repeat("<h1><div>", size/5) + strings.Repeat("word ", 200*size) + links[:size<<9],
		"classes":    "<div class='" + strings.Repeat(" ", size<<10) + "menu'>" + links[:size<<10],
		"ids":        "<div " + strings.Repeat("a", size<<9) + " id=" + strings.Repeat("b", size<<9) + ">" + strings.ReplaceAll(links[:size<<10], "<a", "<i><a"),
	}
}

// TestParseHuge holds the caps for documents that are over them. The test would hardly end if one of them took more
// than linear time; TestParseIsLinear measures that.
func TestParseHuge(t *testing.T) {
	for name, html := range hugePages(400) {
		t.Run(name, func(t *testing.T) { checkPage(t, mustParse(t, html)) })
	}
}

// checkPage checks the invariants of every page that Parse returns.
func checkPage(t *testing.T, p *Page) {
	t.Helper()
	if len(p.Links) > MaxLinks || len(p.Text) > MaxText || len(p.Title) > MaxTitle || len(p.Frames) > MaxFrames {
		t.Fatalf("over the limits: %d links, %d bytes of text, %d of title, %d frames", len(p.Links), len(p.Text), len(p.Title), len(p.Frames))
	}
	if !utf8.ValidString(p.Text) || !utf8.ValidString(p.Title) || strings.ContainsRune(p.Text, 0) {
		t.Fatalf("text is not clean UTF-8: %q, %q", p.Title, p.Text)
	}
	if len(p.Headings) > maxHeadings || slices.ContainsFunc(p.Headings, func(h string) bool { return h == "" || len(h) > maxHeading }) {
		t.Fatalf("%d headings: %q", len(p.Headings), p.Headings)
	}
	seen := map[string]bool{p.URL: true}
	for _, l := range p.Links {
		if again, err := weburl.Canonical(l.URL); err != nil || again != l.URL || seen[l.URL] || len(l.Anchor) > MaxAnchor {
			t.Fatalf("link %+v: canonical %q, %v, seen %v", l, again, err, seen[l.URL])
		}
		for s, most := range map[string]int{l.Around: maxAround, l.Before: maxSide, l.After: maxSide, l.Heading: maxHeading, l.Path: maxPath} {
			if len(s) > most || !utf8.ValidString(s) || strings.ContainsAny(s, "\x00\n") {
				t.Fatalf("the place of link %+v: %d bytes, at most %d clean ones", l, len(s), most)
			}
		}
		if whole := strings.TrimSpace(l.Before + " " + l.After); len(l.Before) <= maxAround/2 && len(l.After) <= maxAround/2 && l.Around != whole && len(whole) <= maxAround {
			t.Fatalf("around link %+v: want %q", l, whole)
		}
		if words := max(len(strings.Fields(l.Before)), len(strings.Fields(l.After))); words > wordsAround {
			t.Fatalf("link %+v: %d words on one side", l, words)
		}
		seen[l.URL] = true
	}
}

func FuzzParse(f *testing.F) {
	f.Add("text/html", []byte(`<!WA0><A href=x>y</a><base href=//z><meta http-equiv=refresh content="0;url='q'">`))
	f.Add("text/html; charset=utf-16", []byte("\xff\xfe<\x00a\x00"))
	f.Add("", []byte(`<?xml version="1.0" encoding="euc-jp"?>`+"\xa4\xa2"))
	f.Add("", []byte(strings.Repeat("<svg>", 600)+"<title>x"))
	f.Add("", []byte(`<style>.a{display:none}</style><footer></footer><div class="menu a"><a href=#b>c</a></div><main><td><aside>d`))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		p, err := Parse(testURL, contentType, body)
		if err != nil {
			t.Fatal(err)
		}
		checkPage(t, p)
	})
}

// TestTitles: a page without a title has that of its previews elsewhere, or of its first heading with text.
func TestTitles(t *testing.T) {
	for html, want := range map[string]string{
		`<title>T</title><meta property=og:title content=O><h1>H</h1>`:                           "T",
		`<title> </title><meta property="OG:Title" content=" O  p "><h1>H</h1>`:                  "O p",
		`<meta property=og:title content=""><h1><img src=logo alt=Logo></h1><h1>H <b>x</b></h1>`: "H x",
		`<h2>not this</h2><p>text`: "",
		`<svg><title>no</title></svg><h1>` + strings.Repeat("long ", 200) + `</h1>`: strings.Repeat("long ", 200)[:MaxTitle],
	} {
		p := mustParse(t, html)
		if p.Title != want {
			t.Errorf("%.60s: title %q, want %q", html, p.Title, want)
		}
	}
	if p := mustParse(t, "<h1>Heading</h1><p>text"); p.Text != "Heading\ntext" {
		t.Errorf("the heading is in the text more than once: %q", p.Text)
	}
}

// TestDeclaredShadow: what a document declares in a shadow root is shown by browsers, other templates are not.
func TestDeclaredShadow(t *testing.T) {
	p := mustParse(t, `<p>before</p><my-card><template shadowrootmode="Open"><p>in the <a href="/shadow">shadow</a></p>
		<div><template shadowrootmode=closed><p>deeper</p></template></div></template><b>slotted</b></my-card>
		<template><p>inert</p></template><template shadowrootmode=none><p>inert</p></template><p>after</p>`)
	if want := "before\nin the shadow\ndeeper\nslotted\nafter"; p.Text != want {
		t.Errorf("text %q, want %q", p.Text, want)
	}
	if len(p.Links) != 1 || p.Links[0].URL != "http://example.com/shadow" || p.Links[0].Before != "before in the" {
		t.Errorf("links %+v", p.Links)
	}
	if p := mustParse(t, `<my-login><template shadowrootmode=closed><input type=password></template></my-login>`); !p.PasswordField {
		t.Error("a password field in a shadow root is not seen")
	}
}
