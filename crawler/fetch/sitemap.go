package fetch

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"nightjar/crawler/weburl"
)

// Limits for the sitemaps of a host. The protocol (sitemaps.org/protocol.html) allows files of 50 MiB.
const (
	maxSitemap      = 10 << 20 // bytes of a file, decompressed
	maxSitemapFiles = 5        // files a host
	maxListed       = 20_000   // addresses a host
	maxHalfRead     = 1_000    // hosts whose lists are being read
)

const acceptSitemap = "application/xml,text/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5"

// listWait is for the files of a list.
var listWait = waitLimit{longWait.max, true}

// ListTTL is for how long the list of a host is not read again.
const ListTTL = 24 * time.Hour

// HostList is what the sitemaps of a host list. The zero value of At says that none was read.
type HostList struct {
	Host  string        `json:"-"`
	At    time.Time     `json:"-"`               // when the first file was read
	From  string        `json:"from,omitempty"`  // the first file with addresses
	URLs  []string      `json:"urls"`            // canonical, each once
	Files []sitemapFile `json:"files,omitempty"` // in order, each once, at most maxSitemapFiles
	Read  int           `json:"read"`            // how many of the files were read
}

// sitemapFile is the address of a sitemap.
type sitemapFile struct {
	URL  string `json:"url"`            // canonical
	Site bool   `json:"site,omitempty"` // named by the host's robots.txt, so it may list URLs of the whole site
}

// whole reports whether no more files are to be read.
func (h *HostList) whole() bool { return h.Read >= len(h.Files) || len(h.URLs) >= maxListed }

// add puts a file at a place among those to be read, unless it is there already. What is beyond the limit is left out.
func (h *HostList) add(at int, f sitemapFile) {
	if !slices.ContainsFunc(h.Files, func(other sitemapFile) bool { return other.URL == f.URL }) {
		h.Files = slices.Insert(h.Files, at, f)
		h.Files = h.Files[:min(len(h.Files), maxSitemapFiles)]
	}
}

// halfRead are the lists whose reading was cut short, since their hosts had to rest or the crawl was stopped.
type halfRead struct {
	mu sync.Mutex
	of map[string]HostList
}

// take removes and returns the list of a host.
func (r *halfRead) take(host string) (h HostList, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, ok = r.of[host]
	delete(r.of, host)
	return h, ok
}

func (r *halfRead) put(h HostList) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for other := range r.of {
		if len(r.of) < maxHalfRead {
			break
		}
		delete(r.of, other)
	}
	if r.of == nil {
		r.of = map[string]HostList{}
	}
	r.of[h.Host] = h
}

// List returns the addresses that the sitemaps of a URL's host list, as Response.Listed: those that are remembered from the last 24
// hours, or else it asks for robots.txt and for the files that it names, or for /sitemap.xml, under the same rules as for pages.
// FinalURL is the first file with addresses. With the outcome Later, call it again at the time that ReadyAt gives.
func (l *Live) List(ctx context.Context, url string) Response {
	res := Response{URL: url, FinalURL: url, Outcome: OK}
	if !l.options.Sitemaps {
		return res
	}
	host := weburl.Host(url)
	if h, ok := l.options.Memory.List(ctx, host); ok && recent(h.At, l.clock.Now(), ListTTL) {
		res.useList(&h)
		return res
	}
	h, begun := l.halfRead.take(host)
	if !begun || !recent(h.At, l.clock.Now(), ListTTL) {
		if h, begun = l.beginList(ctx, &res); !begun {
			return res
		}
	}
	for !h.whole() && ctx.Err() == nil {
		if !l.readNext(ctx, &res, &h) {
			l.halfRead.put(h)
			return res
		}
	}
	if !h.whole() {
		l.halfRead.put(h)
		res.fail(Canceled, "the crawl was stopped")
		return res
	}
	_ = l.options.Memory.PutList(context.WithoutCancel(ctx), h) // after an error it is read again
	res.useList(&h)
	return res
}

// useList takes the addresses of a list.
func (res *Response) useList(h *HostList) {
	if res.Listed = h.URLs; h.From != "" {
		res.FinalURL = h.From
	}
}

// beginList asks for robots.txt, which says where the sitemaps are, and reports whether any may be read. If not, it sets the outcome.
func (l *Live) beginList(ctx context.Context, res *Response) (h HostList, ok bool) {
	if err := l.checkURL(res.URL); err != nil {
		res.fail(Refused, "%v", err)
		return h, false
	}
	root := l.upgrade(weburl.Origin(res.URL) + "/")
	from, ask := weburl.Origin(root), withWaitLimit(ctx, shortWait)
	switch v := l.robots.get(ask, from, func() *verdict { return l.robotsOf(ask, from, res) }); {
	case v == nil:
		res.fail(Canceled, "the crawl was stopped")
	case v.rules == nil:
		res.fail(v.outcome, "%s", v.reason)
	default:
		h = HostList{Host: weburl.Host(root), At: l.clock.Now()}
		h.begin(root, v.rules)
		return h, true
	}
	return h, false
}

// begin takes the sitemaps on the same site that the robots.txt of a host names, or else /sitemap.xml.
func (h *HostList) begin(root string, r *rules) {
	for _, s := range r.sitemaps {
		if to, err := weburl.Resolve(root, s); err == nil && weburl.Site(to) == weburl.Site(root) {
			h.add(len(h.Files), sitemapFile{weburl.Document(to), true})
		}
	}
	if len(h.Files) == 0 {
		h.add(0, sitemapFile{root + "sitemap.xml", false})
	}
}

// readNext reads the next file of a list. It returns false, with the outcome set, when the file is to be read later.
func (l *Live) readNext(ctx context.Context, res *Response, h *HostList) bool {
	f := h.Files[h.Read]
	// Divide the rest of the host's limit among the files that may follow.
	left := len(h.Files) - h.Read
	p := newPicker((maxListed-len(h.URLs)+left-1)/left, l.clock.Now(), f.mayName)
	if to, later := l.readSitemap(withWaitLimit(ctx, listWait), res, f, p); later {
		if to != "" { // the file is not requested again, but the target of its redirect
			h.Read++
			h.add(h.Read, sitemapFile{to, f.Site})
		}
		return false
	}
	h.Read++
	for _, e := range p.picked(true) {
		if len(h.Files) == maxSitemapFiles {
			break
		}
		if to, ok := f.resolve(e.loc); ok {
			h.add(len(h.Files), sitemapFile{to, f.Site})
		}
	}
	l.addListed(h, f, p)
	return true
}

// addListed adds the addresses that were picked in a file: canonical, once, and only those that our rules and the robots.txt allow.
func (l *Live) addListed(h *HostList, f sitemapFile, p *picker) {
	given, most := make(map[string]bool, len(h.URLs)), len(h.URLs)+p.most
	for _, url := range h.URLs {
		given[url] = true
	}
	for _, e := range p.picked(false) {
		if len(h.URLs) == most { // the others are reserves
			return
		}
		url, ok := f.resolve(e.loc)
		if !ok || given[url] || l.checkURL(url) != nil {
			continue
		}
		if r := l.robots.known(url); r != nil && !r.allows(pathOf(url)) {
			continue
		}
		if given[url] = true; h.From == "" {
			h.From = f.URL
		}
		h.URLs = append(h.URLs, url)
	}
}

// resolve returns the canonical form of a URL in the file, and whether the file may name it.
func (f sitemapFile) resolve(loc string) (string, bool) {
	url, err := weburl.Resolve(f.URL, loc)
	url = weburl.Document(url)
	return url, err == nil && f.mayName(url)
}

// mayName reports whether the file may name a URL: of its own host, or of its site if robots.txt names the file.
func (f sitemapFile) mayName(url string) bool {
	return weburl.Host(url) == weburl.Host(f.URL) || f.Site && weburl.Site(url) == weburl.Site(f.URL)
}

// readSitemap fetches a file under the same rules as a page and passes its entries to p. It follows redirects to URLs
// that the file may name. After an error, the entries read so far count. If the file is to be read later, it sets the outcome and
// returns the target of the redirect that was followed last, "" for none.
func (l *Live) readSitemap(ctx context.Context, res *Response, f sitemapFile, p *picker) (to string, later bool) {
	sub := Response{URL: f.URL, FinalURL: f.URL}
	defer func() {
		res.Exchanges = append(res.Exchanges, sub.Exchanges...)
		res.Bytes += sub.Bytes
	}()
	for seen := map[string]bool{}; ; {
		sub.FinalURL = l.upgrade(sub.FinalURL)
		if !f.mayName(sub.FinalURL) || l.checkURL(sub.FinalURL) != nil {
			return "", false
		}
		location := ""
		if l.allowed(ctx, &sub) {
			location = l.getSitemap(ctx, &sub, p)
		}
		// ReadyAt knows only the list's own host. When another one must rest, its file is left out.
		if o := sub.Outcome; o == Canceled || o == Later && weburl.Host(sub.FinalURL) == weburl.Host(res.URL) {
			if res.fail(o, "%s", sub.Reason); len(seen) > 0 {
				to = sub.FinalURL
			}
			return to, true
		}
		seen[sub.FinalURL] = true
		if location == "" || !sub.redirect(location, seen) {
			return "", false
		}
	}
}

// getSitemap requests sub.FinalURL, passes its entries to p, and returns the target of a redirect, or "".
func (l *Live) getSitemap(ctx context.Context, sub *Response, p *picker) (location string) {
	_, err := l.roundTrip(ctx, sub, requestSpec{purpose: ForSitemap, accept: acceptSitemap}, func(answer *http.Response) error {
		switch {
		case redirects(answer.StatusCode):
			location = answer.Header.Get("Location")
		case answer.StatusCode == http.StatusOK:
			wire := asWire(answer.Body)
			defer func() { sub.Bytes += wire.n }()
			return parseSitemap(wire, answer.Header.Values("Content-Encoding"), p)
		}
		return nil
	})
	if err != nil {
		sub.failNetwork(err, "reading a sitemap")
	}
	if ctx.Err() != nil && (sub.Outcome == Network || sub.Outcome == Timeout) {
		sub.fail(Canceled, "the crawl was stopped")
	}
	return location
}
