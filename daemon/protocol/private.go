package protocol

import (
	"math"
	"net/url"
	"strings"
)

// Redacted stands where a secret stood in a URL. The parameter's name stays, so that one can see what was there.
const Redacted = "redacted"

// secretNames are query parameters whose values are secrets whatever they look like, in lower case without - _ . [ ].
var secretNames = set("token accesstoken refreshtoken idtoken authtoken csrf csrftoken xsrf xsrftoken requesttoken " +
	"key apikey privatekey secret clientsecret sig signature hmac auth authorization oauth oauthtoken oauthverifier " +
	"code state session sessionid sessid sid phpsessid jsessionid aspsessionid cfid cftoken jwt assertion samlresponse samlrequest " +
	"password passwd pass pwd pin otp email mail username ticket credential credentials nonce invite invitation magic " +
	"resetkey resettoken confirmationtoken verify verification unsubscribe")

// secretEndings are what compound names of such parameters end with: password_reset_token, X-Api-Key.
var secretEndings = []string{"token", "secret", "password", "passwd", "signature", "apikey", "accesskey", "sessionid",
	"sessid", "authcode", "email", "otp", "jwt", "credential"}

// secretWords come before a path segment that is a secret: /reset/TOKEN.
var secretWords = set("reset resetpassword passwordreset password verify verification confirm confirmation activate activation " +
	"invite invitation magic unsubscribe token auth oauth login signin share session")

// keepNames are parameters whose values are what the person looked for or the page's own name, and so never secrets.
var keepNames = set("q query search s p page id title v url")

func set(words string) map[string]bool {
	all := make(map[string]bool)
	for w := range strings.FieldsSeq(words) {
		all[w] = true
	}
	return all
}

// Redact takes the secrets out of an http or https URL: fragment, user and password, values of parameters that are
// known to carry secrets or look like one, and path segments that look like one after a word such as "reset". What it
// keeps is kept byte for byte. Redact(Redact(u)) = Redact(u). The extension does the same before anything is queued.
func Redact(raw string) string {
	rest, _, _ := strings.Cut(raw, "#")
	scheme, rest, ok := strings.Cut(rest, "://")
	if !ok {
		return raw
	}
	end := len(rest)
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		end = i
	}
	authority, rest := rest[:end], rest[end:]
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	path, query, asked := strings.Cut(rest, "?")
	out := scheme + "://" + authority + redactPath(path)
	if asked {
		out += "?" + redactQuery(query)
	}
	return out
}

// HasSecret reports whether a URL holds a secret, or held one before it was redacted: such a URL leads nowhere that
// others may go.
func HasSecret(raw string) bool {
	before, _, _ := strings.Cut(raw, "#")
	return Redact(raw) != before || strings.Contains(before, "="+Redacted) || strings.Contains(before, "/"+Redacted) || strings.Contains(before, "?"+Redacted)
}

func redactPath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		// ;jsessionid=… sits behind the segment's own text.
		own, parameters, has := strings.Cut(segment, ";")
		if has {
			segments[i] = own + ";" + redactPairs(parameters, ";")
		}
		if i > 0 && secretWords[plain(segments[i-1])] && token(own, 16) {
			segments[i] = Redacted
		}
	}
	return strings.Join(segments, "/")
}

func redactQuery(query string) string { return redactPairs(query, "&") }

func redactPairs(pairs, separator string) string {
	all := strings.Split(pairs, separator)
	for i, pair := range all {
		name, value, _ := strings.Cut(pair, "=")
		switch {
		case token(unescape(name), 20): // a bare token: ?eyJhbGciOi…
			all[i] = Redacted
		case value != "" && secretValue(name, value):
			all[i] = name + "=" + Redacted
		}
	}
	return strings.Join(all, separator)
}

func secretValue(name, value string) bool {
	n := plain(unescape(name))
	if secretNames[n] || strings.HasPrefix(n, "xamz") || strings.HasPrefix(n, "xgoog") {
		return true
	}
	for _, ending := range secretEndings {
		if strings.HasSuffix(n, ending) {
			return true
		}
	}
	if keepNames[n] {
		return false
	}
	value = unescape(value)
	return token(value, 20) || len(value) == 36 && UUID(strings.ToLower(value))
}

// token reports whether text holds a run of at least min letters and digits, both of them, with an entropy above 3.5
// bits a character: what machines make and people do not write. Hyphens, underscores and dots end a run, so that the
// words of an article's address are none.
func token(text string, min int) bool {
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return !alphanumeric(r) && !strings.ContainsRune("+/=", r) }) {
		if len(run) >= min && strings.ContainsAny(run, "0123456789") && strings.ContainsFunc(run, letter) && entropy(run) > 3.5 {
			return true
		}
	}
	return false
}

func letter(r rune) bool       { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }
func alphanumeric(r rune) bool { return letter(r) || r >= '0' && r <= '9' }

// entropy is the Shannon entropy of s's bytes in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	h := 0.0
	for _, c := range count {
		if c > 0 {
			p := float64(c) / float64(len(s))
			h -= p * math.Log2(p)
		}
	}
	return h
}

func plain(name string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "", "[", "", "]", "").Replace(strings.ToLower(name))
}

func unescape(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}

// Never reports whether raw is of a host on the list or of a subdomain of one. What has no host is never recorded.
func Never(hosts []string, raw string) bool {
	_, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return true
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	u, err := url.Parse("http://" + rest)
	if err != nil || u.Hostname() == "" {
		return true
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	for _, h := range hosts {
		if h = strings.Trim(strings.ToLower(h), "."); h != "" && (host == h || strings.HasSuffix(host, "."+h)) {
			return true
		}
	}
	return false
}
