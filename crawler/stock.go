package crawler

import (
	"context"

	"nightjar/crawler/frontier"
)

const (
	stockHead = 10_000 // links that a crawl reads before its first fetch, the best of its queue
	stockSome = 2_000  // links that it reads at once later
)

// stock is the part of a queue that is only in the store. It enters the frontier as there is room, best first.
type stock struct {
	c     *Crawl
	best  func() Next // nil without a store
	next  Next        // nil when the list is at its end
	began bool        // the crawl had its first links to choose from
	left  bool        // the list is to be read again: links that it has passed wait in the store only, since the frontier was full

	valued map[uint64]struct{} // while stored pages are read again, hashes of links whose new values are in the store, but not in the frontier
}

// begin reads the first links of a crawl.
func (s *stock) begin(r *Resume) error {
	if s.best == nil {
		if r.Links == nil {
			return nil
		}
		return r.Links(context.Background(), s.c.addQueued)
	}
	s.next = s.best()
	return s.read(min(stockHead, s.c.o.MaxQueued), s.c.addQueued)
}

// waits reports whether stored links wait to be read.
func (s *stock) waits() bool { return s.next != nil || s.left }

// some reads more links if there is room for them. It lets a crawl begin first.
func (s *stock) some() error {
	if !s.began && s.c.frontier.Len() > 0 {
		s.began = true
		return nil
	}
	most := s.c.o.MaxQueued
	n := min(stockSome, (most+7)/8)
	if !s.waits() || most-s.c.frontier.Len() < n {
		return nil
	}
	if s.next == nil {
		s.next, s.left = s.best(), false
	}
	return s.read(n, s.add)
}

func (s *stock) read(n int, add func(frontier.Entry)) error {
	more, err := s.next(n, add)
	if !more {
		s.next = nil
	}
	return err
}

// add queues a stored link at its current value.
func (s *stock) add(e frontier.Entry) {
	if f := s.c.frontier; f.Visited(e.URL) || f.Has(e.URL) || f.Shut(e.URL) {
		return
	}
	if l := s.c.learning; l.of != nil {
		e.Priority = l.revalue(&e)
	}
	s.c.addQueued(e)
}

// keeps notes that a link is only in the store, and reports whether its current state must be stored. While stored pages are read
// again, the first page that holds it counts.
func (s *stock) keeps(url string) bool {
	if s.best == nil {
		return false
	}
	s.left = true
	if s.valued == nil {
		return true
	}
	known := s.has(url)
	s.valued[urlKey(url)] = struct{}{}
	return !known
}

// has reports whether a link got its new value in the store, but is not in the frontier, while stored pages are read again.
func (s *stock) has(url string) bool {
	_, ok := s.valued[urlKey(url)]
	return ok
}
