package fetch

import (
	"context"
	"net/http"
	"sync"

	"nightjar/crawler/weburl"
)

// Limits of what is read of a host's sitemaps (sitemaps.org/protocol.html). The protocol allows files of 50 MiB.
const (
	maxSitemap      = 10 << 20 // bytes of a file, decompressed
	maxSitemapFiles = 5        // requests a host, redirects not counted
	maxCandidates   = 200      // addresses a host
	maxSitemapHosts = 10_000   // remembered
)

const acceptSitemap = "application/xml,text/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"

// sitemaps remembers what is still to be read of each host's sitemaps.
type sitemaps struct {
	mu sync.Mutex
	of map[string]*sitemapQueue
}

// sitemapQueue is one host's. It is used by one fetch at a time.
type sitemapQueue struct {
	mu     sync.Mutex
	files  []sitemapFile
	asked  int
	given  map[string]bool // candidates
	queued map[string]bool // files
}

type sitemapFile struct {
	url  string // canonical
	site bool   // the host's robots.txt leads here: it may speak for all of its site
}

// queue is the host's queue, nil for a host whose queue is being read by another fetch. The caller unlocks it.
func (s *sitemaps) queue(host string, first func() []sitemapFile) *sitemapQueue {
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
		for _, f := range first() {
			q.add(f)
		}
		s.of[host] = q
	}
	if !q.mu.TryLock() {
		return nil
	}
	return q
}

// add puts a file into the queue, unless it was there or could not be read any more.
func (q *sitemapQueue) add(f sitemapFile) {
	if len(q.files) < maxSitemapFiles && !q.queued[f.url] {
		q.queued[f.url] = true
		q.files = append(q.files, f)
	}
}

// done reports whether nothing more is wanted.
func (q *sitemapQueue) done() bool {
	return len(q.files) == 0 || q.asked >= maxSitemapFiles || len(q.given) >= maxCandidates
}

// candidates reads the sitemaps of the host of a page that was fetched, when the person allows it, and puts what they
// name into res. It stops at the first file with something in it: the others follow with the next pages of the host, so
// that no worker is held for long.
func (l *Live) candidates(ctx context.Context, res *Response) {
	if !l.options.Sitemaps || res.Outcome != OK {
		return
	}
	q := l.sitemaps.queue(weburl.Host(res.FinalURL), func() []sitemapFile { return l.sitemapsOf(res.FinalURL) })
	if q == nil {
		return
	}
	defer q.mu.Unlock()
	for !q.done() && len(res.Candidates) == 0 && ctx.Err() == nil {
		f := q.files[0]
		q.files = q.files[1:]
		q.asked++
		// What is left of the host's share is spread over the files that may still come.
		left := max(1, min(1+len(q.files), 1+maxSitemapFiles-q.asked))
		p := newPicker((maxCandidates-len(q.given)+left-1)/left, l.clock.Now(), f.fits)
		l.readSitemap(ctx, res, f, p)
		for _, e := range p.picked(true) {
			if to, ok := f.resolve(e.loc); ok {
				q.add(sitemapFile{to, f.site})
			}
		}
		l.offer(res, q, f, p)
	}
}

// offer puts what was picked into res: canonical, once, and only what our own rules and the host's robots.txt allow.
func (l *Live) offer(res *Response, q *sitemapQueue, f sitemapFile, p *picker) {
	taken := 0
	for _, e := range p.picked(false) {
		if len(q.given) >= maxCandidates || taken == p.most {
			return
		}
		url, ok := f.resolve(e.loc)
		if !ok || q.given[url] || url == res.FinalURL || l.gate(url) != nil {
			continue
		}
		if r := l.robots.known(url); r != nil && !r.allows(pathOf(url)) {
			continue
		}
		q.given[url] = true
		taken++
		res.Candidates = append(res.Candidates, url)
	}
}

// resolve is the canonical form of an address in the file, and whether the file may speak for it.
func (f sitemapFile) resolve(loc string) (string, bool) {
	url, err := weburl.Resolve(f.url, loc)
	return url, err == nil && f.fits(url)
}

// fits reports whether the file may name an address: one of its own host, or of its site when robots.txt says so.
func (f sitemapFile) fits(url string) bool {
	return weburl.Host(url) == weburl.Host(f.url) || f.site && weburl.Site(url) == weburl.Site(f.url)
}

// sitemapsOf are the sitemaps that the robots.txt of a page's host names, as far as they are of the same site; without
// one, the place where it is by custom.
func (l *Live) sitemapsOf(url string) (files []sitemapFile) {
	start := origin(url) + "/"
	if r := l.robots.known(url); r != nil {
		for _, s := range r.sitemaps {
			if to, err := weburl.Resolve(start, s); err == nil && weburl.Site(to) == weburl.Site(url) {
				files = append(files, sitemapFile{to, true})
			}
		}
	}
	if len(files) == 0 {
		files = []sitemapFile{{start + "sitemap.xml", false}}
	}
	return files
}

// readSitemap gets one file and has p pick from it, as politely as a page: robots.txt, guard and turns, and redirects
// within what the file may speak for. Errors leave it at what was read.
func (l *Live) readSitemap(ctx context.Context, res *Response, f sitemapFile, p *picker) {
	sub := Response{URL: f.url, FinalURL: f.url}
	defer func() { res.Exchanges = append(res.Exchanges, sub.Exchanges...) }()
	for seen := map[string]bool{}; ; {
		sub.FinalURL = l.upgrade(sub.FinalURL)
		if !f.fits(sub.FinalURL) || l.gate(sub.FinalURL) != nil || !l.allowed(ctx, &sub) {
			return
		}
		seen[sub.FinalURL] = true
		var location string
		_, err := l.ask(ctx, &sub, question{purpose: ForSitemap, accept: acceptSitemap}, func(answer *http.Response) error {
			switch {
			case redirects(answer.StatusCode):
				location = answer.Header.Get("Location")
			case answer.StatusCode == http.StatusOK:
				return parseSitemap(onWire(answer.Body), answer.Header.Values("Content-Encoding"), p)
			}
			return nil
		})
		if err != nil || location == "" || !sub.redirect(location, seen) {
			return
		}
	}
}
