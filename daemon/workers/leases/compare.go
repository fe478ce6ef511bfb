package leases

import (
	"context"
	"hash/maphash"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/neardup"
	"nightjar/crawler/work"
	"nightjar/daemon/night/crawls"
)

const (
	maxComparing = 4 // pages that are fetched again at the same time
	compareTries = 20
	compareTime  = 5 * time.Minute
)

// sample has one page in CompareOne fetched again; the lock is held.
func (l *Leases) sample(_ context.Context, in *incoming) {
	r := &in.r
	if in.Worker == "" || r.Response.Outcome != fetch.OK || r.Response.NotModified || l.live == nil || l.comparing >= maxComparing || !compares(l.secret, r.Task, l.o.CompareOne) {
		return
	}
	l.comparing++
	live, ctx, response, crawl := l.live, l.opened, r.Response, in.task.key.crawl
	response.Body = append([]byte(nil), response.Body...)
	l.compares.Go(func() { l.compare(ctx, live, in.Worker, crawl, response) })
}

// compares reports whether the page of a task is fetched again, as one in CompareOne pages is; below 0 none is. The choice depends on
// a secret: a worker knows its tasks and this program, and could be honest about just those pages.
func compares(secret maphash.Seed, task string, one int) bool {
	return one >= 0 && maphash.String(secret, task)%uint64(one) == 0
}

// compare fetches a page that a worker returned, and counts whether it is the same.
func (l *Leases) compare(ctx context.Context, live *fetch.Live, from string, crawl int64, theirs fetch.Response) {
	ctx, cancel := context.WithTimeout(ctx, compareTime)
	defer cancel()
	ours := fetch.Response{Outcome: fetch.Later}
	for try := 0; try < compareTries && ours.Outcome == fetch.Later && ctx.Err() == nil; try++ {
		clock.Sleep(ctx, l.clock, live.ReadyAt(theirs.FinalURL).Sub(l.clock.Now()))
		ours = live.Fetch(ctx, theirs.FinalURL)
		if err := crawls.AddContacts(context.WithoutCancel(ctx), l.st.DB, crawl, ours.Exchanges); err != nil {
			l.o.Log.Warn("requests are missing in the ledger", "crawl", crawl, "error", err)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.comparing--
	if ours.Outcome != fetch.OK && ours.Outcome != fetch.Status && ours.Outcome != fetch.Type {
		return // this machine did not get it, which says nothing of the worker
	}
	differ := ours.Outcome != theirs.Outcome || !alike(&ours, &theirs)
	l.count(from, func(c *WorkerCounts) {
		if c.Compared++; differ {
			c.Differing++
		}
	})
	if differ {
		l.o.Log.Warn("a page that a worker returned looks different from here", "worker", from, "url", theirs.FinalURL)
	}
}

// alike reports whether two answers show the same page, but for what changes with each request.
func alike(a, b *fetch.Response) bool {
	one, _ := work.Parser(work.HTML).Read(a)
	two, _ := work.Parser(work.HTML).Read(b)
	if one == nil || two == nil {
		return one == nil && two == nil
	}
	if one.Text == two.Text {
		return true
	}
	x, y := neardup.NewSketch(a.FinalURL, one.Text), neardup.NewSketch(b.FinalURL, two.Text)
	return neardup.SameText(x.Simhash, y.Simhash) || overlap(x.Shingles, y.Shingles) >= half
}

// half is the share of common word triples from which two texts count as the same: advertisements and lists of news change.
const half = .5

// overlap is the Jaccard index of two lists of hashes.
func overlap(a, b []uint64) float64 {
	of, common, all := make(map[uint64]bool, len(a)), 0, 0
	for _, h := range a {
		of[h] = false
	}
	all = len(of)
	for _, h := range b {
		seen, ok := of[h]
		switch {
		case !ok:
			of[h] = true
			all++
		case !seen:
			of[h] = true
			common++
		}
	}
	if all == 0 {
		return 1
	}
	return float64(common) / float64(all)
}
