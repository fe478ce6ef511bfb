package fetch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"time"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

const (
	// maxToken bounds one tag or text in bytes: a document with a larger one is not a list.
	maxToken = 256 << 10
	// maxLineBytes bounds a line of a plain-text list.
	maxLineBytes = 64 << 10
	// maxField bounds the text of an element in bytes.
	maxField = 8 << 10
	// maxEntryTitle bounds the title of an entry in bytes.
	maxEntryTitle = 300
)

type listEntry struct {
	loc   string    // as written
	mod   time.Time // last change, zero if unknown
	title string    // as plain text, "" for none
	index bool      // the entry is another sitemap
}

// parseList reads a sitemap, a sitemap index, a feed, or a list of URLs, compressed or not, and adds its entries to p.
// It reads at most maxListBytes bytes. The error is a network or compression error; the entries before it are kept.
func parseList(w *wire, encodings []string, p *picker) error {
	w.limit = maxListBytes
	r, done, err := decoder(w, encodings)
	if err != nil {
		return err
	}
	defer done()
	b := bufio.NewReader(io.LimitReader(r, maxListBytes))
	if head, _ := b.Peek(2); bytes.Equal(head, []byte{0x1f, 0x8b}) { // a gzip file without Content-Encoding
		z, err := gzip.NewReader(b)
		if err != nil {
			return err
		}
		defer z.Close()
		b = bufio.NewReader(io.LimitReader(z, maxListBytes))
	}
	text, err := charset.NewReader(b, "")
	if err != nil { // empty, or the connection broke at once
		return w.err
	}
	b = bufio.NewReader(text)
	if isMarkup(b) {
		return parseMarkup(b, p)
	}
	return parseLines(b, p)
}

// isMarkup reports whether a text begins with a tag, after a byte order mark and spaces.
func isMarkup(b *bufio.Reader) bool {
	head, _ := b.Peek(1024)
	return bytes.HasPrefix(bytes.TrimLeft(head, "\ufeff \t\r\n"), []byte("<"))
}

// parseLines reads one URL a line.
func parseLines(b *bufio.Reader, p *picker) error {
	lines := bufio.NewScanner(b)
	lines.Buffer(nil, maxLineBytes)
	for lines.Scan() {
		if loc := strings.Trim(lines.Text(), "\ufeff \t\r"); strings.HasPrefix(loc, "http") {
			p.add(listEntry{loc: loc})
		}
	}
	return ignoreSize(lines.Err())
}

func ignoreSize(err error) error {
	if err == bufio.ErrTooLong || err == xhtml.ErrBufferExceeded || err == io.EOF {
		return nil
	}
	return err
}

// markup is the state of the parser.
type markup struct {
	kind, prefix string // of the current entry's element, "" outside an entry
	entry        listEntry
	guid         string          // address by the guid of an item, for one without a link
	ownText      strings.Builder // text of the entry itself
	field        string          // current element of the entry, with its prefix
	text         strings.Builder
}

// parseMarkup reads sitemaps (urlset, sitemapindex), RSS and Atom tag by tag. It builds no tree, expands only HTML
// entities, and holds one token at a time, so that nesting, repetition and declarations cost no memory.
func parseMarkup(r io.Reader, p *picker) error {
	z := xhtml.NewTokenizer(r)
	z.SetMaxBuf(maxToken)
	z.AllowCDATA(true)
	var m markup
	for {
		switch kind := z.Next(); kind {
		case xhtml.ErrorToken:
			return ignoreSize(z.Err())
		case xhtml.TextToken:
			m.write(z.Text())
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			z.NextIsNotRawText() // in XML no element is special
			name, more := z.TagName()
			m.open(string(name), z, more)
		case xhtml.EndTagToken:
			name, _ := z.TagName()
			m.close(string(name), p)
		}
	}
}

func (m *markup) write(text []byte) {
	switch {
	case m.field != "" && m.text.Len() < maxField:
		m.text.Write(text[:min(len(text), maxField)])
	case m.field == "" && m.kind != "" && m.ownText.Len() < maxField:
		m.ownText.Write(text[:min(len(text), maxField)])
	}
}

// open begins an entry or one of its fields. Only elements in the entry's namespace are fields, and the date of RSS 1.0: image:loc is
// none.
func (m *markup) open(name string, z *xhtml.Tokenizer, more bool) {
	prefix, local := splitName(name)
	switch {
	case m.kind == "" && isEntry(local):
		*m = markup{kind: local, prefix: prefix}
		m.entry.index = local == "sitemap"
	case m.kind == "" || prefix != m.prefix && name != dublinDate:
		m.field = ""
	case local == "link" && more:
		m.href(z)
	case local == "guid" && !permanent(z, more):
		m.field = "id" // not an address
	default:
		m.field = name
		m.text.Reset()
	}
}

// href reads an Atom link to the page itself, not to an editing or other service.
func (m *markup) href(z *xhtml.Tokenizer) {
	var href, rel string
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "href":
			href = string(value)
		case "rel":
			rel = string(value)
		}
	}
	if m.entry.loc == "" && (rel == "" || rel == "alternate") {
		m.entry.loc = href
	}
	m.field = ""
}

// permanent reports whether the guid of an RSS item is its address, as it is unless it says otherwise (RSS 2.0, guid).
func permanent(z *xhtml.Tokenizer, more bool) bool {
	for more {
		var key, value []byte
		if key, value, more = z.TagAttr(); string(key) == "ispermalink" { // the tokenizer lowers names
			return !strings.EqualFold(strings.TrimSpace(string(value)), "false")
		}
	}
	return true
}

// close ends a field or the entry.
func (m *markup) close(name string, p *picker) {
	prefix, local := splitName(name)
	switch {
	case m.kind == "" || prefix != m.prefix && name != dublinDate:
		return
	case name == m.field:
		m.set(strings.TrimSpace(m.text.String()))
	case local == m.kind:
		if m.entry.loc == "" {
			m.entry.loc = m.guid
		}
		if m.entry.loc == "" { // some files put the URL directly into the entry
			m.entry.loc = strings.TrimSpace(m.ownText.String())
		}
		if m.entry.loc != "" {
			p.add(m.entry)
		}
		*m = markup{}
	}
	m.field = ""
}

// dublinDate is the element with the date of an item in RSS 1.0 (web.resource.org/rss/1.0/modules/dc).
const dublinDate = "dc:date"

func (m *markup) set(text string) {
	_, local := splitName(m.field)
	switch local {
	case "loc", "link":
		if m.entry.loc == "" {
			m.entry.loc = text
		}
	case "guid":
		if strings.HasPrefix(text, "http") { // others say no more than a number
			m.guid = text
		}
	case "title":
		if m.entry.title == "" && (m.kind == "item" || m.kind == "entry") {
			m.entry.title = plainTitle(text)
		}
	case "lastmod", "updated", "pubdate", "date":
		m.entry.mod = listDate(text)
	}
}

// plainTitle returns a title, which may be HTML, as text.
func plainTitle(s string) string {
	if strings.ContainsAny(s, "<&") {
		var b strings.Builder
		for z := xhtml.NewTokenizer(strings.NewReader(s)); z.Err() == nil; {
			if z.Next() == xhtml.TextToken {
				b.Write(z.Text())
			}
			z.NextIsNotRawText()
		}
		s = b.String()
	}
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "")
	if len(s) > maxEntryTitle {
		s = strings.ToValidUTF8(s[:maxEntryTitle], "")
	}
	return s
}

func splitName(name string) (prefix, local string) {
	if prefix, local, ok := strings.Cut(name, ":"); ok {
		return prefix, local
	}
	return "", name
}

func isEntry(local string) bool {
	return local == "url" || local == "sitemap" || local == "entry" || local == "item"
}

// listDates are the forms of dates in lists: W3C datetimes, and those of RSS (RFC 822), with days of one digit and without a weekday.
var listDates = []string{
	time.RFC3339, "2006-01-02", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01", "2006",
	"Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04:05 MST",
}

// listDate parses a date; it returns zero for what is none.
func listDate(s string) time.Time {
	for _, form := range listDates {
		if t, err := time.Parse(form, s); err == nil {
			return t
		}
	}
	return time.Time{}
}
