package page

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"nightjar/crawler/weburl"
)

const (
	// MaxFeeds is the number of feeds that are read from one page.
	MaxFeeds = 5
	// maxHead is the part of a document, in bytes, in which feeds are looked for: they are named in its head.
	maxHead = 256 << 10
)

// Feeds returns the RSS and Atom feeds that a document names (link rel=alternate, www.rssboard.org/rss-autodiscovery), in canonical
// form, each once, in the order of the document. The body is UTF-8.
func Feeds(src Source, body []byte) (all []string) {
	body = body[:min(len(body), maxHead)]
	if !bytes.Contains(body, []byte("+xml")) {
		return nil
	}
	base, err := weburl.NewBase(src.URL)
	if err != nil {
		return nil
	}
	z := html.NewTokenizer(bytes.NewReader(body))
	for tag, base := range startTags(z, base) {
		if tag == "body" || len(all) == MaxFeeds {
			break
		}
		if tag != "link" {
			continue
		}
		if u := feed(tagAttr(z, "rel", "type", "href"), base); u != "" && !slices.Contains(all, u) {
			all = append(all, u)
		}
	}
	return all
}

// feed returns the address of the feed that a link element names, "" for other elements.
func feed(attrs map[string]string, base *weburl.Base) string {
	kind, _, _ := strings.Cut(strings.ToLower(attrs["type"]), ";")
	kind = strings.TrimSpace(kind)
	if kind != "application/rss+xml" && kind != "application/atom+xml" || !hasToken(attrs["rel"], "alternate") {
		return ""
	}
	return weburl.Document(resolved(attrs["href"], base))
}
