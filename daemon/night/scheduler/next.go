package scheduler

import (
	"slices"

	"nightjar/crawler/frontier"
)

const (
	shownNext  = 5  // links that Next lists
	rankedNext = 50 // links among which it says what place one had before

	watchedFor = 100 // pages after which nobody seems to look any more: ranking links costs each page time
)

// NextLink is a link that a crawl follows soon.
type NextLink struct {
	URL, Anchor string
	Was         int // its place when the person last marked a find, from 1, without those fetched since; 0 below the first 50, or without a mark
}

// Next lists the first links of a crawl's queue, as they were after its last pages, and says whether it learned from marks since the
// daemon began with it. The hosts of some may not be asked yet, so that others come before. The list is empty until a page was
// fetched after somebody began to ask.
func (s *Scheduler) Next(crawlID int64) (next []NextLink, taught bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.findLocked(crawlID); r != nil {
		r.watched = watchedFor
		return slices.Clone(r.next), r.was != nil
	}
	return nil, false
}

// noteNext notes what Next lists after an address was fetched. Only Run's goroutine calls it.
func (s *Scheduler) noteNext(r *run, fetched string) {
	s.mu.Lock()
	r.was = slices.DeleteFunc(r.was, func(url string) bool { return url == fetched })
	watched := r.watched > 0
	if r.watched--; !watched {
		r.next, r.ranked = nil, nil // they would be shown, and compared with, when somebody looks again
	}
	s.mu.Unlock()
	if !watched {
		return
	}
	var all []NextLink
	r.ranked = r.ranked[:0]
	r.c.Next(rankedNext, func(e *frontier.Entry) {
		if r.ranked = append(r.ranked, e.URL); len(all) < shownNext {
			all = append(all, NextLink{e.URL, e.Anchor, slices.Index(r.was, e.URL) + 1})
		}
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	r.next = all
}

// noteMarks keeps the order of the queue before the strategy learns from marks. Only Run's goroutine calls it.
func (s *Scheduler) noteMarks(r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.was = slices.Clone(r.ranked)
}
