package crawler

import (
	"crypto/sha256"
	"encoding/binary"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
)

// follow reports whether a link may be followed at all: it carries no secret, does nothing but show a page, and does
// not look like a trap.
func follow(link string) bool {
	if _, err := url.Parse(link); err != nil {
		return false // what no request can be made of
	}
	return trap.Shape(link) == "" && !weburl.Secret(link) && !weburl.Action(link)
}

// Follows lists the addresses that a crawl queues from an answer, in their order: the frames of a frameset, otherwise
// the links and the inline frames of the same site. Strategies say which of them comes first, not
// which come at all, so this is also the link graph of whoever knows a whole web.
func Follows(r fetch.Response) []string {
	p := read(&r)
	if p == nil || p.NoFollow {
		return nil
	}
	var all []string
	for _, fr := range p.Frames {
		if fr.Kind == "frame" && follow(fr.URL) {
			all = append(all, fr.URL)
		}
	}
	if frameset(p) {
		return all
	}
	for _, l := range withInlineFrames(p) {
		if !l.NoFollow && follow(l.URL) {
			all = append(all, l.URL)
		}
	}
	return all
}

// frameset reports whether frames take the place of a page.
func frameset(p *page.Page) bool {
	return slices.ContainsFunc(p.Frames, func(fr page.Frame) bool { return fr.Kind == "frame" })
}

// textHash is 64 bits of the hash of a text without regard to case, white space and punctuation; 0 when nothing is
// left of it.
func textHash(text string) int64 {
	h := sha256.New()
	var buf []byte
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		buf = append(append(buf[:0], word...), ' ')
		h.Write(buf)
	}
	if buf == nil {
		return 0
	}
	return int64(binary.BigEndian.Uint64(h.Sum(nil)))
}
