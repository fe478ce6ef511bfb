package scheduler

import (
	"context"
	"strconv"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/promise"
	"nightjar/crawler/trap"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/model"
)

// options returns the options of a run's crawl, except for Resume, Trap and what it shares with others.
func (s *Scheduler) options(r *run, bundle *model.Bundle) crawler.Options {
	journal := crawls.NewJournal(s.st.DB, r.crawl)
	journal.OnFind = func(find int64) {
		if s.o.Reasons != nil {
			if err := s.o.Reasons.Make(context.Background(), bundle, r.crawl.TopicID, find); err != nil {
				s.o.Log.Warn("the reason of a find cannot be worked out; the next start tries again", "find", find, "error", err)
			}
		}
		s.bus.Tell(notify.News{Kind: "finds", ID: strconv.FormatInt(find, 10)})
	}
	journal.Hosts = s.o.Hosts
	if s.o.Leases != nil {
		journal.OnTasks = s.o.Leases.Committed
	}
	own := budget(r.crawl.Options.Budget)
	if r.crawl.OfNight() != "" {
		own = crawler.Budget{PerHost: own.PerHost, PerSite: own.PerSite} // the night's crawls share the other limits
	}
	return crawler.Options{
		Starts: r.crawl.Options.Starts, Budget: own, Workers: s.o.Workers, Clock: s.o.Clock, Journal: journal, MaxQueued: queued(r.crawl.Strategy),
		OnFetch: func(f *crawler.Fetch) { s.fetched(r, f) },
		OnPause: func(why string) { s.onPause(r, why) },
		OnWait:  func(w crawler.Wait) { s.onWait(r, w) },
		OnEstimate: func(e promise.Estimate) {
			s.mu.Lock()
			r.promised = &e.Next
			s.mu.Unlock()
		},
		TooLate:   s.tooLate(r),
		MayBegin:  func(now time.Time) bool { return s.mayBegin(r, now) },
		Marks:     newMarks(s.st, s.o.Log, r.crawl, func() { s.noteMarks(r) }),
		Links:     r.crawl.Options.Links,
		Live:      s.o.Fetcher == nil,
		Explain:   true,
		LookAgain: lasts(r.crawl),
		Refuse:    s.refused.has,
		StopBelow: r.crawl.Options.StopBelow, Known: knows(s.st, s.o.Log, r.crawl),
		MissingPage: s.o.missingPage,
		OnTrouble: func(err error) {
			s.o.Log.Warn("a page was not archived or not rendered; the crawl goes on", "crawl", r.crawl.ID, "error", err)
		},
	}
}

// visited returns crawler.Options.Visited of a crawl.
func visited(ctx context.Context, st *store.Store, c crawls.Crawl) (crawler.Visits, error) {
	yes, err := crawls.Follows(ctx, st.DB, c.ID)
	if err != nil || !yes {
		return crawler.Visits{}, err
	}
	return visits(ctx, st, c.TopicID)
}

// visits are the pages that the person visited for a topic.
func visits(ctx context.Context, st *store.Store, topicID int64) (crawler.Visits, error) {
	chosen, err := st.Settings(ctx)
	if err != nil {
		return crawler.Visits{}, err
	}
	v := crawls.Visits(st.DB, topicID)
	v.Refuse = func(url string) bool { return protocol.Never(chosen.NeverRecord, url) }
	return v, nil
}

// lasts reports whether later nights go on with a crawl's queue.
func lasts(c crawls.Crawl) bool { return !c.Options.ForMap && !c.Options.Nightly }

// guard returns the trap guard of a crawl whose queue earlier crawls used for that many pages. Without Options.Guard it is nil for a
// recording, which has no traps.
func (o *Options) guard(c crawls.Crawl, before int) *trap.Guard {
	if o.Fetcher != nil && !o.Guard {
		return nil
	}
	pages := c.Options.Budget.Pages
	if pages > 0 {
		pages += before
	}
	return trap.New(trap.Options{Pages: pages, Starts: c.Options.First()})
}

// missingPage returns the page that a host shows for an address that does not exist, as far as it is stored.
func (o *Options) missingPage(host string) []byte {
	missing, _, _ := o.Hosts.Probe(context.Background(), host)
	return missing
}
