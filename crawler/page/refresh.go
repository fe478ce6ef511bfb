package page

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"nightjar/crawler/weburl"
)

// maxRefresh is the size in bytes up to which a document with a refresh may be a mere redirect.
const maxRefresh = 16 << 10

// Refresh returns the document to which an immediate refresh in the header or in a meta element of a small document leads, in
// canonical form, or "" if there is none or it leads to the document itself. The body is UTF-8. As in browsers, a meta element
// does not count beside a header.
func Refresh(src Source, body []byte) string {
	if len(body) > maxRefresh || src.Refresh == "" && !bytes.Contains(bytes.ToLower(body), []byte("refresh")) {
		return ""
	}
	base, err := weburl.NewBase(src.URL)
	if err != nil {
		return ""
	}
	base.Encode(src.Queries(body))
	content, base := refreshOf(src, base, body)
	if !isImmediate(content) {
		return ""
	}
	u, err := base.Resolve(trimURL(refreshTarget(content)))
	if u = weburl.Document(u); err != nil || u == src.URL {
		return ""
	}
	return u
}

// refreshOf returns the first refresh of a document, "" for none, and the base of its address.
func refreshOf(src Source, base *weburl.Base, body []byte) (content string, _ *weburl.Base) {
	if src.Refresh != "" {
		return src.Refresh, base
	}
	z := html.NewTokenizer(bytes.NewReader(body))
	for tag, base := range startTags(z, base) {
		if tag != "meta" {
			continue
		}
		values := tagAttr(z, "http-equiv", "content")
		if strings.EqualFold(strings.TrimSpace(values["http-equiv"]), "refresh") && isImmediate(values["content"]) {
			return values["content"], base
		}
	}
	return "", base
}

// isImmediate reports whether the content of a refresh begins with a delay of less than a second.
func isImmediate(content string) bool {
	rest := strings.TrimLeft(strings.TrimLeft(content, " \t\n\f\r"), "0")
	begun := len(strings.TrimLeft(content, " \t\n\f\r")) > len(rest)
	return (begun || strings.HasPrefix(rest, ".")) && (rest == "" || rest[0] < '0' || rest[0] > '9')
}
