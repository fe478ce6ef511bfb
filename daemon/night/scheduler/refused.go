package scheduler

import (
	"context"
	"log/slog"
	"sync/atomic"

	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/questions"
	"nightjar/daemon/store"
)

// refused are the sites that the person refused, as of the last read. Its methods may be called concurrently.
type refused struct {
	sites atomic.Pointer[[]string] // nil for none
}

// read reads which sites the person refused. Crawls obey within a tick.
func (r *refused) read(ctx context.Context, st *store.Store) error {
	sites, err := refusedSites(ctx, st)
	if err != nil {
		return err
	}
	r.sites.Store(&sites)
	return nil
}

// has reports whether the person refused the site of an address.
func (r *refused) has(url string) bool {
	sites := r.sites.Load()
	return sites != nil && store.OnAny(url, *sites)
}

func refusedSites(ctx context.Context, st *store.Store) (sites []string, err error) {
	all, err := marks.Refused(ctx, st.DB)
	for _, r := range all {
		sites = append(sites, r.Site)
	}
	return sites, err
}

// mostQuestions is the number of pages that the person may be asked about after a crawl. It is more than one round asks,
// since some may be marked or visited until then.
const mostQuestions = 40

// saveQuestions stores the pages of an ending crawl whose marks would teach its strategy most. A crawl that is not in
// memory any more leaves the questions of an earlier one.
func saveQuestions(ctx context.Context, st *store.Store, log *slog.Logger, r *run) {
	if r.c == nil {
		return
	}
	urls := r.c.Ask(mostQuestions)
	if len(urls) == 0 {
		return
	}
	if err := questions.Save(ctx, st.DB, r.crawl.ID, urls); err != nil {
		log.Warn("save the pages to ask about", "crawl", r.crawl.ID, "error", err)
	}
}
