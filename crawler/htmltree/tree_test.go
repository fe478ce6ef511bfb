package htmltree

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// outline writes a tree line by line: what Parse promises to be equal to that of html.Parse.
func outline(root *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node, depth int)
	walk = func(n *html.Node, depth int) {
		fmt.Fprintf(&b, "%*s%d %q %q", depth, "", n.Type, n.Namespace, n.DataAtom)
		if n.Type == html.ElementNode || n.Type == html.TextNode {
			fmt.Fprintf(&b, " %q", n.Data)
		}
		if n.Type == html.ElementNode {
			for _, a := range n.Attr {
				if n.Namespace != "" {
					a.Key = strings.ToLower(a.Key)
				}
				fmt.Fprintf(&b, " %s:%q=%q", a.Namespace, a.Key, a.Val)
			}
		}
		b.WriteByte('\n')
		before := (*html.Node)(nil)
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Parent != n || c.PrevSibling != before {
				b.WriteString("wrong links\n")
			}
			before = c
			walk(c, depth+1)
		}
		if n.LastChild != before {
			b.WriteString("wrong last child\n")
		}
	}
	walk(root, 0)
	return b.String()
}

// compare fails if the trees differ, and reports whether the document was read here.
func compare(t *testing.T, doc string) (own bool) {
	t.Helper()
	tree, err := Parse([]byte(doc))
	defer tree.Free()
	want, wantErr := html.Parse(bytes.NewReader([]byte(doc)))
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("error %v, that of html.Parse is %v: %.2000q", err, wantErr, doc)
	}
	if err != nil {
		return false
	}
	if got, want := outline(tree.Root), outline(want); got != want {
		t.Fatalf("%.2000q\ngot\n%swant\n%s", doc, got, want)
	}
	return tree.own != nil
}

// TestSoup compares the trees of documents that are made up of random pieces.
func TestSoup(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	own := 0
	const documents = 8_000
	for range documents {
		if compare(t, soup(random)) {
			own++
		}
	}
	if own < documents/5 {
		t.Errorf("%d of %d documents were read here", own, documents)
	}
	t.Log(own)
}

// cases are documents with what makes them interesting. own says whether they are read here.
var cases = []struct {
	name, doc string
	own       bool
}{
	{"empty", ``, true},
	{"text only", `hello`, true},
	{"usual", `<!DOCTYPE html><html lang="en"><head><title>A &amp; B</title><meta charset=utf-8></head><body><p>One<p>Two</body></html>`, true},
	{"line breaks", "<pre>\r\n\r\nx\ry</pre><textarea>\n\nz</textarea>", true},
	{"values", `<a href="?a=1&b=2&amp;c=3" title='&lt;&copy;' x=&copy y=&copy=1>z</a>`, true},
	{"names", `<P CLASS=x ID="Y" class=z>text</P>`, true},
	{"list", `<ul><li>a<li>b<ul><li>c</ul></ul><dl><dt>d<dd>e<dt>f</dl>`, true},
	{"table without tbody", `<table><caption>c<b>d</caption><col><tr><td>1<th>2<tr><td><table><td>3</table></table>after`, true},
	{"table in a paragraph", `<!DOCTYPE html><p>a<table><td>b</table>`, true},
	{"table in a paragraph, old", `<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><p>a<table><td>b</table>`, true},
	{"form across rows", `<table><form action=x><tr><td><input name=y></td></tr></form></table>`, true},
	{"bold over paragraphs", `<p><b>a<p>c</b><p>d`, true},
	{"link in a link", `<a href=1>a<a href=2>b</a>`, true},
	{"stray end tags", `</b><p>a</span></div>b</p></p><div></h1></div>`, true},
	{"script in a comment", `<script><!-- if (a < b) "</p>" //--></script>x`, true},
	{"picture", `<svg viewBox="0 0 1 1"><title>t</title><g><path d="M0"/></g><use xlink:href="#i"/></svg>x`, true},
	{"without JavaScript", `<head><noscript><link rel=x></noscript></head><noscript><p>turn it on</noscript>`, true},
	{"after the end", "<body>a</body>\n</html>\n<!-- c -->b", true},
	{"text in a table", `<table>a<tr><td>b</table>`, false},
	{"bold around a block", `<b>a<p>b</b>c`, false},
	{"template", `<template><p>a</template>`, false},
	{"frames", `<frameset><frame src=a></frameset>`, false},
	{"unfinished tag", `<p>a<a href="b`, false},
	{"unfinished comment", `<p>a<!-- b`, false},
	{"unfinished script", `<script>a`, false},
	{"zero byte", "a\x00b", false},
	{"too deep", strings.Repeat("<div>", 600), false},
}

func TestCases(t *testing.T) {
	for _, c := range cases {
		if own := compare(t, c.doc); own != c.own {
			t.Errorf("%s: read here: %v, want %v", c.name, own, c.own)
		}
	}
}

// TestMemoryIsClean parses documents of very different sizes one after the other: nothing of one may be left in the next.
func TestMemoryIsClean(t *testing.T) {
	large := strings.Repeat(`<p class=x id=y>a &amp; b<b>c<table><tr><td>d</table>`, 8*chunkSize)
	for _, doc := range []string{"<p>a", large, "<p>a", `<table><b>`, `<p title=t>a`} {
		compare(t, doc)
	}
}

func FuzzParse(f *testing.F) {
	for _, c := range cases {
		f.Add(c.doc)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		f.Add(soup(random))
	}
	f.Fuzz(func(t *testing.T, doc string) { compare(t, doc) })
}

// BenchmarkParse parses a page of 20 kB with 200 entries, here and by x/net.
func BenchmarkParse(b *testing.B) {
	entry := `<li class="entry"><a href="/doc/%d?a=1&amp;b=2">Page %d</a> <span class="date">1 May</span><p>A short description.</li>` + "\n"
	var doc strings.Builder
	doc.WriteString("<!DOCTYPE html><html><head><title>List</title></head><body><ul>")
	for i := range 200 {
		fmt.Fprintf(&doc, entry, i, i)
	}
	doc.WriteString("</ul></body></html>")
	body := []byte(doc.String())
	b.Run("here", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			tree, _ := Parse(body)
			tree.Free()
		}
	})
	b.Run("x/net", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = html.Parse(bytes.NewReader(body))
		}
	})
}
