package archive

import (
	"math/rand/v2"
	"testing"

	"nightjar/crawler/fetch"
)

// BenchmarkWrite keeps pages: 30 kB of HTML, 8 kB as servers send that compressed, and a page that was kept before.
func BenchmarkWrite(b *testing.B) {
	html := []byte(filler("<p class=entry>some words of a page</p>", 30_000))
	packed := make([]byte, 8_000)
	rng := rand.NewChaCha8([32]byte{})
	_, _ = rng.Read(packed)
	for _, c := range []struct {
		name string
		body []byte
		same bool
	}{{"plain", html, false}, {"gzip", packed, false}, {"revisit", html, true}} {
		b.Run(c.name, func(b *testing.B) {
			a := mustOpen(b, b.TempDir(), &shown{night}, 0)
			e := []fetch.Exchange{got("http://a.test/some/page.html", 200, string(c.body))}
			if c.name == "gzip" {
				e[0].Header.Set("Content-Encoding", "gzip")
			}
			b.ReportAllocs()
			b.SetBytes(int64(len(c.body)))
			for i := 0; b.Loop(); i++ {
				if !c.same {
					e[0].Body[0], e[0].Body[1], e[0].Body[2] = byte(i), byte(i>>8), byte(i>>16)
				}
				mustWrite(b, a, e...)
			}
		})
	}
}
