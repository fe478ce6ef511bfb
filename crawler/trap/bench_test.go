package trap_test

import (
	"fmt"
	"testing"

	"nightjar/crawler/page"
	"nightjar/crawler/trap"
)

// BenchmarkAdmit checks a link, which a crawl does about a hundred times a page.
func BenchmarkAdmit(b *testing.B) {
	g := trap.New(trap.Options{Pages: 2000})
	urls := make([]string, 400) // twenty a host: nothing is closed
	for i := range urls {
		urls[i] = fmt.Sprintf("http://www.example%d.com/section-%d/2026/11/a-story-about-%x.html?page=%d&sort=date", i%20, i%7, i*7919, i)
		read(g, urls[i], prose(uint64(i)))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		g.Admit(urls[i%len(urls)])
	}
}

// BenchmarkPage records a page with some 500 bytes of text.
func BenchmarkPage(b *testing.B) {
	g := trap.New(trap.Options{Pages: 1 << 30})
	text := prose(1)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		g.Page(trap.Read{URL: "http://a.test/a", Page: &page.Page{URL: "http://a.test/a", Text: text}})
	}
}
