package crawler

import (
	"crypto/sha256"
	"encoding/binary"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/trap"
	"nightjar/crawler/weburl"
)

// Where links come from that do not stand on the page: the Path of a Link.
const (
	fromSitemap   = "sitemap"
	fromCanonical = "canonical"
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

// admit asks the guard about a link once more when its turn has come: since it was queued the guard may have learned. A
// link that is refused is dropped.
func (in *intake) admit(e frontier.Entry) bool {
	if in.o.Trap == nil || e.Depth == 0 {
		return true
	}
	why := in.o.Trap.Admit(e.URL)
	if why == "" {
		return true
	}
	in.refused[why]++
	in.recorder.batch.Dropped = append(in.recorder.batch.Dropped, e.URL)
	return false
}

// withCandidates is a page's links and after them the addresses that its host's sitemaps gave, which come with the first
// answer of the host, and the canonical address that the page names. Links that are there already come once.
func (in *intake) withCandidates(f *Fetch, links []page.Link) []page.Link {
	p, host := f.Page, weburl.Host(f.FinalURL)
	if p.NoFollow {
		return links
	}
	known := make(map[string]bool, len(links)+1)
	for _, l := range links {
		known[l.URL] = true
	}
	known[f.FinalURL] = true
	for _, u := range in.waiting[host] {
		if !known[u] {
			known[u] = true
			links = append(links, page.Link{URL: u, Path: fromSitemap})
		}
	}
	delete(in.waiting, host)
	if u := p.Canonical; in.o.Trap != nil && u != "" && !known[u] && weburl.Site(u) == weburl.Site(f.FinalURL) {
		links = append(links, page.Link{URL: u, Path: fromCanonical})
	}
	return links
}

// readFrameset handles a frameset page, which is no step of a path: its frames take its place, with its parent's
// state and its own priority.
func (in *intake) readFrameset(f *Fetch, e frontier.Entry) bool {
	if !frameset(f.Page) {
		return false
	}
	f.Credit = true
	for _, fr := range f.Page.Frames {
		if fr.Kind != "frame" {
			continue
		}
		child := e
		child.URL, child.Attempts, child.Retries = fr.URL, 0, 0
		if !f.Page.NoFollow {
			in.queue(f, child)
		}
	}
	return true
}

// withInlineFrames is a page's links and after them its iframes on the same site.
func withInlineFrames(p *page.Page) []page.Link {
	links := p.Links
	for _, fr := range p.Frames {
		known := slices.ContainsFunc(p.Links, func(l page.Link) bool { return l.URL == fr.URL })
		if !known && weburl.Site(fr.URL) == weburl.Site(p.URL) {
			links = append(links, page.Link{URL: fr.URL})
		}
	}
	return links
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

func cut(s string, runes int) string {
	if len(s) <= runes {
		return s
	}
	r := []rune(s)
	return string(r[:min(runes, len(r))])
}
