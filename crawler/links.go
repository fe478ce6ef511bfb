package crawler

import (
	"crypto/sha256"
	"encoding/binary"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
)

// Limits on the shape of a URL that is followed: what is longer, deeper or repeats itself more is a trap far more
// often than a page.
const (
	maxURL     = 2048 // bytes
	maxDepth   = 20   // path segments
	maxRepeats = 3    // times the same segment occurs in a path
)

// follow reports whether a link may be followed at all: it carries no secret, does nothing but show a page, and does
// not look like a trap.
func follow(link string) bool {
	if len(link) > maxURL || page.Secret(link) {
		return false
	}
	u, err := url.Parse(link)
	if err != nil {
		return false
	}
	segments := strings.FieldsFunc(u.EscapedPath(), func(r rune) bool { return r == '/' })
	if len(segments) > maxDepth || repeats(segments) > maxRepeats {
		return false
	}
	return !page.Action(link)
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

func repeats(segments []string) int {
	seen, most := make(map[string]int), 0
	for _, s := range segments {
		seen[s]++
		most = max(most, seen[s])
	}
	return most
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

// notAPage matches the titles of pages that stand where another page should be.
var notAPage = regexp.MustCompile(`(?i)^\W*(error )?404\b|^\W*(not found|access denied|forbidden|just a moment|attention required)\b|` +
	`\b(page|file|document) (was |could )?not (be )?found\b|\bare you (a )?(human|robot)\b|\bcaptcha\b`)

// noFind says why a page is not shown however relevant it looks, "" when it may be.
func noFind(p *page.Page) string {
	switch {
	case p.NoIndex:
		return "the page asks not to be indexed"
	case p.PasswordField:
		return "the page asks for a password"
	case notAPage.MatchString(p.Title):
		return "the title says that the page is missing or closed"
	}
	return ""
}
