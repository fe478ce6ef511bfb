package frame

import (
	"unicode"
	"unicode/utf8"
)

// mostAccents is how many accents a page shows on one letter. Tibetan stacks and Hebrew with cantillation need fewer.
const mostAccents = 6

// thinAccents leaves out what strangers heap on a letter beyond mostAccents: no line can be broken there, so that a heap may
// be higher than its card or, where the font shows each accent on a circle of its own, wider than the window.
func thinAccents(page []byte) []byte {
	var out []byte // nil until something is left out
	run, kept := 0, 0
	for at := 0; at < len(page); {
		if page[at] < utf8.RuneSelf {
			run = 0
			at++
			continue
		}
		r, size := utf8.DecodeRune(page[at:])
		if !unicode.Is(unicode.M, r) {
			run = 0
		} else if run++; run > mostAccents {
			out = append(out, page[kept:at]...)
			kept = at + size
		}
		at += size
	}
	if kept == 0 {
		return page
	}
	return append(out, page[kept:]...)
}
