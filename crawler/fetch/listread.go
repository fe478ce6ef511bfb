package fetch

import (
	"context"
	"net/http"
	"time"

	"nightjar/crawler/robots"
	"nightjar/crawler/weburl"
)

const (
	acceptSitemap = "application/xml,text/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"
	acceptFeed    = "application/rss+xml,application/atom+xml,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5"
)

// listWait is for the files of a list.
var listWait = waitLimit{longWait.max, true}

// fileResult is what came of reading a file of a list.
type fileResult int

const (
	fileRead   fileResult = iota
	fileSame              // the same as the last time
	fileNone              // there is none, or it may not be read
	fileFailed            // for this time, perhaps after a part of it was read
	fileLater             // its host must rest first, or the crawl was stopped
)

// readNext reads the next file of a list. It returns false, with the outcome set, when the file is to be read later.
func (l *Live) readNext(ctx context.Context, res *Response, h *HostList) bool {
	f := &h.Files[h.next]
	most := h.share()
	if most <= 0 {
		f.Read, f.Pages = true, nil
		return true
	}
	p := newPicker(most, l.clock.Now(), f.mayName)
	f.Tried = time.Time{}
	switch l.readFile(withWaitLimit(ctx, listWait), res, f, p) {
	case fileLater:
		return false
	case fileNone:
		f.Pages, f.Sitemaps, f.At, f.ETag, f.LastModified, f.Read = nil, nil, "", "", "", true
	case fileSame:
		f.Read = true
	case fileRead:
		h.takePicked(p, l.mayFollow)
		f.Read = true
	case fileFailed:
		if len(p.picked(false)) > 0 {
			h.takePicked(p, l.mayFollow)
		}
		f.At, f.ETag, f.LastModified, f.Tried = "", "", "", l.clock.Now().UTC()
	}
	h.nextFile()
	return true
}

// nextFile goes on to the next file, and adds the sitemaps that the last one named.
func (h *HostList) nextFile() {
	f := h.Files[h.next]
	h.Files[h.next].seen, h.Files[h.next].from = nil, ""
	h.next++
	for _, url := range f.Sitemaps {
		h.add(ListFile{URL: url, Site: f.Site})
	}
}

// share is how many addresses are taken from the next file. What is left of the limit is divided among the sitemaps that are left.
func (h *HostList) share() int {
	if h.Files[h.next].Feed {
		return maxFeedPages
	}
	room, left := maxListed, 0
	for i, f := range h.Files {
		switch {
		case f.Feed:
		case i < h.next:
			room -= len(f.Pages)
		default:
			left++
		}
	}
	return (room + left - 1) / left
}

// takePicked takes what was picked in the next file, each address once and only those that fit. A sitemap does not repeat what an
// earlier one lists.
func (h *HostList) takePicked(p *picker, fits func(url string) bool) {
	f := &h.Files[h.next]
	given := make(map[string]bool)
	for _, earlier := range h.Files[:h.next] {
		if f.Feed || earlier.Feed {
			continue
		}
		for _, page := range earlier.Pages {
			given[page.URL] = true
		}
	}
	f.Pages, f.Sitemaps = nil, nil
	for _, e := range p.picked(false) {
		if len(f.Pages) == p.most { // the others are reserves
			break
		}
		url, ok := f.resolve(e.loc)
		if !ok || given[url] || !fits(url) {
			continue
		}
		given[url] = true
		f.Pages = append(f.Pages, ListedPage{URL: url, Title: e.title, Changed: e.mod.UTC()})
	}
	if f.Feed {
		return
	}
	for _, e := range p.picked(true) {
		if to, ok := f.resolve(e.loc); ok && len(f.Sitemaps) < maxSitemapFiles {
			f.Sitemaps = append(f.Sitemaps, to)
		}
	}
}

// mayFollow reports whether our rules and the robots.txt allow an address.
func (l *Live) mayFollow(url string) bool {
	r := l.robots.known(url)
	return l.checkURL(url) == nil && (r == nil || r.Allows(robots.PathOf(url)))
}

// readFile fetches a file under the same rules as a page and passes its entries to p. It follows redirects to URLs that the file may
// name. If the file is to be read later, it sets the outcome.
func (l *Live) readFile(ctx context.Context, res *Response, f *ListFile, p *picker) fileResult {
	sub := Response{URL: f.URL, FinalURL: f.URL}
	if f.from != "" {
		sub.FinalURL = f.from
	}
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	defer func() {
		res.Exchanges = append(res.Exchanges, sub.Exchanges...)
		res.Bytes += sub.Bytes
	}()
	for {
		sub.FinalURL = l.upgrade(sub.FinalURL)
		f.from = sub.FinalURL
		if !f.mayName(sub.FinalURL) || l.checkURL(sub.FinalURL) != nil {
			return fileNone
		}
		location, result := "", fileNone
		if l.allowed(ctx, &sub) {
			location, result = l.getFile(ctx, &sub, f, p)
		}
		// ReadyAt knows only the list's own host. When another one must rest, its file is left out.
		switch o := sub.Outcome; {
		case o == Canceled || o == Later && weburl.Host(sub.FinalURL) == weburl.Host(res.URL):
			res.fail(o, "%s", sub.Reason)
			return fileLater
		case o == Later:
			return fileFailed
		}
		f.seen[sub.FinalURL] = true
		if location == "" || !sub.Redirect(location, f.seen) {
			return result
		}
	}
}

// getFile requests sub.FinalURL, passes its entries to p, and returns the target of a redirect, or "".
func (l *Live) getFile(ctx context.Context, sub *Response, f *ListFile, p *picker) (location string, result fileResult) {
	q := requestSpec{purpose: ForSitemap, accept: acceptSitemap}
	if f.Feed {
		q.purpose, q.accept = ForFeed, acceptFeed
	}
	if f.At == sub.FinalURL {
		q.known = Known{ETag: f.ETag, LastModified: f.LastModified}
	}
	result = fileNone
	_, err := l.roundTrip(ctx, sub, q, func(answer *http.Response) error {
		switch code := answer.StatusCode; {
		case IsRedirect(code):
			location = answer.Header.Get("Location")
		case code == http.StatusNotModified && q.known.hasValidators():
			result = fileSame
		case code == http.StatusOK:
			result = fileRead
			wire := asWire(answer.Body)
			defer func() { sub.Bytes += wire.n }()
			f.At, f.ETag, f.LastModified = sub.FinalURL, "", ""
			if err := parseList(wire, answer.Header.Values("Content-Encoding"), p); err != nil {
				return err
			}
			sub.validators(answer.Header)
			f.ETag, f.LastModified = sub.ETag, sub.LastModified
		case code == http.StatusTooManyRequests || code >= http.StatusInternalServerError:
			result = fileFailed
		}
		return nil
	})
	if err != nil {
		sub.failNetwork(err, "reading a list")
		if sub.Outcome == Network || sub.Outcome == Timeout {
			result = fileFailed
		}
	}
	if ctx.Err() != nil && (sub.Outcome == Network || sub.Outcome == Timeout) {
		sub.fail(Canceled, "the crawl was stopped")
	}
	return location, result
}
