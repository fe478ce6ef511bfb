package scheduler

import (
	"context"
	"sync"

	"nightjar/crawler/fetch"
)

// Borrow returns the fetcher that crawls share, for pages that are fetched outside of a crawl. So a host that both ask gets
// one request at a time, with the pause that is due between two. Pages, contacts and the archive are left to the
// caller. Call release when nothing more will be fetched. Borrow and release may be called at any time, also while Run does not
// run; release may be called more than once.
func (s *Shared) Borrow(ctx context.Context) (f fetch.Fetcher, release func(), err error) {
	if err := s.refused.read(ctx, s.st); err != nil {
		return nil, nil, err
	}
	w, err := s.use(ctx)
	if err != nil {
		return nil, nil, err
	}
	return borrowed{w.fetcher, s}, sync.OnceFunc(s.leave), nil
}

// borrowed is a fetcher that is used outside of a crawl.
type borrowed struct {
	fetch.Fetcher
	s *Shared
}

// Fetch fetches a page, unless the person refused its site.
func (b borrowed) Fetch(ctx context.Context, url string) fetch.Response {
	if err := b.s.refused.read(ctx, b.s.st); err != nil && ctx.Err() == nil {
		b.s.o.Log.Warn("read the refused sites", "error", err) // those read before still count
	}
	if b.s.refused.has(url) {
		return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Refused, Reason: "the site is refused"}
	}
	return b.Fetcher.Fetch(ctx, url)
}
