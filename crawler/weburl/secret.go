package weburl

import (
	"regexp"
	"slices"
	"strings"
)

// Redacted replaces a secret in a URL. The name of the parameter stays, to show what was removed.
const Redacted = "redacted"

// nesting is the depth to which addresses within parameters of addresses are checked.
const nesting = 3

// Secret reports whether an http or https URL contains credentials or what looks like a secret token, or did before it was
// redacted: userinfo, a parameter known for secrets (unless empty), one that may have secrets if its value looks random, any long
// random value, the same in an address inside a parameter or in the fragment, or a random path segment after a word like
// "reset". Only the person may open such a URL.
func Secret(url string) bool {
	_, hit := scrub(url, nesting)
	return hit
}

// Redact removes all that Secret finds in an http or https URL, with userinfo and the fragment unless it is a route, and puts
// Redacted in the place of a value. It returns "" for anything else. It corrects spellings that browsers accept (backslashes for slashes, tabs
// and line ends anywhere, too many slashes before the host, a scheme in upper case) and keeps all other bytes.
// Redact(Redact(u)) = Redact(u).
//
// The extension does the same before it queues an event; the vectors in daemon/browse/protocol/testdata test both.
func Redact(url string) string {
	clean, _ := scrub(url, nesting)
	return clean
}

// scrub removes the secrets of a URL and reports whether there were any.
func scrub(raw string, depth int) (clean string, hit bool) {
	a, ok := split(raw)
	if !ok {
		return "", false
	}
	if i := strings.LastIndexByte(a.authority, '@'); i >= 0 {
		a.authority, hit = a.authority[i+1:], true
	}
	path, told, inPath := scrubPath(a.authority, a.path, hostTells(a.authority), depth)
	query, inQuery := scrubPairs(a.query, max(told, queryTells(a.query)), depth)
	route, inFragment := scrubRoute(a.fragment, told, depth)
	hit = hit || inFragment || inPath || inQuery
	if a.authority == "" {
		return "", hit
	}
	clean = a.scheme + "://" + a.authority + path
	if a.asked {
		clean += "?" + query
	}
	return clean + route, hit
}

// address is an http or https URL in its parts, read as the WHATWG URL standard does, but not decoded or encoded.
type address struct {
	scheme, authority, path string
	query                   string
	asked                   bool // there is a query, possibly empty
	fragment                string
}

func split(raw string) (a address, ok bool) {
	rest, fragment, _ := strings.Cut(invisible.Replace(raw), "#")
	blank := func(r rune) bool { return r <= ' ' }
	rest, a.query, a.asked = strings.Cut(strings.TrimFunc(rest, blank), "?")
	scheme, rest, ok := strings.Cut(strings.ReplaceAll(rest, `\`, "/"), ":")
	a.scheme, a.fragment = lower(scheme), strings.TrimRightFunc(fragment, blank)
	if !ok || a.scheme != "http" && a.scheme != "https" {
		return a, false
	}
	rest = strings.TrimLeft(rest, "/")
	end := strings.IndexByte(rest, '/')
	if end < 0 {
		end = len(rest)
	}
	a.authority, a.path = rest[:end], rest[end:]
	return a, true
}

// invisible are the characters that URL parsers remove anywhere.
var invisible = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// scrubPairs removes the secret values of the parameters of a query, which are separated by "&" or ";". told is what the path
// before it says.
func scrubPairs(pairs string, told telling, depth int) (clean string, hit bool) {
	var b strings.Builder
	revision := told < hinted && showsRevision(pairs)
	for more := true; more; {
		end := strings.IndexAny(pairs, "&;")
		if more = end >= 0; !more {
			end = len(pairs)
		}
		pair, bad := scrubPair(pairs[:end], told, revision, depth)
		b.WriteString(pair)
		hit = hit || bad
		if more {
			b.WriteByte(pairs[end])
			pairs = pairs[end+1:]
		}
	}
	return b.String(), hit
}

// scrubPair is scrubPairs for one parameter. revision says that those beside it show a revision.
func scrubPair(pair string, told telling, revision bool, depth int) (clean string, hit bool) {
	name, value, _ := strings.Cut(pair, "=")
	text := Unescape(name)
	switch {
	case pair == Redacted:
		return pair, true
	case random(text, untold) || token(text) || hasInnerSecret(text, depth): // a bare token: ?eyJhbGciOi…
		return Redacted, true
	case revision && digest.MatchString(value) && !secretName(plain(text)) && !hintName(plain(text)):
		return pair, false
	case value != "" && secretValue(plain(text), Unescape(value), told, depth):
		return name + "=" + Redacted, true
	}
	return pair, false
}

// secretValue reports whether the decoded, non-empty value of a parameter must not be stored. told is what the path before
// it says.
func secretValue(name, value string, told telling, depth int) bool {
	if secretName(name) || token(value) || program(value) || hasInnerSecret(value, depth) {
		return true
	}
	if _, whole := split(value); keptNames[name] && (told == untold || !shortNames[name]) || whole && depth > 0 || rangeNames[name] && digest.MatchString(value) {
		return false
	}
	switch {
	case value == Redacted || email(value) && !messageID(value):
		return true
	case hintName(name):
		return hintedSecret(value, told)
	case number(value):
		return told == announced && typed(value)
	case told == open:
		return random(value, untold)
	}
	return random(value, told)
}

// shortCode is the form of a code that names a course, a product or a station, or a vehicle (ISO 3779).
var shortCode = regexp.MustCompile(`^[0-9A-Z .:/-]{1,12}$|^[0-9A-HJ-NPR-Z]{13}[0-9]{4}$`)

// hintedSecret reports whether the decoded value of a parameter, whose name may be that of a secret, looks like one: random text that is
// no short code, or a number that is longer than those of products and times. If more hints at a secret, less is enough.
func hintedSecret(value string, told telling) bool {
	digits := number(value)
	switch {
	case told == announced:
		return digits && len(value) >= 4 || random(value, announced)
	case digits:
		return len(value) >= 16 || told == hinted && typed(value)
	}
	return random(value, hinted) && !shortCode.MatchString(value)
}

// typed reports whether a number has as many digits as those that people type to be let in.
func typed(number string) bool { return len(number) >= 6 && len(number) <= 8 }

// secretName reports whether the value of a parameter is secret, whatever it looks like.
func secretName(name string) bool {
	return secretNames[name] || strings.HasPrefix(name, "xamz") || strings.HasPrefix(name, "xgoog") || ends(name, secretEndings)
}

// hintName reports whether the value of a parameter is secret if it looks like that.
func hintName(name string) bool { return hintNames[name] || ends(name, hintEndings) }

// ends reports whether a name is longer than one of the endings that it has.
func ends(name string, endings []string) bool {
	return slices.ContainsFunc(endings, func(end string) bool { return len(name) > len(end) && strings.HasSuffix(name, end) })
}

// digest is the form of the name of a revision.
var digest = regexp.MustCompile(`^[0-9a-f]{40}$|^[0-9a-f]{64}$`)

// showsRevision reports whether the parameters of a query show a revision of sources, which a digest names: ?p=tide.git;a=blob;h=HASH.
func showsRevision(pairs string) bool {
	for pair := range strings.FieldsFuncSeq(pairs, func(r rune) bool { return r == '&' || r == ';' }) {
		if _, value, _ := strings.Cut(pair, "="); revisionWords[plain(value)] || strings.HasSuffix(value, ".git") {
			return true
		}
	}
	return false
}

// hasInnerSecret reports whether a decoded text is a URL, or a relative one with a query, that contains a secret.
func hasInnerSecret(text string, depth int) bool {
	if depth == 0 {
		return false
	}
	if _, whole := split(text); whole {
		_, hit := scrub(text, depth-1)
		return hit
	}
	_, query, asked := strings.Cut(text, "?")
	if !asked {
		return false
	}
	_, hit := scrubPairs(query, untold, depth-1)
	return hit
}

// program reports whether a value is an address that runs a script or holds a document.
func program(value string) bool {
	scheme, _, ok := strings.Cut(strings.TrimLeftFunc(value, func(r rune) bool { return r <= ' ' }), ":")
	if !ok || len(scheme) > 10 {
		return false
	}
	scheme = lower(scheme)
	return scheme == "javascript" || scheme == "data" || scheme == "vbscript" || scheme == "blob"
}

var joints = strings.NewReplacer("-", "", "_", "", ".", "", "[", "", "]", "")

// plain is a name in lower case without separators.
func plain(name string) string { return lower(joints.Replace(name)) }

// lower converts only ASCII letters, as the extension does: no other letter may become one.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
