package scheduler

import (
	"context"

	"nightjar/daemon/night/crawls"
)

// renewal says which reasons of an ended crawl's finds are to be worked out again. The end of the daemon forgets it: the reasons then
// stay as they were when the pages were found, which is no harm.
type renewal struct {
	crawl crawls.Crawl
	after int64 // find after which it goes on
}

// renew works out some reasons again, and reports whether there are more. Nobody waits for it: the crawl has ended in the store. It
// does nothing while something is erased (Apart), of which a reason may tell, and begins with what is left afterwards.
func (s *Scheduler) renew(ctx context.Context) (more bool) {
	if len(s.renewing) == 0 || !s.making.TryLock() {
		return false
	}
	defer s.making.Unlock()
	r := &s.renewing[0]
	var err error
	if r.after, err = s.o.Reasons.Again(ctx, r.crawl, r.after); err != nil && ctx.Err() == nil {
		s.o.Log.Warn("the reasons of a crawl's finds stay as they were", "crawl", r.crawl.ID, "error", err)
	}
	if r.after == 0 {
		s.renewing = s.renewing[1:]
	}
	return len(s.renewing) > 0
}
