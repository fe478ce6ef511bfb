package scrub

import (
	"regexp"
	"strings"

	"nightjar/crawler/weburl"
)

// plainLink are relative addresses whose parts are too short for a secret, or short words, as in snapshot.js.
var plainLink = regexp.MustCompile(`^/?(?:(?:[\w.~-]{1,7}|[a-z.~_-]{1,15})/)*(?:[\w.~-]{1,7}|[a-z.~_-]{1,15})$`)

// What stands before a relative address while its secrets are looked for. The page's own address is not known. Behind a
// folder of names that look random, the first part of a path is judged by its form alone.
const (
	host   = "http://somewhere.invalid"
	folder = host + "/wiki/"
)

// link returns an address without secrets. One without secrets stays as it is written, but for a fragment that is no route. It
// returns "" for addresses that lead to no page, such as mailto: and data:.
func link(text string) string {
	if plainLink.MatchString(text) {
		return text
	}
	bare := blanks.Replace(strings.TrimLeftFunc(text, func(r rune) bool { return r <= ' ' }))
	slashes := strings.ReplaceAll(bare, `\`, "/")
	switch before := ""; {
	case scheme.MatchString(bare):
		head := strings.ToLower(bare[:min(len(bare), len("https:"))])
		if !strings.HasPrefix(head, "http:") && !strings.HasPrefix(head, "https:") {
			return ""
		}
		return redact(before, text, bare)
	case strings.HasPrefix(slashes, "//"):
		return redact("http:", text, bare)
	case strings.HasPrefix(slashes, "/"):
		return redact(host, text, bare)
	}
	return redact(folder, text, bare)
}

// scheme is that of an absolute address.
var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// blanks are the characters that URL parsers remove anywhere.
var blanks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// place leaves out the fragment of an address that names a place in another page, and may be a key (https://files.test/a#key).
// Routes stay (see weburl.IsRoute), and so do places in the page itself, which its headings are read by.
func place(text string) string {
	document, fragment, has := strings.Cut(text, "#")
	switch {
	case strings.TrimSpace(document) == "":
		return text
	case !has || !weburl.IsRoute(fragment):
		return document
	}
	route, _, _ := strings.Cut(fragment, "#")
	return document + "#" + route
}

// redact removes the secrets of an address that is read behind another text.
func redact(before, text, bare string) string {
	url := before + bare
	if !weburl.Secret(url) {
		return place(text)
	}
	clean := weburl.Redact(url)
	if clean == strings.TrimSpace(url) {
		return text
	}
	short, ok := strings.CutPrefix(clean, before)
	if !ok {
		return ""
	}
	return short
}
