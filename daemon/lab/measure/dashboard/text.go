package dashboard

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/klauspost/compress/gzip"

	"nightjar/daemon/morning/search/words"
)

// vocabulary has made-up words, the frequent ones first, and each as the search index has it.
type vocabulary struct {
	written, indexed []string
	rare             *rand.Zipf
}

// newVocabulary makes n words. Their frequencies follow Zipf's law, as in natural texts.
func newVocabulary(r *rand.Rand, n int) *vocabulary {
	syllables := strings.Fields("ba be bo da de di do fa fe ga go ka ke ki la le li lo ma me mi mo na ne no pa pe po ra re ri ro sa se so ta te ti to va vi wa")
	v := &vocabulary{rare: rand.NewZipf(r, 1.07, 8, uint64(n-1))}
	known := map[string]bool{}
	for len(v.written) < n {
		w := ""
		for range 2 + r.IntN(3) {
			w += syllables[r.IntN(len(syllables))]
		}
		if !known[w] {
			known[w] = true
			v.written, v.indexed = append(v.written, w), append(v.indexed, words.Join(w))
		}
	}
	return v
}

// text returns n words, as they are written and as they are indexed.
func (v *vocabulary) text(n int) (written, indexed string) {
	var a, b strings.Builder
	for range n {
		i := v.rare.Uint64()
		a.WriteString(v.written[i])
		a.WriteByte(' ')
		b.WriteString(v.indexed[i])
		b.WriteByte(' ')
	}
	return strings.TrimSpace(a.String()), strings.TrimSpace(b.String())
}

// document is a made-up page.
type document struct {
	url, title, titleWords, body, bodyWords string
	hash                                    [sha256.Size]byte
	gzip                                    []byte
}

// wordsOfPage is the length of a page's text.
const wordsOfPage = 110

// newDocument makes the page with a number; its links lead to the pages with these numbers.
func (v *vocabulary) newDocument(n int, links []int) *document {
	d := &document{url: address(n)}
	d.title, d.titleWords = v.text(5)
	d.body, d.bodyWords = v.text(wordsOfPage)
	var html bytes.Buffer
	fmt.Fprintf(&html, "<!doctype html><html><head><title>%s</title></head><body><h1>%s</h1><p>%s</p><ul>", d.title, d.title, d.body)
	for _, to := range links {
		fmt.Fprintf(&html, `<li><a href="%s">%s</a></li>`, address(to), v.written[to%len(v.written)])
	}
	html.WriteString("</ul></body></html>")
	d.hash = sha256.Sum256(html.Bytes())
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // the level is valid
	_, _ = z.Write(html.Bytes())                         // into memory
	_ = z.Close()
	d.gzip = packed.Bytes()
	return d
}

// pagesOfHost is the number of pages on a host.
const pagesOfHost = 250

// address is the URL of the page with a number.
func address(n int) string {
	return fmt.Sprintf("https://www.site%d.example/section%d/page-%d", n/pagesOfHost, n%7, n)
}
