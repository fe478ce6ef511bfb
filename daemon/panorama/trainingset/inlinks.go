package trainingset

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"nightjar/crawler/page"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/morning/search"
	"nightjar/daemon/store"
)

// maxSearched is the number of pages found by one title that are searched for a link.
const maxSearched = 20

// Links finds known pages that link to positive pages. It searches for each title once: many pages were found by the same
// ones. It is for one goroutine.
type Links struct {
	Store *store.Store
	found map[string][]string // addresses, by title
}

// To lists at most n known pages that link to a positive page: those of which a crawl or the person knows the link
// (store.LinksTo) and, while they are fewer, stored pages whose text has a title of the page and whose HTML links to it. Links
// usually have the title as their text; to read every stored page would take minutes.
func (l *Links) To(ctx context.Context, p trainingdata.PositivePage, n int) ([]string, error) {
	all, err := l.Store.LinksTo(ctx, p.Final, n)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{p.Final: true, p.URL: true}
	for _, u := range all {
		seen[u] = true
	}
	for _, title := range titlesOf(p) {
		if len(all) >= n {
			break
		}
		found, err := l.search(ctx, title)
		if err != nil {
			return nil, err
		}
		for _, url := range found {
			if len(all) >= n || seen[url] {
				continue
			}
			seen[url] = true
			links, err := linksThere(ctx, l.Store, url, p)
			if err != nil {
				return nil, err
			}
			if links {
				all = append(all, url)
			}
		}
	}
	return all, nil
}

// search returns the addresses of pages whose text has a title.
func (l *Links) search(ctx context.Context, title string) ([]string, error) {
	if found, ok := l.found[title]; ok {
		return found, nil
	}
	hits, err := search.FindTitle(ctx, l.Store.DB, title, maxSearched, true)
	if err != nil {
		return nil, err
	}
	found := make([]string, len(hits))
	for i, h := range hits {
		found[i] = h.URL
	}
	if l.found == nil {
		l.found = map[string][]string{}
	}
	l.found[title] = found
	return found, nil
}

// titlesOf returns what a link to a page may be called: the titles that found it, and its own without the name of its site.
func titlesOf(p trainingdata.PositivePage) (titles []string) {
	own := p.Title
	for _, end := range []string{" - ", " | ", " – ", " — ", " · ", " :: "} {
		own, _, _ = strings.Cut(own, end)
	}
	all := []string{own}
	for _, r := range p.Reasons {
		all = append(all, r.Title)
	}
	for _, title := range all {
		if strings.TrimSpace(title) != "" && !slices.Contains(titles, title) {
			titles = append(titles, title)
		}
	}
	return titles
}

// linksThere reports whether the stored HTML of a page has a link to a positive page. It parses only HTML that has a part of
// the address, which takes far less time to look for.
func linksThere(ctx context.Context, s *store.Store, from string, to trainingdata.PositivePage) (bool, error) {
	html, err := s.PageContent(ctx, from)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !bytes.Contains(html, []byte(telling(to.Final))) && !bytes.Contains(html, []byte(telling(to.URL))) {
		return false, nil
	}
	p, err := page.Parse(from, page.ContentUTF8, html)
	if err != nil {
		return false, nil // it is no page
	}
	p.Documents()
	return slices.ContainsFunc(p.Links, func(l page.Link) bool { return l.URL == to.Final || l.URL == to.URL }), nil
}

var (
	escaped = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	runs    = regexp.MustCompile(`[A-Za-z0-9_]+`)
)

// telling returns a part of an address that stands in every link to it, however it is written: the longest run of letters
// and digits in the last part of its path; "" when there is none.
func telling(address string) (longest string) {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	last := path[strings.LastIndexByte(path, '/')+1:]
	for _, run := range runs.FindAllString(escaped.ReplaceAllString(last, " "), -1) {
		if len(run) > len(longest) {
			longest = run
		}
	}
	return longest
}
