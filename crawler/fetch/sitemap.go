package fetch

import (
	"context"
	"net/http"
	"slices"
	"sync"

	"nightjar/crawler/weburl"
)

// Limits for the sitemaps of a host. The protocol (sitemaps.org/protocol.html) allows files of 50 MiB.
const (
	maxSitemap      = 10 << 20 // bytes of a file, decompressed
	maxSitemapFiles = 5        // files a host
	maxCandidates   = 200      // URLs a host
	maxSitemapHosts = 10_000   // hosts remembered
)

const acceptSitemap = "application/xml,text/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"

// sitemaps remembers which sitemaps of each host are still to be read.
type sitemaps struct {
	mu sync.Mutex
	of map[string]*sitemapQueue
}

// sitemapQueue is the queue of one host. One fetch at a time uses it.
type sitemapQueue struct {
	mu sync.Mutex
	SitemapsLeft
	given  map[string]bool // candidates of this fetcher
	queued map[string]bool // files
}

// queue returns the host's queue, locked, or nil while another fetch uses it.
func (s *sitemaps) queue(host string, first func() SitemapsLeft) *sitemapQueue {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[string]*sitemapQueue{}
	}
	q, ok := s.of[host]
	if !ok {
		for other := range s.of {
			if len(s.of) < maxSitemapHosts {
				break
			}
			delete(s.of, other)
		}
		q = &sitemapQueue{given: map[string]bool{}, queued: map[string]bool{}}
		left := first()
		q.At, q.Read, q.Given = left.At, left.Read, left.Given
		for _, f := range left.Files {
			q.add(f)
		}
		s.of[host] = q
	}
	if !q.mu.TryLock() {
		return nil
	}
	return q
}

// add queues a file, unless it was queued before or the queue is full.
func (q *sitemapQueue) add(f SitemapFile) {
	if len(q.Files) < maxSitemapFiles && !q.queued[f.URL] {
		q.queued[f.URL] = true
		q.Files = append(q.Files, f)
	}
}

// done reports whether no more files are to be read.
func (q *sitemapQueue) done() bool {
	return len(q.Files) == 0 || q.Read >= maxSitemapFiles || q.Given >= maxCandidates
}

// candidates adds URLs from the host's sitemaps to the response for a page, if the settings allow it. It stops at the
// first file with URLs and reads the others with the next pages of the host, so that no worker is blocked for long.
func (l *Live) candidates(ctx context.Context, res *Response) {
	if t := termsOf(ctx); !l.options.Sitemaps || t != nil && !t.Sitemaps || res.Outcome != OK {
		return
	}
	q := l.sitemaps.queue(weburl.Host(res.FinalURL), func() SitemapsLeft { return l.sitemapsLeft(ctx, res.FinalURL) })
	if q == nil {
		return
	}
	defer q.mu.Unlock()
	for !q.done() && len(res.Candidates) == 0 && ctx.Err() == nil {
		f := q.Files[0]
		q.Files = q.Files[1:]
		q.Read++
		// Divide the rest of the host's limit among the files that may follow.
		left := max(1, min(1+len(q.Files), 1+maxSitemapFiles-q.Read))
		p := newPicker((maxCandidates-q.Given+left-1)/left, l.clock.Now(), f.mayName)
		l.readSitemap(ctx, res, f, p)
		for _, e := range p.picked(true) {
			if to, ok := f.resolve(e.loc); ok {
				q.add(SitemapFile{to, f.Site})
			}
		}
		l.addCandidates(res, q, f, p)
		read := q.SitemapsLeft
		read.Files = slices.Clone(q.Files)
		res.Sitemaps = &read
	}
}

// addCandidates adds the picked URLs to res: canonical, once, and only those that our rules and the robots.txt allow.
func (l *Live) addCandidates(res *Response, q *sitemapQueue, f SitemapFile, p *picker) {
	taken := 0
	for _, e := range p.picked(false) {
		if q.Given >= maxCandidates || taken == p.most {
			return
		}
		url, ok := f.resolve(e.loc)
		if !ok || q.given[url] || url == res.FinalURL || l.checkURL(url) != nil {
			continue
		}
		if r := l.robots.known(url); r != nil && !r.allows(pathOf(url)) {
			continue
		}
		q.given[url] = true
		q.Given++
		taken++
		res.Candidates = append(res.Candidates, url)
	}
}

// resolve returns the canonical form of a URL in the file, and whether the file may name it.
func (f SitemapFile) resolve(loc string) (string, bool) {
	url, err := weburl.Resolve(f.URL, loc)
	url = weburl.Document(url)
	return url, err == nil && f.mayName(url)
}

// mayName reports whether the file may name a URL: of its own host, or of its site if robots.txt names the file.
func (f SitemapFile) mayName(url string) bool {
	return weburl.Host(url) == weburl.Host(f.URL) || f.Site && weburl.Site(url) == weburl.Site(f.URL)
}

// sitemapsLeft returns the sitemaps that are left to read of a page's host: all of them, unless some were read within
// sitemapsTTL.
func (l *Live) sitemapsLeft(ctx context.Context, url string) SitemapsLeft {
	now := l.clock.Now()
	if left, ok := l.options.Memory.Sitemaps(ctx, weburl.Host(url)); ok && recent(left.At, now, sitemapsTTL) {
		return left
	}
	return SitemapsLeft{At: now, Files: l.sitemapsOf(url)}
}

// sitemapsOf returns the sitemaps on the same site that the robots.txt of a page's host names, or else /sitemap.xml.
func (l *Live) sitemapsOf(url string) (files []SitemapFile) {
	start := weburl.Origin(url) + "/"
	if r := l.robots.known(url); r != nil {
		for _, s := range r.sitemaps {
			if to, err := weburl.Resolve(start, s); err == nil && weburl.Site(to) == weburl.Site(url) {
				files = append(files, SitemapFile{weburl.Document(to), true})
			}
		}
	}
	if len(files) == 0 {
		files = []SitemapFile{{start + "sitemap.xml", false}}
	}
	return files
}

// readSitemap fetches a file under the same rules as a page and passes its entries to p. It follows redirects to URLs
// that the file may name. After an error, the entries read so far count.
func (l *Live) readSitemap(ctx context.Context, res *Response, f SitemapFile, p *picker) {
	sub := Response{URL: f.URL, FinalURL: f.URL}
	defer func() { res.Exchanges = append(res.Exchanges, sub.Exchanges...) }()
	for seen := map[string]bool{}; ; {
		sub.FinalURL = l.upgrade(sub.FinalURL)
		if strange(ctx, res.URL, sub.FinalURL) || !f.mayName(sub.FinalURL) || l.checkURL(sub.FinalURL) != nil || !l.allowed(ctx, &sub) {
			return
		}
		seen[sub.FinalURL] = true
		var location string
		_, err := l.roundTrip(ctx, &sub, requestSpec{purpose: ForSitemap, accept: acceptSitemap}, func(answer *http.Response) error {
			switch {
			case redirects(answer.StatusCode):
				location = answer.Header.Get("Location")
			case answer.StatusCode == http.StatusOK:
				return parseSitemap(asWire(answer.Body), answer.Header.Values("Content-Encoding"), p)
			}
			return nil
		})
		if err != nil || location == "" || !sub.redirect(location, seen) {
			return
		}
	}
}
