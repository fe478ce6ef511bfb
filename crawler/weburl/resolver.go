package weburl

import (
	"strings"
	"unicode/utf8"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// Base resolves the references of one document. Most links have a plain form that is joined from parts; the others need
// the URL parser. It is not for concurrent use.
type Base struct {
	raw    string      // the URL as given, when it is plain and not parsed yet
	url    *whatwg.Url // see parsed
	origin string      // scheme://host of the base; "" when the base itself is not plain
	path   string      // of the base
	folder string      // of the path, with its last slash

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
	if _, ok := plainURL(url); ok {
		scheme, rest, _ := strings.Cut(url, "://")
		if host, path, ok := strings.Cut(rest, "/"); ok {
			path, _, _ = strings.Cut(path, "?")
			return joining(&Base{raw: url}, scheme+"://"+host, "/"+path), nil
		}
	}
	own, err := parse(nil, url)
	if err != nil {
		return nil, err
	}
	return newBase(own), nil
}

// With returns the base of a document whose base element has this address, or b if the address is not valid.
func (b *Base) With(href string) *Base {
	if u, err := parse(b.parsed(), b.inEncoding(href)); err == nil {
		with := newBase(u)
		with.query = b.query
		return with
	}
	return b
}

func newBase(base *whatwg.Url) *Base {
	b := &Base{url: base}
	path := base.Pathname()
	if base.Username() != "" || base.Password() != "" || path == "" || path[0] != '/' || !plainPath(path) {
		return b
	}
	return joining(b, base.Scheme()+"://"+base.Host(), path)
}

// joining sets the parts from which references are joined.
func joining(b *Base, origin, path string) *Base {
	b.origin, b.path = origin, path
	b.folder = path[:strings.LastIndexByte(path, '/')+1]
	return b
}

// parsed is the base as the URL parser reads it.
func (b *Base) parsed() *whatwg.Url {
	if b.url == nil {
		b.url, _ = parse(nil, b.raw) // a plain URL is valid
	}
	return b.url
}

// Resolve returns the canonical URL of a reference in the document. It shares no memory with ref, which may be part of the
// document. The errors are those of Canonical.
func (b *Base) Resolve(ref string) (string, error) {
	u, ok := b.plain(ref)
	if !ok {
		var err error
		if u, err = resolve(b.parsed(), b.inEncoding(ref)); err != nil {
			return "", err
		}
	}
	if strings.HasPrefix(ref, u) {
		u = strings.Clone(u)
	}
	return u, nil
}

// plain resolves a reference of a plain form; ok is false for any other.
func (b *Base) plain(ref string) (u string, ok bool) {
	if len(ref) > MaxLength || b.origin == "" {
		return "", false
	}
	ref, fragment, _ := strings.Cut(ref, "#")
	if IsRoute(fragment) {
		return "", false
	}
	if strings.HasPrefix(ref, "http:") || strings.HasPrefix(ref, "https:") {
		return plainURL(ref)
	}
	path, query, _ := strings.Cut(ref, "?")
	path, folder, moved := b.descend(path)
	if !plainPath(path) || !plainQuery(query) {
		return "", false
	}
	switch {
	case moved:
		if path != "" && path[0] == '/' {
			return "", false
		}
	case path == "" && query == "":
		return "", false
	case path == "":
		folder, path = "", b.path
	case path[0] == '/':
		folder = ""
	}
	u = b.origin + folder + path
	if query = keepParams(query); query != "" {
		u += "?" + query
	}
	return u, len(u) <= MaxLength
}

// descend follows the ./ and ../ at the beginning of a relative path, from the folder of the base. moved reports whether there
// was one.
func (b *Base) descend(path string) (rest, folder string, moved bool) {
	for folder = b.folder; ; moved = true {
		switch {
		case strings.HasPrefix(path, "./"):
			path = path[2:]
		case strings.HasPrefix(path, "../"):
			path = path[3:]
			folder = folder[:strings.LastIndexByte(folder[:max(0, len(folder)-1)], '/')+1]
			if folder == "" {
				folder = "/" // there is nothing above the root
			}
		default:
			return path, folder, moved
		}
	}
}

// plainURL is the canonical form of an absolute URL without fragment that needs no change but the removal of parameters,
// and the slash after the host. ok is false for any other.
func plainURL(raw string) (u string, ok bool) {
	rest, ok := strings.CutPrefix(raw, "http://")
	if !ok {
		if rest, ok = strings.CutPrefix(raw, "https://"); !ok {
			return "", false
		}
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		return raw + "/", plainHost(rest)
	}
	if !plainHost(rest[:slash]) {
		return "", false
	}
	path, query, asked := strings.Cut(rest[slash:], "?")
	if !plainPath(path) || !plainQuery(query) {
		return "", false
	}
	if !asked {
		return raw, len(raw) <= MaxLength
	}
	u = raw[:len(raw)-len(query)-1]
	if query = keepParams(query); query != "" {
		u += "?" + query
	}
	return u, len(u) <= MaxLength
}

// plainHost reports whether a host is a name that the URL parser leaves unchanged: labels of lower-case letters, digits and
// single inner hyphens. The last label has only letters, so that the host is not an IP address.
func plainHost(host string) bool {
	if len(host) > 253 {
		return false
	}
	label, letters := 0, true // length of the label, and whether it has letters only
	for i := range len(host) {
		switch c := host[i]; {
		case 'a' <= c && c <= 'z':
			label++
		case '0' <= c && c <= '9':
			label++
			letters = false
		case c == '-':
			if label == 0 || i+1 == len(host) || host[i+1] == '-' || host[i+1] == '.' {
				return false
			}
			label++
			letters = false
		case c == '.':
			if label == 0 {
				return false
			}
			label, letters = 0, true
		default:
			return false
		}
		if label > 63 {
			return false
		}
	}
	return label > 0 && letters
}

// plainPath reports whether the URL parser and the removal of sessions leave a path unchanged: only letters, digits,
// - _ . ~ + , ! ( ) * = $ & and escapes but that of a dot, no empty segment before the last, and none that begins with a dot
// or a parenthesis.
func plainPath(path string) bool {
	for i := range len(path) {
		switch c := path[i]; {
		case c == '(' && (i == 0 || path[i-1] == '/'): // may be a session
			return false
		case plainBytes[c]&inPath != 0:
		case c == '.':
			if i == 0 || path[i-1] == '/' { // a segment that begins with a dot may be one of dots
				return false
			}
		case c == '%':
			if strings.HasPrefix(path[i:], "%2e") || strings.HasPrefix(path[i:], "%2E") {
				return false
			}
		case c == '/':
			if i > 0 && path[i-1] == '/' || i == 0 && len(path) > 1 && path[1] == '/' {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// plainQuery is plainPath for a query.
func plainQuery(query string) bool {
	for i := range len(query) {
		if plainBytes[query[i]]&inQuery == 0 {
			return false
		}
	}
	return true
}

const (
	inPath = 1 << iota
	inQuery
)

// plainBytes says in which parts of a URL a character always stays unchanged.
var plainBytes = func() (kinds [256]byte) {
	for c := range 128 {
		switch c := byte(c); {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_~+,!()*=$&", c) >= 0:
			kinds[c] = inPath | inQuery
		case strings.IndexByte("./:;%@?", c) >= 0:
			kinds[c] = inQuery
		}
	}
	return kinds
}()
