package leases

import (
	"context"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/crawler/work"
	"nightjar/daemon/night/crawls"
)

// lostHost is how many tasks in a row may be lost on a host before it rests.
const lostHost = 3

// expire ends the leases that are over, by the clock and by the time that has passed.
func (l *Leases) expire(ctx context.Context) {
	l.mu.Lock()
	now, mono := l.clock.Now(), l.now()
	var over []*grant
	for _, g := range l.grants {
		if late := mono - g.mono; late >= 0 && (!now.Before(g.wall) || late > wallMost) {
			over = append(over, g)
		}
	}
	live := l.live
	l.mu.Unlock()
	if len(over) == 0 {
		return
	}
	l.order.Lock()
	defer l.order.Unlock()
	for _, g := range over {
		l.expireOne(ctx, live, g)
	}
}

func (l *Leases) expireOne(ctx context.Context, live *fetch.Live, g *grant) {
	l.mu.Lock()
	if l.grants[g.id] != g { // its result came meanwhile
		l.mu.Unlock()
		return
	}
	l.endGrant(g)
	t := l.byID[g.id.task]
	mine := t != nil && t.at == out && t.attempt == g.id.n
	if mine {
		t.at = taken
	}
	rests := l.lostOn(g)
	l.mu.Unlock()
	switch {
	case g.loan != nil && g.live == live:
		g.loan.Lost(ctx)
	case live != nil:
		live.Hold(ctx, g.url, 0)
	}
	if rests && live != nil {
		live.Hold(ctx, g.url, l.o.HostRest)
	}
	if mine {
		l.lose(ctx, t, g.id.n, g.worker, "", true)
	}
}

// lostOn counts a lost lease, and reports whether its host must rest: three in a row were lost there. The lock is held.
func (l *Leases) lostOn(g *grant) (rests bool) {
	l.count(g.worker, func(c *WorkerCounts) { c.Lost++ })
	if w := l.workers[g.worker]; w != nil {
		w.lostOn[g.host] = true
		delete(w.robots, weburl.Origin(g.url)) // it may not have read what it was told
		l.trouble(w, "it did not bring back a page of "+g.host+" in time")
	}
	if len(l.hostLost) > maxFailedBy {
		clear(l.hostLost)
	}
	l.hostLost[g.host]++
	if l.hostLost[g.host] < lostHost {
		return false
	}
	delete(l.hostLost, g.host)
	return true
}

// lose has a task wait again whose attempt brought nothing, or ends it as lost after the third. vanished says that nothing was
// heard of it: then another worker tries. The order is held.
func (l *Leases) lose(ctx context.Context, t *task, n int, from, why string, vanished bool) {
	l.mu.Lock()
	lost := t.lost + 1
	over := l.byID[t.id] != t || t.at != taken || t.attempt != n // an earlier attempt brought a result
	l.mu.Unlock()
	if over {
		return
	}
	var result []byte
	if lost >= maxLost {
		if why == "" {
			why = "no worker brought a result in three attempts"
		}
		result = append(append(result, lostMark...), why...)
	}
	ok, err := crawls.LoseTask(ctx, l.st.DB, t.id, n, result)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case err != nil: // it is tried again with the next look at the leases
		l.o.Log.Error("that a task is lost cannot be stored", "error", err)
		t.at = out
		l.grants[attempt{t.id, n}] = &grant{
			id: attempt{t.id, n}, task: t, crawl: t.key.crawl, url: t.final, host: t.host, site: t.site, worker: from, wall: l.clock.Now(), mono: l.now(),
		}
	case !ok:
		l.gone(t)
	case lost < maxLost:
		if t.lost = lost; vanished {
			t.avoid = from
		}
		l.putAside(t)
	default:
		l.sums.lost++
		t.lost = lost
		if t.crawl == nil {
			t.at = arrived
			return
		}
		r := lostResult(t, why)
		l.join(t, &r)
		l.hand(ctx, t, r)
	}
}

// lostResult is the result of a task that no worker brought.
func lostResult(t *task, why string) work.Result {
	return work.Result{Task: t.id, Attempt: t.attempt, URL: t.url, Response: fetch.Response{
		URL: t.final, FinalURL: t.final, Outcome: fetch.Lost, Reason: why,
	}}
}

// endGrant takes a lease from the worker that has it; the lock is held.
func (l *Leases) endGrant(g *grant) {
	if l.grants[g.id] != g {
		return
	}
	delete(l.grants, g.id)
	if w := l.workers[g.worker]; w != nil && g.loan != nil {
		w.out--
	}
}
