package scheduler

import (
	"context"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/night/crawls"
)

// knows returns a function that reports whether the person already knows a page.
func (s *Scheduler) knows(c crawls.Crawl) func(*crawler.Fetch) bool {
	return func(f *crawler.Fetch) bool {
		known, err := crawls.Knows(context.Background(), s.st.DB, c.TopicID, f)
		if err != nil {
			s.o.Log.Warn("look whether a page is known", "crawl", c.ID, "error", err) // it then counts as new
		}
		return known
	}
}

// marks returns a function that returns the marks on finds of the crawl's topic since its last call. The first call returns
// all marks: a resumed crawl sees some again that it has learned from, and ignores those on finds of other crawls.
func (s *Scheduler) marks(r *run) func() []strategy.Mark {
	var last int64
	return func() []strategy.Mark {
		news, err := crawls.MarksSince(context.Background(), s.st.DB, r.crawl.TopicID, last)
		if err != nil {
			s.o.Log.Warn("read marks", "crawl", r.crawl.ID, "error", err) // the next call reads them again
			return nil
		}
		if len(news) > 0 {
			s.noteMarks(r)
		}
		var told []strategy.Mark
		for _, n := range news {
			told, last = append(told, n.Mark), n.ID
		}
		return told
	}
}
