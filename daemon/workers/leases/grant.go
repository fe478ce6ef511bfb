package leases

import (
	"context"
	"hash/fnv"
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/crawler/work"
	"nightjar/daemon/night/crawls"
)

// Grant gives a worker tasks, which it may begin within StartWithin of its asking.
func (l *Leases) Grant(ctx context.Context, name string, ask work.Ask) work.Grant {
	until := l.now() + l.o.Patience
	for {
		l.mu.Lock()
		w := l.workers[name]
		most, pause, why := l.mayHave(w, ask.Free)
		if why != "" && pause > 0 {
			l.mu.Unlock()
			return work.Grant{Pause: pause, Why: why}
		}
		var picked []*task
		var again time.Duration
		if most > 0 {
			picked, again = l.pick(w, most)
		}
		live, changed := l.live, l.changed
		l.mu.Unlock()
		if len(picked) > 0 {
			if tasks := l.lend(ctx, live, w, picked); len(tasks) > 0 {
				return work.Grant{Tasks: tasks}
			}
			continue
		}
		left := until - l.now()
		if left <= 0 {
			return work.Grant{Why: "no page can be fetched at present"}
		}
		if again > 0 {
			left = min(left, again)
		}
		timer := l.clock.NewTimer(left)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
		}
		timer.Stop()
		if ctx.Err() != nil {
			return work.Grant{Why: "the ask was given up"}
		}
	}
}

// mayHave returns how many tasks a worker may have now. With a pause, it should ask again only after that, and why says why. The
// lock is held.
func (l *Leases) mayHave(w *worker, free int) (most int, pause time.Duration, why string) {
	switch {
	case w == nil:
		return 0, time.Second, "the daemon does not know this worker yet"
	case w.paused:
		return 0, 5 * time.Second, "the worker is paused"
	case w.draining:
		return 0, 5 * time.Second, "the worker is to end"
	case !l.ready && !w.own:
		return 0, time.Second, "the results from before the start come first"
	case l.live == nil:
		return 0, 2 * time.Second, "no crawl is running"
	}
	if why := l.lagging(); why != "" {
		return 0, time.Second, why
	}
	most = min(free, maxGrant, w.free()-w.out)
	if w.sick() {
		most = min(most, 1-w.out)
	}
	return max(most, 0), 0, ""
}

// lagging says why the crawls must catch up first, "" when they need not; the lock is held.
func (l *Leases) lagging() string {
	if len(l.behind) > maxBehind {
		return "too many results wait to be read"
	}
	now := l.clock.Now()
	for _, r := range l.behind {
		if now.Sub(r.since) > maxLag {
			return "results wait for too long to be read"
		}
	}
	return ""
}

// pick takes up to n tasks for a worker out of the queue, and returns when to look again, 0 for only when something changes. The lock
// is held.
func (l *Leases) pick(w *worker, n int) (picked []*task, again time.Duration) {
	now := l.clock.Now()
	soonest := func(d time.Duration) {
		if d = max(d, time.Millisecond); again == 0 || d < again {
			again = d
		}
	}
	busy := map[string]string{} // sites with a task out, and who has it
	for _, g := range l.grants {
		busy[g.site] = g.worker
	}
	live := l.working()
	hosts := map[string]bool{}
	kept := l.queue[:0]
	for _, t := range l.queue {
		switch ready := t.ready.Sub(now); {
		case len(picked) == n, hosts[t.host]:
		case ready > 0:
			soonest(ready)
		case !l.mayTake(w, t, live, busy, now):
			soonest(l.o.Anyone - now.Sub(t.since))
		default:
			t.at = taken
			hosts[t.host] = true
			picked = append(picked, t)
			continue
		}
		kept = append(kept, t)
	}
	clear(l.queue[len(kept):])
	l.queue = kept
	return picked, again
}

// mayTake reports whether a task may go to a worker now. A site stays with one worker as long as that is alive, for the sake of
// connections and of what it knows of the site; a task that has waited goes to any, unless the site has another one out.
func (l *Leases) mayTake(w *worker, t *task, live []*worker, busy map[string]string, now time.Time) bool {
	if w.own {
		return l.ownTask(t) || l.ownMay()
	}
	if l.ownTask(t) {
		return false
	}
	if has, ok := busy[t.site]; ok && has != w.name {
		return false
	}
	if t.avoid == w.name && len(live) > 1 {
		return false
	}
	if now.Sub(t.since) >= l.o.Anyone {
		return true
	}
	return owner(t.site, t.avoid, live) == w
}

// ownTask reports whether a task is for this machine's own hands, since it ended two workers, or may have; the lock is held.
func (l *Leases) ownTask(t *task) bool { return t.lost >= maxLost-1 && l.o.Hands }

// owner returns the worker that a site belongs to: that of the highest hash of both names, so that the others' sites stay where they
// are when one comes or goes. avoid is left out while there are others.
func owner(site, avoid string, live []*worker) (best *worker) {
	top := uint64(0)
	for _, w := range live {
		if w.name == avoid && len(live) > 1 {
			continue
		}
		h := fnv.New64a()
		_, _ = h.Write([]byte(w.name + "\x00" + site)) // it never fails
		if sum := mix(h.Sum64()); best == nil || sum > top {
			best, top = w, sum
		}
	}
	return best
}

// mix spreads the bits of a hash, as the last step of MurmurHash3 does: FNV's high bits depend little on the last letters.
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// lend lends the hosts of tasks to a worker, stores the leases, and returns the tasks as they are sent.
func (l *Leases) lend(ctx context.Context, live *fetch.Live, w *worker, picked []*task) []work.Task {
	var rows []crawls.Task
	var grants []*grant
	var sent []work.Task
	for _, t := range picked {
		loan, not := live.Lend(ctx, t.final)
		l.mu.Lock()
		switch {
		case loan != nil && (t.crawl == nil || l.live != live):
			loan.Back()
			l.putAside(t)
		case loan == nil:
			l.notLent(t, not)
		default:
			g := l.newGrant(t, w, loan, live)
			grants = append(grants, g)
			rows = append(rows, g.row(t, l.clock.Now()))
			sent = append(sent, l.taskOf(t, g))
		}
		l.mu.Unlock()
	}
	if len(rows) == 0 {
		return nil
	}
	granted, err := crawls.GrantTasks(ctx, l.o.Hosts, rows)
	if err != nil {
		l.o.Log.Error("leases cannot be stored; nothing is handed out", "error", err)
	}
	l.mu.Lock()
	kept := sent[:0]
	for i, g := range grants {
		if err != nil || !granted[i] {
			l.takeBack(g)
			continue
		}
		l.handOut(g, w)
		kept = append(kept, sent[i])
	}
	l.mu.Unlock()
	for i := range kept {
		l.addFacts(ctx, &kept[i], w, grants)
	}
	return kept
}

// putAside returns a task that was taken to the queue, or drops it if no crawl waits for it any more; the lock is held.
func (l *Leases) putAside(t *task) {
	if t.crawl == nil {
		l.rest(t)
		return
	}
	l.enqueue(t)
}

// notLent handles that the host of a task could not be lent; the lock is held.
func (l *Leases) notLent(t *task, why *fetch.Unlent) {
	now := l.clock.Now()
	wait := shortWait
	if t.prior != nil {
		wait = time.Minute // the crawl only knows the first host
	}
	switch {
	case t.crawl == nil:
		l.rest(t)
	case why.Answer != nil:
		l.answer(t, *why.Answer)
	case why.At.Sub(now) > wait:
		l.later(t, "the next request to "+t.host+" has to wait")
	default:
		since := t.since
		if t.ready = why.At; t.ready.Sub(now) < leastWait {
			t.ready = now.Add(leastWait)
		}
		l.enqueue(t)
		t.since = since
	}
}

// newGrant makes the lease of a task; the lock is held.
func (l *Leases) newGrant(t *task, w *worker, loan *fetch.Loan, live *fetch.Live) *grant {
	return &grant{
		id: attempt{t.id, t.attempt + 1}, task: t, crawl: t.crawl.id, url: loan.URL, host: loan.Host, site: t.site,
		etag: loan.Known.ETag, changed: loan.Known.LastModified, worker: w.name, loan: loan, live: live,
		wall: l.clock.Now().Add(l.lease()), mono: l.now() + l.lease(), delay: loan.Delay,
	}
}

// row is the lease as it is stored.
func (g *grant) row(t *task, now time.Time) crawls.Task {
	r := crawls.Task{
		ID: t.id, CrawlID: t.key.crawl, URL: t.url, FinalURL: t.final, Host: t.host, Attempt: g.id.n, Lost: t.lost, Worker: g.worker,
		Granted: now, Until: g.wall, Delay: g.delay,
	}
	return r
}

// taskOf is a task as it is sent, without what its worker may know already; the lock is held.
func (l *Leases) taskOf(t *task, g *grant) work.Task {
	n := g.loan
	s := work.Task{
		ID: t.id, Attempt: g.id.n, URL: g.url, ETag: g.etag, LastModified: g.changed, StartWithin: l.o.StartWithin,
		FetchTimeout: l.o.FetchTimeout, Delay: g.delay, Keep: l.keep, Probe: !n.Probed, Unread: t.lost >= maxLost-1,
		Host: work.HostFacts{Probed: n.Probed, Busy: n.Busy, Failed: n.Failed},
	}
	return s
}

// addFacts adds the robots.txt of the host, unless the worker was told it before.
func (l *Leases) addFacts(ctx context.Context, s *work.Task, w *worker, grants []*grant) {
	i := slices.IndexFunc(grants, func(g *grant) bool { return g.id == attempt{s.ID, s.Attempt} })
	f, ok := grants[i].loan.Robots(ctx)
	if !ok {
		return
	}
	l.mu.Lock()
	known := w.told(f.Origin, f.Read)
	l.mu.Unlock()
	if !known {
		s.Host.Robots = []work.Robots{work.RobotsOf(f, l.clock.Now())}
	}
}

// takeBack ends a lease that was not stored; the lock is held.
func (l *Leases) takeBack(g *grant) {
	g.loan.Back()
	g.task.ready = l.clock.Now().Add(tryAgain)
	l.putAside(g.task)
}

// handOut notes that a worker has a task; the lock is held.
func (l *Leases) handOut(g *grant, w *worker) {
	l.grants[g.id] = g
	if t := g.task; t.at == taken && l.byID[t.id] == t { // otherwise the result of an earlier attempt came meanwhile
		t.at, t.stored, t.attempt = out, true, g.id.n
	}
	w.out++
}

// moved checks the redirect of a result to another host. It returns where to go next, or "" when the result is the last.
func moved(r *work.Result) (next, host string) {
	if r.Response.Moved == "" {
		return "", ""
	}
	if next = r.Response.NextHop(); next == "" {
		return "", ""
	}
	return next, weburl.Host(next)
}
