package fetch

import (
	"context"
	"slices"
	"sync"
	"time"

	"nightjar/crawler/weburl"
)

// List returns what the sitemaps of a URL's host and the feeds that its pages name list, as Response.Lists. If they are not due, it
// is what they listed the last time. Otherwise it asks for robots.txt, for the sitemaps that it names, or for /sitemap.xml, and for
// the feeds, under the same rules as for pages. With the outcome Later, call it again at the time that ReadyAt gives.
func (l *Live) List(ctx context.Context, url string) Response {
	res := Response{URL: url, FinalURL: url, Outcome: OK}
	if !l.options.Sitemaps {
		return res
	}
	host := weburl.Host(url)
	if !l.listing.take(ctx, host) {
		res.fail(Canceled, "the crawl was stopped")
		return res
	}
	defer l.listing.leave(host)
	h, ok := l.listOf(ctx, &res, host)
	if !ok {
		return res
	}
	asked := !h.whole(l.clock.Now())
	for !h.whole(l.clock.Now()) && ctx.Err() == nil {
		if !l.readNext(ctx, &res, &h) {
			l.halfRead.Add(h.Host, h)
			return res
		}
	}
	if !h.whole(l.clock.Now()) {
		l.halfRead.Add(h.Host, h)
		res.fail(Canceled, "the crawl was stopped")
		return res
	}
	if asked {
		h.end()
		l.putList(context.WithoutCancel(ctx), h)
	}
	res.Lists = h.lists()
	return res
}

// listOf returns the list of a host, with the files that are to be read now. It returns false, with the outcome set, when none may be.
func (l *Live) listOf(ctx context.Context, res *Response, host string) (h HostList, ok bool) {
	h, ok = l.halfRead.Get(host)
	l.halfRead.Remove(host)
	if ok && recent(h.At, l.clock.Now(), listKeep) {
		return h, true
	}
	h, ok = l.options.Memory.List(ctx, host)
	h.Files = slices.Clone(h.Files) // the memory may hold them
	if ok && !h.due(l.clock.Now()) {
		return h, true
	}
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
		h.begin(root, v.rules, l.clock.Now())
		return h, true
	}
	return h, false
}

// AddFeeds takes note of feeds on the same site that a page names, so that List reads them with the other lists of the page's host. It
// reports whether one is new. What it notes is stored when it returns.
func (l *Live) AddFeeds(ctx context.Context, page string, feeds []string) (added bool) {
	host := weburl.Host(page)
	l.naming.Lock()
	defer l.naming.Unlock()
	named := l.named[host]
	feeds = slices.DeleteFunc(slices.Clone(feeds), func(feed string) bool {
		return slices.Contains(named, feed) || weburl.Site(feed) != weburl.Site(page) || l.checkURL(feed) != nil
	})
	if !l.options.Sitemaps || len(feeds) == 0 || len(named) >= maxFeeds {
		return false
	}
	h, ok := l.options.Memory.List(ctx, host)
	if !ok {
		h = HostList{At: l.clock.Now()}
	}
	h.Host, h.Files = host, slices.Clone(h.Files)
	for _, feed := range feeds {
		added = h.add(ListFile{URL: feed, Site: true, Feed: true}) || added
	}
	if added && l.options.Memory.PutList(context.WithoutCancel(ctx), h) != nil {
		return false // another page names them
	}
	if len(l.named) >= maxHalfRead {
		clear(l.named)
	}
	named = nil
	for _, f := range h.Files {
		if f.Feed {
			named = append(named, f.URL)
		}
	}
	l.named[host] = named
	return added
}

// putList stores a list that was read, with the feeds that were named meanwhile. After an error it is read again.
func (l *Live) putList(ctx context.Context, h HostList) {
	h.next, h.before, h.since = 0, nil, time.Time{}
	l.naming.Lock()
	defer l.naming.Unlock()
	if now, ok := l.options.Memory.List(ctx, h.Host); ok {
		for _, f := range now.Files {
			if f.Feed {
				h.add(ListFile{URL: f.URL, Site: true, Feed: true})
			}
		}
	}
	_ = l.options.Memory.PutList(ctx, h)
}

// turns lets one caller at a time do something with a host.
type turns struct {
	mu sync.Mutex
	of map[string]chan struct{}
}

// take waits for the turn of the caller. It returns false if ctx ends first.
func (t *turns) take(ctx context.Context, host string) bool {
	for {
		t.mu.Lock()
		taken := t.of[host]
		if taken == nil {
			if t.of == nil {
				t.of = map[string]chan struct{}{}
			}
			t.of[host] = make(chan struct{})
			t.mu.Unlock()
			return true
		}
		t.mu.Unlock()
		select {
		case <-taken:
		case <-ctx.Done():
			return false
		}
	}
}

// leave ends the turn of the caller.
func (t *turns) leave(host string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.of[host])
	delete(t.of, host)
}
