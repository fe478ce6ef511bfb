package frame

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"nightjar/crawler/weburl"
	"nightjar/daemon/chart"
)

// Link leads to a page of the web.
type Link struct{ URL, Name string }

func LinkTo(url, title string) Link { return Link{url, TitleOr(title, url)} }

// Site is the host of the page, with its port.
func (l Link) Site() string { return weburl.Host(l.URL) }

// Path is what follows the host.
func (l Link) Path() string { return PathOf(l.URL) }

func TitleOr(title, fallback string) string {
	return cmp.Or(strings.TrimSpace(title), fallback)
}

// PathOf is what follows the host in an address.
func PathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.RequestURI() == "/" {
		return ""
	}
	return chart.Shorten(90, u.RequestURI())
}

// Window is the part of n lines of a list that line from is in, and the addresses of the parts before and after it, "" for none. href
// is the address of the part that begins with a line.
func Window(from, n, size int, href func(from int) string) (first, end int, before, after string) {
	first = min(from, max(0, n-1)) / size * size
	end = min(first+size, n)
	if first > 0 {
		before = href(first - size)
	}
	if end < n {
		after = href(end)
	}
	return first, end, before, after
}

// Spellings returns the canonical addresses that a person may mean, the likeliest first.
func Spellings(text string) []string {
	text = strings.TrimSpace(text)
	var all []string
	add := func(address string) {
		u, err := weburl.Canonical(address)
		if err != nil {
			return
		}
		if !slices.Contains(all, u) {
			all = append(all, u)
		}
	}
	_, rest, ok := strings.Cut(text, "://")
	if ok {
		add(text)
	} else {
		rest = text
	}
	other := strings.TrimPrefix(rest, "www.")
	if other == rest {
		other = "www." + rest
	}
	for _, r := range []string{rest, other} {
		for _, scheme := range []string{"https://", "http://"} {
			add(scheme + r)
			if slashed, bare := strings.CutSuffix(r, "/"); bare {
				add(scheme + slashed)
			} else {
				add(scheme + r + "/")
			}
		}
	}
	return all
}

// PageName is a page's address without its scheme, shortened.
func PageName(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	return chart.Shorten(60, Printable(rest))
}
