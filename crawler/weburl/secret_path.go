package weburl

import (
	"regexp"
	"strings"
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
	return wordTells(label)
}

// queryTells returns what the values of a query say about the others: ?mode=activate.
func queryTells(pairs string) telling {
	told := untold
	for pair := range strings.FieldsFuncSeq(pairs, func(r rune) bool { return r == '&' || r == ';' }) {
		_, value, _ := strings.Cut(pair, "=")
		told = max(told, wordTells(plain(value)))
	}
	return told
}

// wordTells returns what a word of a segment says about those that follow.
func wordTells(word string) telling {
	switch {
	case secretPaths[word]:
		return announced
	case hintPaths[word]:
		return hinted
	}
	return untold
}

// archives reports whether a host or a folder keeps the mails of a list, whose addresses contain those of the list and the ids of
// mails: lists.example.com, example.com/pipermail.
func archives(authority, path string) bool {
	return hasWord(lower(authority), ".", archiveHosts) || hasWord(path, "/", archivePaths) || mailPage.MatchString(path)
}

// mailPage is the form of a page of an archive that MHonArc makes.
var mailPage = regexp.MustCompile(`/msg[0-9]+\.html$`)

func hasWord(text, separator string, words map[string]bool) bool {
	for part := range strings.SplitSeq(text, separator) {
		if words[plain(part)] {
			return true
		}
	}
	return false
}

// scrubPath removes secret values of path parameters (;jsessionid=…), and segments that are secrets by what they look like and
// what comes before them. told is what was said before the path, and on return by its end.
func scrubPath(authority, path string, told telling, depth int) (clean string, tells telling, hit bool) {
	place, archive := opened(authority), archives(authority, path)
	segments := strings.Split(path, "/")
	before := "" // the last segment that is not empty
	for i, segment := range segments {
		own, parameters, has := strings.Cut(segment, ";")
		word := Unescape(own)
		public := publicPaths[before] || archive && told < hinted
		if own == Redacted || len(own) >= minSegment && (place != nowhere && atPlace(place, before, own) || secretSegment(word, told, public)) {
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

// minSegment is the length of the shortest segment that may be a secret.
const minSegment = 6

// secretSegment reports whether a decoded segment of a path is a secret. public says that it is the public name of something,
// however it looks.
func secretSegment(word string, told telling, public bool) bool {
	switch {
	case token(word) || email(word) && word[0] != '@' && !public && (told >= open || !messageID(word)): // @joe@ice.test is a name that people publish
		return true
	case told >= hinted:
		return random(word, fileTells(word, told))
	case public:
		return false
	}
	return told == open && random(word, open) || wild(word)
}

// fileTells returns what was told before the name of a file: people name files, but feeds and calendars are named by keys.
func fileTells(word string, told telling) telling {
	if name := fileName.FindStringSubmatch(word); name != nil && !keyedFiles[lower(name[1])] {
		return open
	}
	return told
}

var fileName = regexp.MustCompile(`[^.]\.([A-Za-z0-9]{1,5})$`)

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
	return strings.Trim(own, capitals+smalls+"0123456789_!-") == ""
}

// maxTellingWords is the number of words of a segment that may announce a secret. Those with more are titles.
const maxTellingWords = 3

// tellingOf returns what a segment says about those that follow it.
func tellingOf(word string) telling {
	name := plain(word)
	told := wordTells(name)
	switch {
	case told != untold:
		return told
	case name == "s": // of a share: /s/TOKEN
		return hinted
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
	for _, part := range parts {
		told = max(told, wordTells(part))
		if openPaths[part] {
			told = max(told, open)
		}
	}
	return told
}

func separates(r rune) bool { return r == '-' || r == '_' || r == '.' || r == ' ' }

// wild reports whether a segment looks random wherever it stands: of capital and small letters, and long.
func wild(word string) bool {
	return strings.ContainsAny(word, capitals) && strings.ContainsAny(word, smalls) && random(word, open)
}

// tokens are the forms of keys and tokens of well-known services: JSON Web Tokens (RFC 7519), GitHub, GitLab, Slack, Stripe,
// Amazon, Google, SendGrid, npm, Telegram; in the path also of Cloudinary, Airtable, Miro, and sessions of ASP.NET.
var tokens = regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|` +
	`glpat-[A-Za-z0-9_-]{16,}|xox[abeprs]-[A-Za-z0-9-]{10,}|[sprc][ks]_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9]{10,}|` +
	`A[KS]IA[0-9A-Z]{16}|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|` +
	`npm_[A-Za-z0-9]{30,}|bot[0-9]{6,}:[A-Za-z0-9_-]{30,}|^s--[A-Za-z0-9_-]{8}--$|` +
	`^4/0A[A-Za-z0-9_-]+|^shr[A-Za-z0-9]{14}$|^uXjV[A-Za-z0-9_-]{6,}=?$|^\([ASFXasfx]\([^()]{10,}\)`)

// token reports whether a decoded text contains a token of a known form. One without a digit is too rare to look for.
func token(text string) bool {
	return len(text) >= 10 && strings.ContainsAny(text, "0123456789(") && tokens.MatchString(text)
}

// messageID reports whether the local part of an address of mail is made by a program: 20240105152802.6724-1-orla@tides.example.
// People have no number of nine digits in theirs, nor random text.
func messageID(address string) bool {
	local, _, _ := strings.Cut(address, "@")
	return longNumber.MatchString(local) || printable.MatchString(local) && excess(local) > 0
}

var (
	longNumber = regexp.MustCompile(`[0-9]{9}|^[0-9.]+$`)
	printable  = regexp.MustCompile(`^[!-~]*[0-9][!-~]*$`) // with a digit
)

var mailbox = regexp.MustCompile(`[A-Za-z0-9._%-]@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)

// email reports whether a decoded text contains an address of mail.
func email(text string) bool { return strings.IndexByte(text, '@') >= 0 && mailbox.MatchString(text) }
