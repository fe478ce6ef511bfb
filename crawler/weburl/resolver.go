package weburl

import (
	"regexp"
	"strings"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// Base resolves the references of one document. Most links have a plain form that is joined from parts; the others need
// the URL parser. It is not for concurrent use.
type Base struct {
	url    *whatwg.Url
	origin string // scheme://host of the base; "" when the base itself is not plain
	path   string // of the base
	folder string // of the path, with its last slash

	query func(string) string // see Encode
}

// Encode sets how the queries of references with characters beyond ASCII are written, nil for UTF-8: those of a page in another
// encoding are in that one (URL standard, "encoding override"). encode returns ASCII.
func (b *Base) Encode(encode func(query string) string) { b.query = encode }

// inEncoding writes the query of a reference in the encoding of the document.
func (b *Base) inEncoding(ref string) string {
	if b.query == nil {
		return ref
	}
	rest, fragment, marked := strings.Cut(ref, "#")
	path, query, asked := strings.Cut(rest, "?")
	if !asked || len(ref) > maxRaw || !strings.ContainsFunc(query, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return ref
	}
	ref = path + "?" + b.query(strings.Map(dropBreaks, strings.ToValidUTF8(query, "\uFFFD")))
	if marked {
		ref += "#" + fragment
	}
	return ref
}

// dropBreaks drops what the URL parser drops anywhere.
func dropBreaks(r rune) rune {
	if r == '\t' || r == '\n' || r == '\r' {
		return -1
	}
	return r
}

// NewBase makes the base of the document at url. The errors are those of Canonical.
func NewBase(url string) (*Base, error) {
	own, err := parse(nil, url)
	if err != nil {
		return nil, err
	}
	return newBase(own), nil
}

// With returns the base of a document whose base element has this address, or b if the address is not valid.
func (b *Base) With(href string) *Base {
	if u, err := parse(b.url, b.inEncoding(href)); err == nil {
		with := newBase(u)
		with.query = b.query
		return with
	}
	return b
}

func newBase(base *whatwg.Url) *Base {
	b := &Base{url: base}
	if path := base.Pathname(); base.Username() == "" && base.Password() == "" && plainPath.MatchString(path) {
		b.origin, b.path = base.Scheme()+"://"+base.Host(), path
		b.folder = path[:strings.LastIndexByte(path, '/')+1]
	}
	return b
}

// Resolve returns the canonical URL of a reference in the document. It shares no memory with ref, which may be part of the
// document. The errors are those of Canonical.
func (b *Base) Resolve(ref string) (string, error) {
	if u, ok := b.plain(ref); ok {
		return u, nil
	}
	return resolve(b.url, b.inEncoding(ref))
}

// plain resolves a reference of a plain form; ok is false for any other.
func (b *Base) plain(ref string) (u string, ok bool) {
	ref, fragment, _ := strings.Cut(ref, "#")
	switch {
	case len(ref) > MaxLength || IsRoute(fragment):
		return "", false
	case strings.HasPrefix(ref, "http:") || strings.HasPrefix(ref, "https:"):
		return plainURL(ref)
	case ref == "" || b.origin == "":
		return "", false
	case ref[0] == '/':
		return plainIn(b.origin, ref)
	case ref[0] == '?':
		return plainIn(b.origin, b.path+ref)
	}
	return plainIn(b.origin, b.folder+ref)
}

// plainURL is the canonical form of an absolute URL without fragment that needs no change but the removal of parameters. ok is
// false for any other.
func plainURL(raw string) (u string, ok bool) {
	scheme, rest, _ := strings.Cut(raw, "://")
	slash := strings.IndexByte(rest, '/')
	if scheme != "http" && scheme != "https" || slash < 0 || !plainHost(rest[:slash]) {
		return "", false
	}
	return plainIn(raw[:len(raw)-len(rest)+slash], rest[slash:])
}

// plainIn is the canonical form of a path and query at an origin, both of a plain form.
func plainIn(origin, rest string) (u string, ok bool) {
	path, query, _ := strings.Cut(rest, "?")
	if !plainPath.MatchString(path) || !plainQuery.MatchString(query) {
		return "", false
	}
	u = origin + path
	if query = keepParams(query); query != "" {
		u += "?" + query
	}
	return u, len(u) <= MaxLength
}

// What the URL parser and the removal of sessions leave unchanged.
var (
	// plainPath has no empty segment before the last, none that begins with a dot or a parenthesis, and no escaped dot.
	plainPath  = regexp.MustCompile(`^/(?:` + pathBytes + `(?:[.(]|` + pathBytes + `)*(?:/|$))*$`)
	plainQuery = regexp.MustCompile(`^[A-Za-z0-9\-_~+,!()*=$&./:;%@?]*$`)
	plainName  = regexp.MustCompile(`^[a-z0-9]+(?:[.-][a-z0-9]+)*$`)
)

const pathBytes = `(?:[A-Za-z0-9\-_~+,!)*=$&]|%(?:[013-9A-Fa-f][0-9A-Fa-f]|2[0-9A-DFa-df]))`

// maxLabel is the length in bytes of the longest label of a host.
const maxLabel = 63

// plainHost reports whether a host is a name that the URL parser leaves unchanged: labels of lower-case letters, digits and single
// inner hyphens. The last label has only letters, so that the host is not an IP address.
func plainHost(host string) bool {
	return len(host) <= maxLabel && plainName.MatchString(host) && !strings.ContainsAny(host[strings.LastIndexByte(host, '.')+1:], "0123456789-")
}
