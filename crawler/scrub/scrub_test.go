package scrub

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

const most = 4 << 20

// secret is in everything that must go. It looks random, and is a value by its names, too.
const secret = "Qx7Rt2Lk9Wp4Zs8Vb3Nm"

// leaking are pieces of pages, each with the secret where it must not stay.
var leaking = []string{
	`<script>var token = "SECRET"</script>`,
	`<script type=application/json>{"t":"SECRET"}`,
	`<noscript><img src="https://t.test/?sid=SECRET"></noscript>`,
	`<template><p>SECRET</template>`,
	`<textarea name=a>SECRET <b></textarea>`,
	`<select><option value=SECRET selected>SECRET</select>`,
	`<datalist><option>SECRET</datalist>`,
	`<output>SECRET</output>`,
	`<svg><text>SECRET</text><path d="SECRET"/></svg>`,
	`<div contenteditable><p>SECRET <b>SECRET</b></p></div>`,
	`<div ContentEditable="TRUE">SECRET`,
	`<input type=hidden name=csrf value="SECRET">`,
	`<input value=SECRET type=text>`,
	`<button value='SECRET'>Go</button>`,
	`<p onclick="pay('SECRET')">text</p>`,
	`<p data-key=SECRET DATA-x="SECRET">text</p>`,
	`<!-- SECRET -->`, `<!SECRET>`, `<?SECRET?>`,
	`<a href="https://ice.test/?token=SECRET">a</a>`,
	`<a href=/reset/SECRET>a</a>`,
	`<a href="?x=1&amp;session=SECRET#top">a</a>`,
	`<a href="//joe:SECRET@ice.test/">a</a>`,
	`<a href="#access_token=SECRET">a</a>`,
	`<a href="&#104;ttps://ice.test/?t&#111;ken=SECRET">a</a>`,
	`<a href=" ht
tps:\\\\ice.test\\?token=SECRET">a</a>`,
	`<a href="/a" href="/b?token=SECRET">a</a>`,
	`<a href='/out?to=https%3A%2F%2Fice.test%2F%3Ftoken%3DSECRET'>a</a>`,
	`<a href="javascript:open('SECRET')">a</a>`,
	`<a href="mailto:SECRET@ice.test">a</a>`,
	`<a ping="https://t.test/?t=SECRET" href=/b>a</a>`,
	`</a href="/?token=SECRET">`,
	`<img src="data:text/plain,SECRET">`,
	`<img srcset="/a.png?token=SECRET 1x, /b.png?token=SECRET 2x">`,
	`<form action="/login;jsessionid=SECRET"><button formaction="/x?key=SECRET">x</button></form>`,
	`<video poster="/p?sig=SECRET"></video>`, `<object data="/p?sig=SECRET"></object>`,
	`<iframe src="/f?auth=SECRET" srcdoc="<p>SECRET">`, `<iframe><a href="/?token=SECRET"></iframe>`,
	`<noframes><a href="/?token=SECRET">x</a><noembed><!--SECRET--></noembed></noframes>`,
	`<blockquote cite="/c?token=SECRET">q</blockquote>`,
	`<meta http-equiv=refresh content="3; URL='/next?token=SECRET'">`,
	`<meta property=og:url content="https://ice.test/?token=SECRET">`,
	`<meta name=csrf-token content=SECRET>`, `<meta content=SECRET name="CSRF-Token">`,
	`<link rel=canonical href="https://ice.test/?sid=SECRET">`,
	`<body background="/b?token=SECRET" style="background:url('/b?SECRET')">`,
	`<style>@import "/s?SECRET"; p { background: URL(/b?SECRET) } p { color: red }</style>`,
	`<p><output>SECRET</p>`,
	`<a href="/?token=SECRET`, `<p title="SECRET`,
}

func TestSecretsGo(t *testing.T) {
	for _, piece := range leaking {
		doc := strings.ReplaceAll(piece, "SECRET", secret)
		for _, around := range []string{"%s", "<!DOCTYPE html><title>t</title><p>before</p>%s", "<table><tr><td>%s</td></tr></table>"} {
			text := fmt.Sprintf(around, doc)
			clean, _ := HTML([]byte(text), most)
			if strings.Contains(string(clean), secret) {
				t.Errorf("%s became %s", text, clean)
			}
			if again, _ := HTML(clean, most); string(again) != string(clean) {
				t.Errorf("%s became %s and then %s", text, clean, again)
			}
		}
	}
}

// TestSecretVectors: of the addresses that the extension's tests use, too, no link keeps a secret, and one that has none stays as it is. In secrets.txt, secrets are in braces.
func TestSecretVectors(t *testing.T) {
	text, err := os.ReadFile("../../daemon/browse/protocol/testdata/secrets.txt")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for line := range strings.Lines(string(text)) {
		kind, marked, _ := strings.Cut(strings.TrimSpace(line), " ")
		url := strings.NewReplacer("{", "", "}", "").Replace(marked)
		doc := `<a href="` + html.EscapeString(url) + `">x</a>`
		clean, _ := HTML([]byte(doc), most)
		got := html.UnescapeString(strings.TrimSuffix(strings.TrimPrefix(string(clean), `<a href="`), `">x</a>`))
		switch kind {
		case "leak":
			if redacted := weburl.Redact(url); got != redacted && (redacted != url || got != url) {
				t.Errorf("%s became %s, not %s", url, got, redacted)
			}
		case "keep":
			if document, _, _ := strings.Cut(url, "#"); weburl.Redact(url) == document && got != document {
				t.Errorf("%s became %s", doc, clean)
			}
		default:
			continue
		}
		count[kind]++
	}
	if count["leak"] < 200 || count["keep"] < 100 {
		t.Errorf("the table has %v", count)
	}
}

// What follows something that goes is still there, and elements stay.
func TestTheRestStays(t *testing.T) {
	for doc, want := range map[string]string{
		`<p>a<script>x</script>b`:                                   `<p>a<script></script>b`,
		`<input type=password value=x name=p>`:                      `<input type=password name=p>`,
		`<p><output>x<b>y</p>z`:                                     `<p><output></p>z`,
		`<div contenteditable><div>x</div></div>y`:                  `<div contenteditable></div>y`,
		`<div contenteditable=false><div>x</div></div>y`:            `<div contenteditable=false><div>x</div></div>y`,
		`<a title=x href="/?pwd=k&copy=1" class='b'>y`:              `<a title=x href="/?pwd=redacted&amp;copy=1" class='b'>y`,
		`a <<!--b-->script>c`:                                       `a <<!---->script>c`,
		`<br value=1/>x`:                                            `<br>x`,
		`<img src="data:,x"/>x`:                                     `<img />x`,
		`<style>p{color:red;background:url(a.png) 0 0}</style>x`:    `<style>p{color:red;background:url() 0 0}</style>x`,
		`<meta http-equiv=refresh content="0;url=/?pwd=1&amp;a=b">`: `<meta http-equiv=refresh content="0;url=/?pwd=redacted&amp;a=b">`,
		`<a href="#top">a</a><a href="/b#c">d</a>`:                  `<a href="#top">a</a><a href="/b">d</a>`,
		`<svg/><p>x`:                     `<svg/><p>x`,
		`<svg><path/><g/></svg><p>x</p>`: `<svg></svg><p>x</p>`,
		`<p>x</p `:                       `<p>x`,
	} {
		if clean, cut := HTML([]byte(doc), most); string(clean) != want || cut {
			t.Errorf("%s became %s, not %s", doc, clean, want)
		}
	}
}

// A page with nothing to take out is the same memory.
func TestCleanPageIsTheSame(t *testing.T) {
	for _, doc := range []string{"", "text", "<p>a</p\n>", `<a href=/b>b</a>`, `<A HREF='x.html#/top' class=a>b</A >`, `<a href="?q=ice&copy=1">`,
		`<!DOCTYPE html><meta property="og:url" content="https://ice.test/"><p title="a &lt; b">5 < 6 & 7</p><input name=q>`, "<!---->",
		`<a href="https://ice.test/wiki/Curling?id=7#!Rules">x</a>`, `<a href="https://ice.test/?token=redacted">x</a>`,
		`<meta http-equiv=refresh content="5; url=/next"><link rel=canonical href=/a><p style="display:none">x</p><script></script>`} {
		clean, cut := HTML([]byte(doc), most)
		if string(clean) != doc || cut {
			t.Errorf("%s became %s", doc, clean)
		}
	}
	doc := []byte(`<p>a</p><a href=/b>b</a>`)
	if clean, _ := HTML(doc, most); &clean[0] != &doc[0] {
		t.Error("a page with nothing to take out was copied")
	}
}

// What stands in place of secrets may be longer: then the page is cut between tokens.
func TestTooLong(t *testing.T) {
	doc := strings.Repeat(`<a href="?pwd=1">x</a>`, 100)
	clean, cut := HTML([]byte(doc), len(doc))
	if !cut || len(clean) > len(doc) || len(clean) < len(doc)-40 || !strings.HasPrefix(string(clean), `<a href="?pwd=redacted">x</a><a `) {
		t.Errorf("%d of %d bytes, %v: %.80s", len(clean), len(doc), cut, clean)
	}
	if again, cut := HTML(clean, len(doc)); string(again) != string(clean) || cut {
		t.Error("it is not clean")
	}
}

// Title, text and links of pages are the same before and after.
func TestPagesReadTheSame(t *testing.T) {
	files, err := filepath.Glob("../page/testdata/content/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	links := 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if !strings.HasSuffix(f.Name, ".html") {
				continue
			}
			clean, _ := HTML(f.Data, most)
			before, after := read(t, f.Data), read(t, clean)
			if before.Title != after.Title || before.Text != after.Text || !reflect.DeepEqual(before.Links, after.Links) || !reflect.DeepEqual(before.Headings, after.Headings) {
				t.Errorf("%s is read otherwise:\n%s\n%s", file, before.Text, after.Text)
			}
			links += len(before.Links)
		}
	}
	if links < 100 {
		t.Errorf("only %d links were compared", links)
	}
}

func read(t *testing.T, doc []byte) *page.Page {
	t.Helper()
	p, err := page.Parse("https://ice.test/a/b", page.ContentUTF8, doc)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func FuzzHTML(f *testing.F) {
	for _, piece := range leaking {
		f.Add(strings.ReplaceAll(piece, "SECRET", secret), 1000)
	}
	f.Add("<iframe><noframes><iframe><!--x", 100)
	f.Add("<A\x00>", 900)
	f.Fuzz(func(t *testing.T, doc string, max int) {
		if max < 0 || max > 1<<20 {
			max = 1 << 20
		}
		doc = strings.ToValidUTF8(doc, "")
		given := []byte(doc)
		clean, _ := HTML(given, max)
		if string(given) != doc {
			t.Fatalf("%q was changed", doc)
		}
		if len(clean) > max || !utf8.Valid(clean) {
			t.Fatalf("%q became %q", doc, clean)
		}
		again, _ := HTML(clean, max)
		if string(again) != string(clean) {
			t.Fatalf("%q became %q and then %q", doc, clean, again)
		}
	})
}

func BenchmarkHTML(b *testing.B) {
	row := `<tr><td class="name"><a href="/wiki/Curling_%d?page=2">Curling &amp; ice</a></td><td>Some words about a game, its rules and its stones.</td></tr>`
	var doc strings.Builder
	for i := 0; doc.Len() < 100_000; i++ {
		fmt.Fprintf(&doc, row+"\n", i)
	}
	for name, text := range map[string]string{"clean": doc.String(), "dirty": strings.ReplaceAll(doc.String(), "?page=", "?token=")} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				HTML([]byte(text), most)
			}
		})
	}
}
