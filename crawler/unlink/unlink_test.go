package unlink

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"nightjar/crawler/linktext"
	"nightjar/crawler/page"
)

const host = "canary.test"

// TestHTML: of each way to link to a site nothing is left, and what stands around it stays.
func TestHTML(t *testing.T) {
	for name, c := range map[string]struct{ html, want string }{
		"a link":              {`<p>ice <a href="https://canary.test/p?q=1" title="quickcanary">canary <b>words</b></a> snow</p>`, `<p>ice <a> <b> </b></a> snow</p>`},
		"in upper case":       {`<A HREF=HTTPS://CANARY.TEST/X>canary</A> snow`, `<a> </A> snow`},
		"without a scheme":    {`<a href="//canary.test/">canary</a>`, `<a> </a>`},
		"below it":            {`<a href="https://a.b.canary.test/">canary</a>`, `<a> </a>`},
		"with a port":         {`<a href="https://canary.test:8443/">canary</a>`, `<a> </a>`},
		"percent":             {`<a href="https://%63anary.te%73t/">canary</a>`, `<a> </a>`},
		"entities":            {`<a href="https://c&#97;nary&period;te&#x73;t/">canary</a>`, `<a> </a>`},
		"full width":          {`<a href="https://ｃanary。test/">canary</a>`, `<a> </a>`},
		"broken by line ends": {"<a href=\"https://can\nary.te\tst/\">canary</a>", `<a> </a>`},
		"a redirector":        {`<a href="/out?to=https%3A%2F%2Fcanary.test%2Fx">canary</a>`, `<a> </a>`},
		"in two redirectors":  {`<a href="/out?to=http%3A%2F%2Fr.test%2F%3Fu%3Dhttps%253A%252F%252Fcanary.test%252Fx">canary</a>`, `<a> </a>`},
		"a picture":           {`snow<img src="https://canary.test/p.png" alt="canary">ice`, `snowice`},
		"a set of pictures":   {`<img src=/a.png srcset="/a.png 1x, https://canary.test/b.png 2x" alt=canary>ice`, `ice`},
		"a linked picture":    {`<a href=https://canary.test/><img src=/a.png alt="canary"></a>ice`, `<a></a>ice`},
		"refresh":             {`<meta http-equiv=refresh content="0;url=https://canary.test/">ice`, `ice`},
		"canonical":           {`<link rel=canonical href=https://canary.test/>ice`, `ice`},
		"og:url":              {`<meta property=og:url content=https://canary.test/>ice`, `ice`},
		"JSON-LD":             {`<script type="application/ld+json">{"name":"canary","url":"https:\/\/canary.test\/"}</script>ice`, `<script type="application/ld+json"></script>ice`},
		"a script":            {`<script src=https://canary.test/x.js></script>ice`, `ice`},
		"data":                {`<div data-link="https://canary.test/">ice</div>`, `<div>ice</div>`},
		"a style":             {`<div style="background:url(https://canary.test/x.png)">ice</div>`, `<div>ice</div>`},
		"a style sheet":       {`<style>@import "https://canary.test/x.css"</style>ice`, `<style></style>ice`},
		"a form":              {`<form action="https://canary.test/q"><input name=q>ice</form>`, `<form><input name=q>ice</form>`},
		"a frame":             {`<iframe src="https://canary.test/">canary</iframe>ice`, `ice`},
		"a click":             {`<span onclick="location='https://canary.test/'">canary</span>ice`, `<span> </span>ice`},
		"a comment":           {`ice<!-- https://canary.test/ -->snow`, `icesnow`},
		"written out":         {`see https://canary.test/path, or snow`, `see  or snow`},
		"mail":                {`write to bird@canary.test today`, `write to  today`},
		"below a base":        {`<base href="https://canary.test/d/"><a href="x.html">canary</a> <a href="http://ice.test/">ice</a>`, `<a> </a> <a href="http://ice.test/">ice</a>`},
		"an open link":        {`<td><a href=https://canary.test/>canary</td><td>ice</td>`, `<td><a> </td><td>ice</td>`},
		"an area":             {`<map><area href=https://canary.test/ alt=canary></map>ice`, `<map></map>ice`},
		"a choice":            {`<option value="https://canary.test/">canary<option value="x">ice`, `<option> <option value="x">ice`},
		"without scripts":     {`<noscript><a href="https://canary.test/">canary</a><p>ice</noscript>`, `<noscript><a> </a><p>ice</noscript>`},
		"in an element":       {`<svg><use href="https://canary.test/s.svg#x"/></svg>ice`, `<svg></svg>ice`},
	} {
		clean, _, changed := New(host).HTML("http://ice.test/", []byte(c.html))
		if string(clean) != c.want || !changed {
			t.Errorf("%s: %q, want %q", name, clean, c.want)
		}
		if again, _, changed := New(host).HTML("http://ice.test/", clean); changed {
			t.Errorf("%s: the second time gives %q", name, again)
		}
	}
}

// TestStays: what does not lead to the site stays as it is, byte for byte.
func TestStays(t *testing.T) {
	for _, html := range []string{
		`<a href="https://notcanary.test/">x</a>`, `<a href="https://canary.test.evil.test/">x</a>`, `<a href="https://canary.testing/">x</a>`,
		`<a href=/canary/test>x</a>`, `<p>They read canary.test, and liked it.</p>`, `<p>www.canary.test was first.</p>`, "<p a='1' A=2>\r\n&amp &#x41 \x00 \xff<b",
		`<title>canary.test</title>`, ``, `<`, `canary . test`,
	} {
		if clean, words, changed := New(host).HTML("http://ice.test/", []byte(html)); changed || string(clean) != html || words != nil {
			t.Errorf("%q became %q", html, clean)
		}
	}
}

func TestInternationalNames(t *testing.T) {
	site := New("xn--bcher-kva.test")
	for _, html := range []string{`<a href="https://bücher.test/">x</a>`, `<a href="https://BÜCHER.test/">x</a>`, `<a href="https://b%C3%BCcher.test/">x</a>`,
		`<a href="https://xn--bcher-kva.test/">x</a>`, `<a href="https://b&#252;cher.test">x</a>`} {
		if clean, _, _ := site.HTML("", []byte(html)); string(clean) != "<a> </a>" {
			t.Errorf("%q became %q", html, clean)
		}
	}
}

// TestWords: the removed words are reported, except those that the document still has.
func TestWords(t *testing.T) {
	_, words, _ := New(host).HTML("", []byte(`ice <a href=https://canary.test/deepword>Ice Yellow Feathers</a> snow`))
	if got := strings.Join(words, " "); got != "canary deepword feathers https test yellow" {
		t.Errorf("gone: %s", got)
	}
}

// TestText: addresses go, JSON and XML stay well-formed.
func TestText(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"see \"https://canary.test/x\" now","b":["https:\/\/canary.test\/"]}`:     `{"a":"see \"\" now","b":[""]}`,
		`<urlset><loc>https://canary.test/x</loc><loc>https://ice.test/</loc></urlset>`: `<urlset><loc></loc><loc>https://ice.test/</loc></urlset>`,
		"Sitemap: https://canary.test/s.xml\nDisallow: /x":                              "Sitemap: \nDisallow: /x",
		"雪は冷たい。https://canary.test/雪。氷":                                                 "雪は冷たい。。氷",
		"雪はhttps://canary.test/":                                                        "雪は",
		"canary.test:80 and canary.test":                                                " and canary.test",
	} {
		clean, changed := New(host).Text([]byte(text))
		if string(clean) != want || !changed {
			t.Errorf("%q became %q", text, clean)
		}
		if strings.HasPrefix(want, "{") && !json.Valid(clean) {
			t.Errorf("no JSON: %q", clean)
		}
		if strings.HasPrefix(want, "<") {
			for d := xml.NewDecoder(strings.NewReader(string(clean))); ; {
				if _, err := d.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Errorf("no XML: %q: %v", clean, err)
					break
				}
			}
		}
	}
}

func TestClean(t *testing.T) {
	site := New(host)
	for _, c := range []struct {
		media, doc  string
		changed, ok bool
	}{
		{"text/html; charset=utf-8", `<a href=https://canary.test/>x</a>`, true, true}, {"", `<a href=https://canary.test/>x</a>`, true, true},
		{"application/json", `"https://canary.test/"`, true, true}, {"application/pdf", "%PDF https://canary.test/", false, false},
		{"image/png", "\x89PNG", false, true}, {"application/rss+xml", "<link>https://canary.test/</link>", true, true},
	} {
		if _, changed, ok := site.Clean("http://ice.test/", c.media, []byte(c.doc)); changed != c.changed || ok != c.ok {
			t.Errorf("%s: %v, %v", c.media, changed, ok)
		}
	}
}

// FuzzHTML: whatever the document, no reader of links finds the site afterwards, and a second time changes nothing.
func FuzzHTML(f *testing.F) {
	f.Add([]byte(`<base href=//canary.test><a href=x><img src=y alt=z><a href=https://canary.test>u<p>v</a>`))
	f.Add([]byte(`<script>https://canary.test/</script><a href="https:\\canary.test\x">x`))
	f.Add([]byte("<a href=ht\ntps:canary.test>x</a><textarea>//canary.test/</textarea>"))
	f.Add([]byte("&#&#x&#99&a%%6%63anary.test/\\u00\\u0063anary.test/"))
	f.Fuzz(func(t *testing.T, doc []byte) {
		site := New(host)
		clean, _, _ := site.HTML("http://ice.test/", doc)
		p, err := page.Parse("http://ice.test/", page.ContentUTF8, clean)
		if err != nil {
			return
		}
		for _, l := range p.Links {
			if site.On(l.URL) {
				t.Fatalf("%q became %q with a link to %s", doc, clean, l.URL)
			}
		}
		links, err := linktext.New(nil, nil).Extract("http://ice.test/", page.ContentUTF8, clean)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range links {
			if site.On(l.URL) {
				t.Fatalf("%q became %q with a link to %s", doc, clean, l.URL)
			}
		}
	})
}

func BenchmarkMay(b *testing.B) {
	doc := []byte(strings.Repeat(`<p class="x">Some words of a page with <a href="/a?b=c&amp;d=%20">a link</a> and more.</p>`+"\n", 350))
	site := New(host)
	b.SetBytes(int64(len(doc)))
	for b.Loop() {
		if site.May(doc) {
			b.Fatal("found")
		}
	}
}
