package models

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// Properties of made-up pages. They are chosen to resemble 700 articles of an encyclopedia: the median page has 600
// distinct terms besides stop words, nine in ten have 150 to 1,400, and the vocabulary grows with the number of pages, to
// about 60,000 terms in 700.
const (
	commonWords = 8000 // words that pages on all topics share
	topicWords  = 3000 // words of one topic
	topicCount  = 12
	exponent    = 1.15 // of Zipf's law
	medianWords = 2000 // of the log-normal length of a page
	lengthSigma = 0.7
	farthest    = 3   // links to a target at most
	mostTargets = 120 // of a site of any size
)

// stops are common stop words.
var stops = strings.Fields("the of and to in a is that it was for on are as with they be at this have from or by not but what all were when we there can an your which their")

// maker makes up pages. The same seed makes the same pages.
type maker struct {
	rng    *rand.Rand
	common *rand.Zipf
	topic  *rand.Zipf
	first  [topicCount]int // number of each topic's first word
	next   int             // number of the next word that only one page has
}

// newMaker returns a maker. Its topics depend on the seed.
func newMaker(seed uint64) *maker {
	rng := rand.New(rand.NewPCG(seed, 0x7a697066))
	m := &maker{rng: rng, common: rand.NewZipf(rng, exponent, 4, commonWords-1), topic: rand.NewZipf(rng, exponent, 4, topicWords-1)}
	at := commonWords + rng.IntN(1<<20)*topicCount*topicWords
	for i := range m.first {
		m.first[i] = at + i*topicWords
	}
	m.next = at + topicCount*topicWords
	return m
}

// site makes n pages that link to each other: one in six is a target, up to mostTargets, and the others are one to
// farthest links away from a target. The nearer a page is to a target, the more of its words are on the targets' topic.
func (m *maker) site(n int) []document {
	var at [farthest + 1][]int // pages by distance
	distance := make([]int, n)
	for i := range n {
		if distance[i] = 1 + i%farthest; i%6 == 0 && i/6 < mostTargets {
			distance[i] = 0
		}
		at[distance[i]] = append(at[distance[i]], i)
	}
	pages := make([]document, n)
	for i, d := range distance {
		pages[i] = document{URL: address(i), Target: d == 0, HTML: m.html(i, d, m.links(n, d, at[max(0, d-1)], distance))}
	}
	return pages
}

// address is the URL of a page.
func address(i int) string { return fmt.Sprintf("https://www.site%d.test/pages/%d.html", i%7, i) }

// links draws pages to link to: some one link nearer to a target, and others that do not shorten the way.
func (m *maker) links(n, d int, nearer, distance []int) []int {
	var links []int
	if len(nearer) > 0 && d > 0 {
		for range 1 + m.rng.IntN(3) {
			links = append(links, nearer[m.rng.IntN(len(nearer))])
		}
	}
	for range 5 + m.rng.IntN(25) {
		if to := m.rng.IntN(n); distance[to] >= d-1 {
			links = append(links, to)
		}
	}
	return links
}

// html writes a page with script, style, menu, title, paragraphs with links, and footer.
func (m *maker) html(i, d int, links []int) []byte {
	share := []float64{.7, .35, .15, .05}[d] // words on the targets' topic
	own := 1 + i%(topicCount-1)
	word := func() string {
		if m.rng.Float64() < share {
			return m.word(0)
		}
		return m.word(own)
	}
	var b strings.Builder
	title := word() + " " + word()
	fmt.Fprintf(&b, "<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>%s</title><style>body{margin:0 auto}</style>"+
		"<script>window.stat={page:%d}</script></head><body><nav><ul>", title, i)
	for k := range 6 {
		fmt.Fprintf(&b, "<li><a href=%q>%s</a>", fmt.Sprintf("/section/%d/", k), wordOf(k))
	}
	fmt.Fprintf(&b, "</ul></nav><main><h1>%s</h1><p>", title)
	length := int(min(9000, max(30, medianWords*math.Exp(m.rng.NormFloat64()*lengthSigma))))
	every := max(1, length/(len(links)+1))
	for n := range length {
		text := word()
		if k := n / every; n%every == 0 && k < len(links) {
			text = fmt.Sprintf("<a href=%q>%s %s</a>", address(links[k]), text, word())
		}
		b.WriteString(text)
		if n%90 == 89 {
			b.WriteString(".</p>\n<p>")
		} else {
			b.WriteByte(' ')
		}
	}
	b.WriteString("</p></main><footer>Contact and imprint</footer></body></html>")
	return []byte(b.String())
}

// word draws a word of a text on a topic.
func (m *maker) word(topic int) string {
	switch p := m.rng.Float64(); {
	case p < .45:
		return stops[m.rng.IntN(len(stops))]
	case p < .72:
		return wordOf(int(m.common.Uint64()))
	case p < .985:
		return wordOf(m.first[topic] + int(m.topic.Uint64()))
	default: // names, numbers, mistakes
		m.next++
		return wordOf(m.next)
	}
}

// wordOf spells a number as a pronounceable word, different for each number.
func wordOf(n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b []byte
	for more := true; more; more = n > 0 {
		b = append(b, consonants[n%len(consonants)])
		n /= len(consonants)
		b = append(b, vowels[n%len(vowels)])
		n /= len(vowels)
	}
	return string(append(b, "ktx"[len(b)%3]))
}
