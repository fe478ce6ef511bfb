package archive

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"unicode/utf8"

	"nightjar/crawler/charset"
	"nightjar/crawler/fetch"
	"nightjar/crawler/unlink"
	"nightjar/crawler/warc"
)

// EraseSite is Erase for a site, and takes it out of the records of other sites: links to it from pages, headers and requests
// that name it. A record that names it and cannot be changed, such as a PDF, is deleted. Lengths and digests are those of what
// is left; a rewritten body is stored as UTF-8 and without the encoding in which it was sent.
func (a *Archive) EraseSite(site *unlink.Site, moved func(file string, to map[int64]int64) error) (Erased, error) {
	return a.erase(func(url string) bool { return site.On(url) || site.Names(url) }, site, moved)
}

// cleanRecord is a record without a site.
type cleanRecord struct {
	changed  bool
	hopeless bool // it names the site and cannot be changed
	head     []byte
	body     []byte
	digest   string // of the body, "" if that is the same
	utf8     bool   // the body is in UTF-8 now
}

// append writes the record, with some fields changed besides.
func (c *cleanRecord) append(b *bytes.Buffer, rec *warc.Record, as map[string]string) error {
	all := map[string]string{}
	if c.changed {
		all["Warc-Block-Digest"] = ""
	}
	if c.digest != "" {
		all["Warc-Payload-Digest"] = c.digest
	}
	maps.Copy(all, as)
	return warc.Append(b, fields(rec, all), c.head, c.body)
}

// cleaned returns a record without the site. The body of a revisit is that of an answer, unless that is nil.
func (r *rewrite) cleaned(rec *warc.Record, of *warc.Answer) *cleanRecord {
	if of == nil && r.last == rec {
		return r.lastClean
	}
	c := r.clean(rec, of)
	if of == nil {
		r.last, r.lastClean = rec, c
	}
	return c
}

func (r *rewrite) clean(rec *warc.Record, of *warc.Answer) *cleanRecord {
	c := &cleanRecord{head: rec.Block}
	answer, err := rec.Answer()
	switch {
	case r.site == nil, err != nil && rec.Type() != "request":
		if of != nil {
			c.body = of.Body
		}
		return c
	case err != nil:
		c.head = r.cleanHead(rec.Block)
		c.changed = len(c.head) != len(rec.Block)
		return c
	}
	header, body := answer.Header, answer.Body
	if of != nil {
		header, body = of.Header, of.Body
	}
	b := r.cleanBody(rec.Target(), header, body)
	c.hopeless, c.head, c.body = b.hopeless, r.cleanHead(answer.Head), body
	c.changed = b.changed || len(c.head) != len(answer.Head)
	if b.changed {
		c.setBody(b)
	}
	if id, _, _ := rec.RefersTo(); of == nil && r.bodies[id].changed {
		c.setBody(r.bodies[id])
		c.body = nil
	}
	return c
}

// setBody gives a record another body.
func (c *cleanRecord) setBody(b cleanedBody) {
	c.changed, c.head, c.body, c.digest = true, ownLength(c.head, b.size, b.utf8), b.body, b.digest
	c.utf8 = b.utf8
}

// cleanedBody is a body without a site, decoded.
type cleanedBody struct {
	changed, hopeless, utf8 bool
	body                    []byte // nil where only the rest is wanted
	size                    int
	digest                  string
}

// cleanBody takes the site out of a body as it was sent.
func (r *rewrite) cleanBody(url string, header http.Header, body []byte) cleanedBody {
	if r.site == nil || len(body) == 0 {
		return cleanedBody{}
	}
	plain, err := fetch.Decoded(header, body)
	if err != nil && len(plain) == 0 {
		return cleanedBody{hopeless: r.site.May(body)}
	}
	var b cleanedBody
	contentType := header.Get("Content-Type")
	if media := strings.ToLower(contentType); !utf8.Valid(plain) || bytes.Contains(plain[:min(len(plain), 64)], []byte{0}) {
		if media == "" || strings.HasPrefix(media, "text/") || strings.Contains(media, "html") || strings.Contains(media, "xml") {
			plain, b.utf8 = charset.UTF8(contentType, plain), true
		}
	}
	clean, changed, ok := r.site.Clean(url, contentType, plain)
	if b.hopeless = !ok; !changed {
		return b
	}
	digest := sha256.Sum256(clean)
	b.changed, b.body, b.size, b.digest = true, clean, len(clean), fmt.Sprintf("sha256:%x", digest)
	return b
}

// cleanHead returns the lines of a head that do not name the site; the first line stays.
func (r *rewrite) cleanHead(head []byte) []byte {
	if !r.site.May(head) {
		return head
	}
	return keepLines(head, func(line []byte) bool { return !r.site.Names(string(line)) })
}

// keepLines returns the first line of a head and those that are to be kept. A line that begins with a space belongs to the one
// before.
func keepLines(head []byte, keep func(line []byte) bool) []byte {
	lines := bytes.SplitAfter(head, []byte("\n"))
	kept := bytes.Clone(lines[0])
	for i := 1; i < len(lines); {
		whole := bytes.Clone(lines[i])
		for i++; i < len(lines) && len(lines[i]) > 0 && (lines[i][0] == ' ' || lines[i][0] == '\t'); i++ {
			whole = append(whole, lines[i]...)
		}
		if keep(whole) {
			kept = append(kept, whole...)
		}
	}
	return kept
}

// ownLength returns a head for a body of a length that is stored as it is.
func ownLength(head []byte, length int, utf8 bool) []byte {
	kept := keepLines(head, func(line []byte) bool {
		name, _, _ := strings.Cut(strings.ToLower(string(line)), ":")
		switch strings.TrimSpace(name) {
		case "content-length", "content-encoding", "transfer-encoding", "content-md5", "digest", "repr-digest", "content-digest":
			return false
		}
		return true
	})
	if utf8 {
		kept = inUTF8(kept)
	}
	end := bytes.LastIndex(kept, []byte("\r\n\r\n"))
	if end < 0 {
		return kept
	}
	return fmt.Appendf(kept[:end:end], "\r\nContent-Length: %d\r\n\r\n", length)
}

// inUTF8 says in a head that the text is in UTF-8.
func inUTF8(head []byte) []byte {
	lines := bytes.SplitAfter(head, []byte("\n"))
	for i, line := range lines {
		if name, value, _ := strings.Cut(string(line), ":"); strings.EqualFold(strings.TrimSpace(name), "content-type") {
			media, _, _ := strings.Cut(value, ";")
			lines[i] = fmt.Appendf(nil, "Content-Type: %s; charset=utf-8\r\n", strings.TrimSpace(media))
		}
	}
	return bytes.Join(lines, nil)
}
