package archive

import (
	"testing"

	"nightjar/crawler/fetch"
)

// BenchmarkWrite keeps pages of 30 kB: compressible as HTML is, and as servers send it.
func BenchmarkWrite(b *testing.B) {
	html := filler("<p class=entry>some words of a page</p>", 30_000)
	for _, c := range []struct {
		name string
		body func(i int) string
	}{
		{"plain", func(i int) string { return filler(string(rune('a'+i%26)), 12) + html }},
		{"revisit", func(int) string { return html }},
	} {
		b.Run(c.name, func(b *testing.B) {
			a := mustOpen(b, b.TempDir(), &shown{night}, 0)
			e := []fetch.Exchange{got("http://a.test/some/page.html", 200, html)}
			b.ReportAllocs()
			b.SetBytes(int64(len(html)))
			for i := 0; b.Loop(); i++ {
				e[0].Body = append(e[0].Body[:0], c.body(i)...)
				e[0].Body[0] = byte(i)
				e[0].Body[1], e[0].Body[2] = byte(i>>8), byte(i>>16)
				if c.name == "revisit" {
					copy(e[0].Body, html)
				}
				mustWrite(b, a, e...)
			}
		})
	}
}
