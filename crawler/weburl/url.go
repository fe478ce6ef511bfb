package weburl

import (
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/publicsuffix"
)

// MaxLength is the length in bytes of the longest canonical URL. Longer ones are mostly traps.
const MaxLength = 2048

// maxRaw bounds the input of the URL parser: a raw URL may fit MaxLength after it loses tracking parameters.
const maxRaw = 4 * MaxLength

// Errors of Canonical and Resolve.
var (
	ErrScheme = errors.New("not an http or https address")
	ErrLong   = fmt.Errorf("address longer than %d bytes", MaxLength)
	ErrURL    = errors.New("not a valid address")
)

// Canonical returns the canonical form of an absolute URL, which identifies a page everywhere: parsed by the WHATWG URL
// standard, without fragment unless it is a route (#/… or #!…), default port, and parameters for tracking and sessions. It decodes
// no escapes, keeps index.html and the order of parameters, and keeps userinfo, so that Secret can find it.
//
// Canonical(Canonical(u)) = Canonical(u). The errors are ErrScheme, ErrLong and ErrURL.
func Canonical(raw string) (string, error) { return Resolve("", raw) }

// Resolve returns the canonical URL of the reference ref in the document at base. If base is empty, ref is absolute.
func Resolve(base, ref string) (string, error) {
	if base == "" {
		return resolve(nil, ref)
	}
	b, err := parse(nil, base)
	if err != nil {
		return "", err
	}
	return resolve(b, ref)
}

// resolve is Resolve with the base parsed already, nil for none.
func resolve(base *whatwg.Url, ref string) (string, error) {
	if len(ref) > maxRaw {
		return "", ErrLong
	}
	if u, ok := plainURL(ref); ok {
		return u, nil
	}
	return parsed(base, ref)
}

// parsed is resolve by the URL parser.
func parsed(base *whatwg.Url, ref string) (string, error) {
	u, err := parse(base, ref)
	if err != nil {
		return "", err
	}
	// Removing a session from the path can leave a dot segment ("..;jsessionid=1"), which needs another parse. One more
	// round is enough in every known case; the bound is for the unknown ones.
	for range 4 {
		path := u.Pathname()
		clean := withoutSessions(path)
		s := assemble(u, clean, keepParams(u.Query())) + keepRoute(u.Fragment())
		if clean == path {
			if len(s) > MaxLength {
				return "", ErrLong
			}
			return s, nil
		}
		if u, err = parse(nil, s); err != nil {
			return "", err
		}
	}
	return "", ErrURL
}

// parse parses ref against base, if any, and refuses all but http and https URLs with a host.
func parse(base *whatwg.Url, ref string) (*whatwg.Url, error) {
	var u *whatwg.Url
	var err error
	ref = strings.ToValidUTF8(ref, "\uFFFD")
	if base == nil {
		u, err = whatwg.Parse(ref)
	} else {
		u, err = base.Parse(ref)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %.80q", ErrURL, ref)
	}
	if s := u.Scheme(); s != "http" && s != "https" {
		return nil, ErrScheme
	}
	if strings.Trim(u.Hostname(), ".") == "" {
		return nil, ErrURL
	}
	return u, nil
}

// assemble makes a URL from its parsed parts, with another path and query.
func assemble(u *whatwg.Url, path, query string) string {
	var b strings.Builder
	b.WriteString(u.Scheme())
	b.WriteString("://")
	if u.Username() != "" || u.Password() != "" {
		b.WriteString(u.Username())
		if u.Password() != "" {
			b.WriteByte(':')
			b.WriteString(u.Password())
		}
		b.WriteByte('@')
	}
	b.WriteString(u.Host())
	if path == "" {
		path = "/"
	}
	b.WriteString(path)
	if query != "" {
		b.WriteByte('?')
		b.WriteString(query)
	}
	return b.String()
}

// sessionPath matches session identifiers that servers write into the path: as a path parameter, and ASP.NET's
// "cookieless" ones, a segment like (S(lit3py55t21z5v55vlm25s55)) or (A(…)F(…)).
var sessionPath = regexp.MustCompile(`(?i);(?:jsessionid|jsession|phpsessid|sessionid|session_id|sessid|sid|cfid|cftoken|aspsessionid[a-z]*|oscsid|zenid)=[^/;]*` +
	`|/\((?:[asfx]\([^()/]*\))+\)(?:/|$)`)

// withoutSessions removes session identifiers from a path.
func withoutSessions(path string) string {
	if !strings.Contains(path, ";") && !strings.Contains(path, "/(") {
		return path
	}
	return sessionPath.ReplaceAllStringFunc(path, func(found string) string {
		name, value, _ := strings.Cut(found, "=")
		switch {
		case found[0] == '/':
			return "/"
		case isDropped(strings.ToLower(name[1:]), Unescape(value), path):
			return ""
		}
		return found
	})
}

// Unescape decodes %xx and + in a query component. It leaves malformed escapes unchanged.
func Unescape(s string) string {
	if !strings.ContainsAny(s, "%+") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '+' {
			c = ' '
		} else if c == '%' && i+2 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				c = byte(v)
				i += 2
			}
		}
		b = append(b, c)
	}
	return string(b)
}

// Host returns the lower-case host name of a URL, without port, brackets and userinfo, or "" if it has none.
func Host(url string) string {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return ""
	}
	if i := strings.IndexAny(rest, `/?#\`); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if strings.HasPrefix(rest, "[") {
		if i := strings.IndexByte(rest, ']'); i > 0 {
			return strings.ToLower(rest[1:i])
		}
		return ""
	}
	if i := strings.IndexByte(rest, ':'); i >= 0 {
		rest = rest[:i]
	}
	return strings.ToLower(rest)
}

// Origin returns the part of a canonical URL before its path: scheme, host and port.
func Origin(url string) string {
	i := strings.Index(url, "://") + 3
	if j := strings.IndexByte(url[i:], '/'); j >= 0 {
		return url[:i+j]
	}
	return url
}

// WithoutPort is a host, or a site, without its port.
func WithoutPort(host string) string {
	if i := strings.LastIndexByte(host, ':'); i > 0 && !strings.HasSuffix(host, "]") {
		return host[:i]
	}
	return host
}

// isAddress reports whether a host is an IP address. An IP address ends in a digit or contains a colon.
func isAddress(host string) bool {
	if n := len(host); n == 0 || (host[n-1] < '0' || host[n-1] > '9') && strings.IndexByte(host, ':') < 0 {
		return false
	}
	_, err := netip.ParseAddr(host)
	return err == nil
}

// Site returns the registrable domain of a URL (example.co.uk), which has one owner. It is the whole host for IP addresses,
// single labels, public suffixes, and hosts below .test and .localhost.
func Site(url string) string {
	host := strings.TrimSuffix(Host(url), ".")
	if isAddress(host) {
		return host
	}
	if last := host[strings.LastIndexByte(host, '.')+1:]; last == "test" || last == "localhost" {
		return host
	}
	if site, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return site
	}
	return host
}
