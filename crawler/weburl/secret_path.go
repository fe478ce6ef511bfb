package weburl

import (
	"regexp"
	"strings"
	"unicode"
)

// telling is what the segments of a path so far say about those that follow.
type telling int

const (
	untold    telling = iota
	open              // one of openPaths or a single letter: a long random segment is a secret
	announced         // one of secretPaths: a short one is, too
)

// nowhere is the place of open segments on hosts that are none of openHosts.
const nowhere = "/"

// opened returns the place of open segments on a host (see openHosts).
func opened(authority string) string {
	host, _, _ := strings.Cut(lower(authority), ":")
	if place, ok := openHosts[strings.TrimPrefix(host, "www.")]; ok {
		return place
	}
	return nowhere
}

// hostTells returns what the first label of a host says about the path: hooks.example.com.
func hostTells(authority string) telling {
	label, _, _ := strings.Cut(lower(authority), ".")
	if len(label) > 1 && secretPaths[label] {
		return announced
	}
	return untold
}

// queryTells returns what the values of a query say about the others: ?mode=activate.
func queryTells(pairs string) telling {
	for pair := range strings.FieldsFuncSeq(pairs, func(r rune) bool { return r == '&' || r == ';' }) {
		if _, value, _ := strings.Cut(pair, "="); len(value) > 1 && secretPaths[plain(value)] {
			return announced
		}
	}
	return untold
}

// scrubPath removes secret values of path parameters (;jsessionid=…), and segments that are secrets by what they look like and
// what comes before them. place is that of open segments on the host. told is what was said before the path, and on return
// by its end.
func scrubPath(place, path string, told telling, depth int) (clean string, tells telling, hit bool) {
	segments := strings.Split(path, "/")
	before := "" // the last segment that is not empty
	for i, segment := range segments {
		own, parameters, has := strings.Cut(segment, ";")
		word := Unescape(own)
		if own == Redacted || secretSegment(place, before, own, word, told) {
			segments[i], hit = Redacted, true
			continue
		}
		told = max(told, tellingOf(word))
		if word != "" {
			before = plain(word)
		}
		if has {
			clean, bad := scrubPairs(parameters, told, depth)
			segments[i], hit = own+";"+clean, hit || bad
		}
	}
	return strings.Join(segments, "/"), told, hit
}

// secretSegment reports whether a segment of a path, before and after decoding, is a secret.
func secretSegment(place, before, own, word string, told telling) bool {
	if len(own) < 6 {
		return false
	}
	switch {
	case place != nowhere && atPlace(place, before, own):
		return true
	case token(word) || email(word) && word[0] != '@' && !publicPaths[before]: // @joe@ice.test is a name that people publish
		return true
	case told == announced && (random(word, minSegment) || short(word)):
		return true
	case told == open && random(word, minSegment):
		return !publicPaths[before]
	}
	return !publicPaths[before] && wild(word)
}

// atPlace reports whether a segment of one of openHosts lets everybody in.
func atPlace(place, before, own string) bool {
	switch {
	case place == "+":
		return own[0] == '+'
	case place == "#" && !number(before):
		return false
	case place == "#":
	case place != "" && place != before:
		return false
	}
	return strings.Trim(own, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_!-") == ""
}

// maxTellingWords is the number of words of a segment that may announce a secret. Those with more are titles.
const maxTellingWords = 3

// tellingOf returns what a segment says about those that follow it.
func tellingOf(word string) telling {
	name := plain(word)
	switch {
	case secretPaths[name]:
		return announced
	case openPaths[name] || len(name) == 1 && 'a' <= name[0] && name[0] <= 'z':
		return open
	}
	if len(word) > 40 || strings.IndexFunc(word, separates) < 0 {
		return untold
	}
	parts := strings.FieldsFunc(lower(word), separates)
	if len(parts) > maxTellingWords {
		return untold
	}
	told := untold
	for _, part := range parts {
		if len(part) > 1 && secretPaths[part] {
			return announced
		}
		if openPaths[part] {
			told = open
		}
	}
	return told
}

func separates(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ' ' }

// short reports whether a segment that is announced looks like a token although it is short: one run of letters and digits
// whose kind changes twice or more, or once when it has capital and small letters.
func short(word string) bool {
	word, _, _ = strings.Cut(word, ".")
	return len(word) >= minShort && len(word) <= 64 && strings.IndexFunc(word, func(r rune) bool { return !alphanumeric(r) }) < 0 &&
		(changes(word) >= 2 || changes(word) == 1 && strings.IndexFunc(word, unicode.IsUpper) >= 0 && strings.IndexFunc(word, unicode.IsLower) >= 0)
}

// minShort is the length of the shortest token that is announced.
const minShort = 8

// wild reports whether a segment looks random wherever it stands: of capital and small letters, and long.
func wild(word string) bool {
	return len(word) >= minSegment && strings.IndexFunc(word, unicode.IsUpper) >= 0 && strings.IndexFunc(word, unicode.IsLower) >= 0 &&
		random(word, minSegment)
}

// tokens are the forms of keys and tokens of well-known services: JSON Web Tokens (RFC 7519), GitHub, GitLab, Slack, Stripe,
// Amazon, Google, SendGrid, npm, Telegram; in the path also of Cloudinary, Airtable, Miro, and sessions of ASP.NET.
var tokens = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|` +
	`glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|[sprc][ks]_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{10,}|` +
	`A[KS]IA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|` +
	`npm_[A-Za-z0-9]{30,}|bot[0-9]{6,}:[A-Za-z0-9_-]{30,}|^s--[A-Za-z0-9_-]{8}--$|` +
	`^shr[A-Za-z0-9]{14}$|^uXjV[A-Za-z0-9_-]{6,}=?$|^\([ASFXasfx]\([^()]{10,}\)`)

// token reports whether a decoded text contains a token of a known form. One without a digit is too rare to look for.
func token(text string) bool {
	return len(text) >= 10 && strings.ContainsAny(text, "0123456789(") && tokens.MatchString(text)
}

var mailbox = regexp.MustCompile(`[A-Za-z0-9._%-]@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)

// email reports whether a decoded text contains an address of mail.
func email(text string) bool { return strings.IndexByte(text, '@') >= 0 && mailbox.MatchString(text) }
