package weburl

import (
	"slices"
	"strings"
)

// Redacted stands where a secret stood in an address. The parameter's name stays, so that one can see what was there.
const Redacted = "redacted"

// secretNames are parameters whose value lets its holder in, or says who somebody is, whatever it looks like. Names are
// compared as plain makes them.
var secretNames = set(`token accesstoken refreshtoken idtoken authtoken requesttoken csrf csrftoken xsrf xsrftoken
	key apikey privatekey secretkey accesskey awsaccesskeyid googleaccessid secret clientsecret sig signature hmac
	auth authkey authorization bearer cookie oauth oauthtoken oauthverifier code state session sess sessionid sessid sid
	phpsessid jsessionid aspsessionid cfid cftoken jwt assertion samlresponse samlrequest password passwd passwort
	passphrase pass pwd pw pin otp totp email mail username ticket credential credentials nonce invite invitation magic
	resetkey resettoken confirmationtoken verify verification unsubscribe`)

// secretEndings are what compound names of such parameters end with: access_token, client-secret, X-Api-Key.
var secretEndings = []string{"token", "secret", "password", "passwd", "signature", "apikey", "accesskey", "sessionid",
	"sessid", "authcode", "email", "otp", "jwt", "credential"}

// secretPaths are path segments that often have a one-time secret behind them: /reset/TOKEN.
var secretPaths = set(`reset resetpassword passwordreset password verify verification confirm confirmation activate
	activation invite invitation magic unsubscribe token auth oauth login signin session share shared s`)

// keptNames are parameters that hold what a person looked for, or the page's own name; the length and variety of their
// values say nothing. What is an address in them is looked at all the same.
var keptNames = set(`q query search searchterm term terms keyword keywords kw text title name wd words subject topic
	s p page id v url`)

// nesting is how deep addresses in the parameters of addresses are looked into.
const nesting = 3

// Secret reports whether an http or https address carries credentials or what looks like a secret token, or carried one
// before it was redacted: userinfo, a parameter known to hold one (empty values do not count), a long random-looking
// value, the same in an address inside a parameter or in the fragment, or a random-looking path segment behind a word
// like "reset". Such an address leads nowhere that others may go.
func Secret(url string) bool {
	_, hit := scrub(url, nesting)
	return hit
}

// Redact takes out of an http or https address all that Secret looks for, with fragment and userinfo; Redacted stands
// where a value stood. It is "" for what is no such address. Spellings that browsers read over (backslashes for slashes,
// tabs and line ends anywhere, too many slashes before the host, a scheme in capitals) are put right; the rest is kept
// byte for byte. Redact(Redact(u)) = Redact(u).
//
// The extension does the same before anything is queued; daemon/protocol/testdata/redact.json pins both.
func Redact(url string) string {
	clean, _ := scrub(url, nesting)
	return clean
}

// scrub takes out the secrets of an address and reports whether there were any.
func scrub(raw string, depth int) (clean string, hit bool) {
	a, ok := split(raw)
	if !ok {
		return "", false
	}
	if i := strings.LastIndexByte(a.authority, '@'); i >= 0 {
		a.authority, hit = a.authority[i+1:], true
	}
	_, inFragment := scrubPairs(a.fragment, depth)
	path, inPath := scrubPath(a.path, depth)
	query, inQuery := scrubPairs(a.query, depth)
	hit = hit || inFragment || inPath || inQuery
	if a.authority == "" {
		return "", hit
	}
	clean = a.scheme + "://" + a.authority + path
	if a.asked {
		clean += "?" + query
	}
	return clean, hit
}

// address is an http or https URL in its parts, read as the WHATWG URL standard does, but not decoded or encoded.
type address struct {
	scheme, authority, path string
	query                   string
	asked                   bool // there is a query, if an empty one
	fragment                string
}

func split(raw string) (a address, ok bool) {
	rest, fragment, _ := strings.Cut(invisible.Replace(raw), "#")
	rest, a.query, a.asked = strings.Cut(strings.TrimFunc(rest, func(r rune) bool { return r <= ' ' }), "?")
	scheme, rest, ok := strings.Cut(strings.ReplaceAll(rest, `\`, "/"), ":")
	a.scheme, a.fragment = lower(scheme), fragment
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

// invisible are the characters that URL parsers take out wherever they stand.
var invisible = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// scrubPath takes out the values of path parameters (;jsessionid=…) that are secrets, and random-looking segments
// anywhere behind a telling word.
func scrubPath(path string, depth int) (clean string, hit bool) {
	segments := strings.Split(path, "/")
	told := false
	for i, segment := range segments {
		own, parameters, has := strings.Cut(segment, ";")
		word := Unescape(own)
		if told && (own == Redacted || random(word, minSegment)) {
			segments[i], hit = Redacted, true
			continue
		}
		told = told || secretPaths[plain(word)]
		if has {
			clean, bad := scrubPairs(parameters, depth)
			segments[i], hit = own+";"+clean, hit || bad
		}
	}
	return strings.Join(segments, "/"), hit
}

// scrubPairs takes out the secret values of the parameters of a query, which "&" or ";" separates.
func scrubPairs(pairs string, depth int) (clean string, hit bool) {
	var b strings.Builder
	for more := true; more; {
		end := strings.IndexAny(pairs, "&;")
		if more = end >= 0; !more {
			end = len(pairs)
		}
		pair, bad := scrubPair(pairs[:end], depth)
		b.WriteString(pair)
		hit = hit || bad
		if more {
			b.WriteByte(pairs[end])
			pairs = pairs[end+1:]
		}
	}
	return b.String(), hit
}

func scrubPair(pair string, depth int) (clean string, hit bool) {
	name, value, _ := strings.Cut(pair, "=")
	text := Unescape(name)
	switch {
	case pair == Redacted:
		return pair, true
	case random(text, minSecret) || inside(text, depth): // a bare token: ?eyJhbGciOi…
		return Redacted, true
	case value != "" && secretValue(plain(text), Unescape(value), depth):
		return name + "=" + Redacted, true
	}
	return pair, false
}

// secretValue reports whether a parameter's decoded value, which is not empty, must not be kept.
func secretValue(name, value string, depth int) bool {
	if secretNames[name] || strings.HasPrefix(name, "xamz") || strings.HasPrefix(name, "xgoog") {
		return true
	}
	if inside(value, depth) || slices.ContainsFunc(secretEndings, func(end string) bool { return strings.HasSuffix(name, end) }) {
		return true
	}
	if _, whole := split(value); keptNames[name] || whole && depth > 0 {
		return false
	}
	return value == Redacted || random(value, minSecret)
}

// inside reports whether a decoded text is an address, or a relative one with a query, that carries a secret.
func inside(text string, depth int) bool {
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
	_, hit := scrubPairs(query, depth-1)
	return hit
}

var joints = strings.NewReplacer("-", "", "_", "", ".", "", "[", "", "]", "")

// plain is a name in lower case without what joins its words.
func plain(name string) string { return lower(joints.Replace(name)) }

// lower lowers ASCII letters only, as the extension does: no other letter may turn into one.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
