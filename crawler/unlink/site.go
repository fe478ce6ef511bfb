package unlink

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/idna"

	"nightjar/crawler/weburl"
)

// Site is a host with the hosts below it. It is safe for concurrent use.
type Site struct {
	host  string
	names []string // forms of the host in lower case: ASCII, then Unicode if that is another
}

// New returns the site of a host, in ASCII, lower case and without port, as in canonical URLs.
func New(host string) *Site {
	s := &Site{host: strings.ToLower(host)}
	s.names = []string{s.host}
	if shown, err := idna.ToUnicode(s.host); err == nil && shown != s.host {
		s.names = append(s.names, strings.ToLower(shown))
	}
	return s
}

// Host returns the site's host.
func (s *Site) Host() string { return s.host }

// Forms returns the forms of the host in lower case: ASCII, then Unicode if that is another.
func (s *Site) Forms() []string { return slices.Clone(s.names) }

// On reports whether a URL is on the site.
func (s *Site) On(url string) bool {
	name := strings.TrimSuffix(weburl.Host(url), ".")
	return name == s.host || strings.HasSuffix(name, "."+s.host)
}

// Names reports whether a text names the site, be it as an address, inside of one, or as a bare name.
func (s *Site) Names(text string) bool {
	found := false
	s.each(fold([]byte(text)), func(string, int, int) bool {
		found = true
		return false
	})
	return found
}

// May reports whether a document may name the site. When it reports false, nothing is to be taken out.
func (s *Site) May(doc []byte) bool {
	text := folded(doc, &joined)
	for _, name := range s.names {
		if bytes.Contains(text, []byte(name)) {
			return true
		}
	}
	return false
}

// each calls f with the places of the site's names in a folded text, until f returns false.
func (s *Site) each(folded []byte, f func(text string, from, to int) bool) {
	text := string(folded)
	for _, name := range s.names {
		for at := 0; ; {
			i := strings.Index(text[at:], name)
			if i < 0 {
				break
			}
			from, to := at+i, at+i+len(name)
			at = from + 1
			if (from == 0 || !inName(text[from-1])) && endsName(text[to:]) && !f(text, from, to) {
				return
			}
		}
	}
}

// inName reports whether a byte can stand in a label of a host. Bytes above ASCII are of letters of other scripts, which may
// stand before an address without a space.
func inName(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}

// endsName reports whether a host ends before a text.
func endsName(rest string) bool {
	if rest == "" {
		return true
	}
	if rest[0] == '.' {
		return len(rest) == 1 || !inName(rest[1])
	}
	return !inName(rest[0])
}

// isAddress reports whether a folded text has an address that names the site, and not only its bare name.
func (s *Site) isAddress(folded []byte) bool {
	found := false
	s.each(folded, func(text string, from, to int) bool {
		for from > 0 && (inName(text[from-1]) || text[from-1] == '.') {
			from--
		}
		before, after := text[:from], text[to:]
		found = strings.HasSuffix(before, "/") || strings.HasSuffix(before, "@") || strings.HasSuffix(before, "=") ||
			strings.HasPrefix(after, "/") || strings.HasPrefix(after, "?") || strings.HasPrefix(after, "#") ||
			len(after) > 1 && after[0] == ':' && '0' <= after[1] && after[1] <= '9'
		return !found
	})
	return found
}
