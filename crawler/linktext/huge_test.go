package linktext

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// hugePages are documents made to be slow. With linear work all of them take a second or two; work that grows with the
// square of the size would take hours.
func hugePages() map[string]string {
	const n = 1_000_000
	return map[string]string{
		"unclosed tags":     "<a href=x>" + strings.Repeat("<b>", n),
		"tags before":       strings.Repeat("<b>", n) + "<a href=x>x</a>",
		"nested anchors":    strings.Repeat("<a href=x>oboe", n/4),
		"closing tags":      strings.Repeat("</a>", n),
		"huge attribute":    strings.Repeat("<b title='"+strings.Repeat("x", n)+"'><a href=x>oboe</a>", 4),
		"huge address":      "<a href='" + strings.Repeat("x", n) + "'>oboe</a><a href=y>tuba</a>",
		"many attributes":   "<a " + strings.Repeat("a=b ", n/2) + "href=x>oboe</a>",
		"huge alternatives": "<a href=x>" + strings.Repeat("<img alt='"+strings.Repeat("tuba ", 1000)+"'>", 500),
		"one word":          "<a href=x>" + strings.Repeat("x", n) + "</a>" + strings.Repeat("y", n) + "<a href=x></a>",
		"entities":          "<a href=x>" + strings.Repeat("&amp", n) + "</a>" + strings.Repeat("&#x", n),
		"one entity":        "<a href=x></a>&#" + strings.Repeat("0", n) + "65;",
		"marks":             "<a href=x>e" + strings.Repeat("\u0301", n),
		"different words":   "<a href=x>" + manyWords(26*26*26),
		"short anchors":     strings.Repeat("oboe <a href=x></a> tuba", n/20),
		"areas":             strings.Repeat("<area href=x alt=oboe>", n/20),
		"comments":          strings.Repeat("<!--", n) + "<a href=x></a>",
		"less than":         strings.Repeat("<", n) + "<a href=x>oboe</a>",
		"bases":             strings.Repeat("<base href=/b/>", n/10) + "<a href=x>",
	}
}

func TestHugePages(t *testing.T) {
	for name, html := range hugePages() {
		t.Run(name, func(t *testing.T) { checkLinks(t, []byte(html), mustExtract(t, New(nil, nil), html)) })
	}
}

// checkLinks checks what holds for the links of every document in UTF-8.
func checkLinks(t *testing.T, body []byte, links []Link) {
	t.Helper()
	if len(links) > MaxLinks {
		t.Fatalf("%d links", len(links))
	}
	last, bytes := -1, 0
	for _, l := range links {
		if l.Pos <= last || l.Pos >= len(body) || body[l.Pos] != '<' {
			t.Fatalf("link at byte %d after one at %d, of %d", l.Pos, last, len(body))
		}
		last = l.Pos
		if u, err := weburl.Canonical(l.URL); err != nil || u != l.URL {
			t.Fatalf("%q: canonical %q, %v", l.URL, u, err)
		}
		if len(l.Words) > MaxWords {
			t.Fatalf("%d words", len(l.Words))
		}
		seen := make(map[string]bool)
		for _, w := range l.Words {
			bytes += len(w.Word)
			if seen[w.Word] || w.N < 1 || !utf8.ValidString(w.Word) || utf8.RuneCountInString(w.Word) < minLetters || strings.ContainsAny(w.Word, " <>&;") {
				t.Fatalf("word %+v", w)
			}
			seen[w.Word] = true
		}
	}
	if bytes > 4*len(body)+64 {
		t.Fatalf("%d bytes of words from a document of %d", bytes, len(body))
	}
}

func FuzzExtract(f *testing.F) {
	f.Add([]byte(northTexas))
	f.Add([]byte(`<base href=b>caf&eacu<a href=x>t&#x301<img alt="&amp;"><a href=//y>z</a>&not`))
	f.Add([]byte("<map><area href=x alt=\xc3></map><!--<a href=y>--><script><a href=z>"))
	f.Add([]byte("<a href=x></a>\u00ade\u0301<h1/>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		links := mustExtract(t, New(nil, nil), string(body))
		if utf8.Valid(body) && !strings.ContainsFunc(string(body), func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfeff }) {
			checkLinks(t, body, links)
		}
	})
}

// BenchmarkExtract reads a page of 1,000 links in running text and lists.
func BenchmarkExtract(b *testing.B) {
	words := strings.Fields("the ice of a glacier moves over its bed when water lifts it and slides back as soon as cold returns in winter")
	var doc strings.Builder
	doc.WriteString("<!doctype html><title>Glaciers</title><body>")
	for i := range 1000 {
		if i%2 == 0 {
			fmt.Fprintf(&doc, `<li class="item"><a href="/part/%d.html">Part %s</a></li>`, i, words[i%len(words)])
			continue
		}
		doc.WriteString("<p>")
		for j := range 40 {
			doc.WriteString(words[(i*7+j*j)%len(words)] + " ")
			if j == 20 {
				fmt.Fprintf(&doc, `<a href="http://b.test/%d">%s %s</a> `, i, words[i%len(words)], words[j])
			}
		}
	}
	body := []byte(doc.String())
	e := New(nil, nil)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if links, err := e.Extract(testURL, page.ContentUTF8, body); err != nil || len(links) != 1000 {
			b.Fatal(len(links), err)
		}
	}
}
