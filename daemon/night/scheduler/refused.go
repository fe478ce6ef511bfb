package scheduler

import (
	"context"

	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/questions"
	"nightjar/daemon/store"
)

// readRefused reads which sites the person refused. Crawls obey within a tick.
func (s *Scheduler) readRefused(ctx context.Context) error {
	sites, err := s.refusedSites(ctx)
	if err != nil {
		return err
	}
	s.refused.Store(&sites)
	return nil
}

func (s *Scheduler) refusedSites(ctx context.Context) (sites []string, err error) {
	all, err := marks.Refused(ctx, s.st.DB)
	for _, r := range all {
		sites = append(sites, r.Site)
	}
	return sites, err
}

// refuses reports whether the person refused the site of an address.
func (s *Scheduler) refuses(url string) bool {
	sites := s.refused.Load()
	return sites != nil && store.OnAny(url, *sites)
}

// mostQuestions is the number of pages that the person may be asked about after a crawl. It is more than one round asks,
// since some may be marked or visited until then.
const mostQuestions = 40

// saveQuestions stores the pages of an ending crawl whose marks would teach its strategy most. A crawl that is not in
// memory any more leaves the questions of an earlier one.
func (s *Scheduler) saveQuestions(ctx context.Context, r *run) {
	if r.c == nil {
		return
	}
	urls := r.c.Ask(mostQuestions)
	if len(urls) == 0 {
		return
	}
	if err := questions.Save(ctx, s.st.DB, r.crawl.ID, urls); err != nil {
		s.o.Log.Warn("save the pages to ask about", "crawl", r.crawl.ID, "error", err)
	}
}
