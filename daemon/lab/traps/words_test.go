package traps

import (
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// hash is a hash of a text.
func hash(s string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	return (x ^ x>>33) >> 8
}

var syllables = strings.Fields("ba ke li mo nu pa re si to va da fe gi ho ju la me ni po ru sa te vi wo za bel kor lan mir nor pel ras sol tun ver")

// wordOf is a word derived from a text.
func wordOf(s string) string {
	h := hash(s)
	var b strings.Builder
	for range 2 + h%2 {
		h /= 7
		b.WriteString(syllables[h%uint64(len(syllables))])
		h /= uint64(len(syllables))
	}
	return b.String()
}

// small are function words.
var small = strings.Fields("the of and a to in is was for with on as by at from that which it not are this")

// proseOf makes paragraphs with a vocabulary derived from a text.
func proseOf(s string, paragraphs int) []string {
	rng := rand.New(rand.NewPCG(hash(s), 1))
	own := make([]string, 60)
	for i := range own {
		own[i] = wordOf(s + string(rune('a'+i)))
	}
	all := make([]string, paragraphs)
	for i := range all {
		var b strings.Builder
		for range 3 + rng.IntN(3) {
			for w := range 8 + rng.IntN(8) {
				word := own[rng.IntN(len(own))]
				if rng.IntN(5) < 2 {
					word = small[rng.IntN(len(small))]
				}
				if w == 0 {
					word = strings.ToUpper(word[:1]) + word[1:]
				} else {
					b.WriteByte(' ')
				}
				b.WriteString(word)
			}
			b.WriteString(". ")
		}
		all[i] = b.String()
	}
	return all
}
