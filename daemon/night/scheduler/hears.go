package scheduler

import (
	"context"
	"log/slog"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
)

// knows returns a function that reports whether the person already knows a page.
func knows(st *store.Store, log *slog.Logger, c crawls.Crawl) func(*crawler.Fetch) bool {
	return func(f *crawler.Fetch) bool {
		known, err := crawls.Knows(context.Background(), st.DB, c.TopicID, f)
		if err != nil {
			log.Warn("look whether a page is known", "crawl", c.ID, "error", err) // it then counts as new
		}
		return known
	}
}

// newMarks returns a function that returns the marks on finds of the crawl's topic since its last call, and calls before when there are
// any. The first call returns all marks: a resumed crawl sees some again that it has learned from, and ignores those on finds of other
// crawls.
func newMarks(st *store.Store, log *slog.Logger, c crawls.Crawl, before func()) func() []strategy.Mark {
	var last int64
	return func() []strategy.Mark {
		news, err := crawls.MarksSince(context.Background(), st.DB, c.TopicID, last)
		if err != nil {
			log.Warn("read marks", "crawl", c.ID, "error", err) // the next call reads them again
			return nil
		}
		if len(news) > 0 {
			before()
		}
		var told []strategy.Mark
		for _, n := range news {
			told, last = append(told, n.Mark), n.ID
		}
		return told
	}
}
