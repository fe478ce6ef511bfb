package page

import (
	"math"
	"regexp"
	"strings"
)

// secretNames are parameters whose value lets its holder in, or says who somebody is. Names are compared in lower
// case without "-", "_" and ".".
var secretNames = set(`token key sig signature auth authorization authkey code state session sess sid sessionid sessid
	phpsessid jsessionid jwt password passwd passwort passphrase pwd pass pw secret credential credentials email mail
	otp pin totp ticket nonce hmac csrf xsrf assertion samlresponse samlrequest accesskey awsaccesskeyid
	googleaccessid apikey bearer cookie`)

// secretEndings are what compound names of such parameters end with: access_token, client-secret, X-Api-Key.
var secretEndings = []string{"token", "secret", "password", "passwd", "signature", "apikey", "accesskey", "sessionid",
	"sessid", "authcode", "email", "otp", "jwt", "credential"}

// secretPaths are path segments that often have a one-time secret behind them.
var secretPaths = set(`reset resetpassword password verify verification confirm confirmation activate activation invite
	invitation unsubscribe magic login signin token auth session share shared s`)

// wordy are parameters that hold what a person typed; their length and variety say nothing.
var wordy = set(`q query search searchterm term terms keyword keywords kw text title name wd words subject topic`)

// Secret reports whether a URL carries credentials, or what looks like a secret token: userinfo, a parameter known to
// hold one (empty values do not count), a long random-looking value, the same in the fragment, or a random-looking
// path segment behind a word like "reset".
func Secret(url string) bool {
	_, hit := scrub(url)
	return hit
}

// Redact returns the URL without fragment and userinfo, and without the values of all that Secret looks for. The names
// of parameters stay. It is "" for what is no http or https address. Secret(Redact(u)) is false.
func Redact(url string) string {
	if _, err := parse(nil, url); err != nil {
		return ""
	}
	clean, _ := scrub(url)
	return clean
}

// scrub blanks the secrets of a URL and reports whether there were any.
func scrub(raw string) (clean string, hit bool) {
	raw = strings.ToValidUTF8(raw, "\uFFFD")
	if u, err := parse(nil, raw); err == nil {
		raw = u.Href(false) // undoes backslashes, line feeds and other spellings that hide a part
	}
	rest, fragment, _ := strings.Cut(raw, "#")
	if _, bad := scrubParams(fragment); bad {
		hit = true
	}
	rest, query, hasQuery := strings.Cut(rest, "?")
	head, path := splitAuthority(rest)
	if before, authority, ok := strings.Cut(head, "//"); ok {
		if i := strings.LastIndexByte(authority, '@'); i >= 0 {
			head, hit = before+"//"+authority[i+1:], true
		}
	}
	path, bad := scrubPath(path)
	hit = hit || bad
	clean = head + path
	if hasQuery {
		query, bad = scrubParams(query)
		hit = hit || bad
		clean += "?" + query
	}
	return clean, hit
}

// splitAuthority parts "scheme://authority" from the path.
func splitAuthority(s string) (head, path string) {
	start := strings.Index(s, "//")
	if start < 0 {
		return "", s
	}
	if i := strings.IndexByte(s[start+2:], '/'); i >= 0 {
		return s[:start+2+i], s[start+2+i:]
	}
	return s, ""
}

// scrubParams empties the secret values of a query.
func scrubParams(query string) (clean string, hit bool) {
	if query == "" {
		return "", false
	}
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		if value == "" {
			if random(unescape(name)) { // a bare token: ?eyJhbGciOi…
				parts[i], hit = "", true
			}
			continue
		}
		if secretParam(name, value) {
			parts[i], hit = name+"=", true
			if random(unescape(name)) {
				parts[i] = ""
			}
		}
	}
	return strings.Join(parts, "&"), hit
}

// secretParam reports whether the parameter's value, which is not empty, must not be kept.
func secretParam(name, value string) bool {
	name = strings.ToLower(unescape(name))
	if strings.HasPrefix(name, "x-amz-") || strings.HasPrefix(name, "x-goog-") {
		return true
	}
	name = strings.NewReplacer("-", "", "_", "", ".", "", "[", "", "]", "").Replace(name)
	if secretNames[name] {
		return true
	}
	for _, end := range secretEndings {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return random(unescape(name)) || !wordy[name] && random(unescape(value))
}

// joints are what the words of a path segment are joined by.
var joints = strings.NewReplacer("-", "", "_", "")

// scrubPath blanks session identifiers in path parameters, and random-looking segments behind a telling word.
func scrubPath(path string) (clean string, hit bool) {
	if clean = sessionPath.ReplaceAllString(path, ""); clean != path {
		hit = true
	}
	segments := strings.Split(clean, "/")
	told := false
	for i, segment := range segments {
		word := strings.ToLower(joints.Replace(segment))
		switch {
		case told && random(unescape(segment)):
			segments[i], hit = "-", true
		case secretPaths[word]:
			told = true
		}
	}
	return strings.Join(segments, "/"), hit
}

// minSecret is the length from which a random-looking run of characters is taken for a secret: 20 of them hold more
// than a person types or a counter counts to.
const minSecret = 20

// minEntropy, in bits a character, separates random strings (about 4 and more, hexadecimal ones somewhat below) from
// numbers and repeated patterns.
const minEntropy = 3.0

var uuid = regexp.MustCompile(`(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// random reports whether s holds a run of characters that looks drawn at random, and not written by a person: long,
// varied, and of mixed kinds of characters other than words and numbers joined by hyphens.
func random(s string) bool {
	if len(s) < minSecret {
		return false
	}
	if uuid.MatchString(s) {
		return true
	}
	for token := range strings.FieldsFuncSeq(s, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r == '_')
	}) {
		if len(token) >= minSecret && entropy(token) >= minEntropy && mixed(token) {
			return true
		}
	}
	return false
}

// entropy is the Shannon entropy of the bytes of s, in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	var h float64
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			h -= p * math.Log2(p)
		}
	}
	return h
}

// mixed reports whether letters and digits, or small and capital letters, alternate inside the words of a token more
// often than writing does.
func mixed(token string) bool {
	changes := 0
	for word := range strings.FieldsFuncSeq(token, func(r rune) bool { return r == '-' || r == '_' }) {
		for i := 1; i < len(word); i++ {
			a, b := kind(word[i-1]), kind(word[i])
			camel := b == 'A' && i+1 < len(word) && kind(word[i+1]) == 'a'
			if a != b && !(a == 'A' && b == 'a') && !(a == 'a' && camel) { // neither Word nor camelCase is a change
				changes++
			}
		}
	}
	return changes >= 4
}

func kind(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '0'
	case c >= 'a' && c <= 'z':
		return 'a'
	}
	return 'A'
}
