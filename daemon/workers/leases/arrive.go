package leases

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/daemon/night/crawls"
)

// lostMark starts the text stored for a task without a result; the reason follows.
var lostMark = []byte("lost:")

// incoming is a result on its way into the store.
type incoming struct {
	work.Arrival
	r     work.Result
	bad   error  // it is malformed
	grant *grant // of its attempt, nil if that is over
	task  *task  // nil for one that is over, or unknown
	next  string // redirect to another host
	host  string
	prior *work.Result // with next: all until then

	gaveUp  bool // the worker ended it itself, so that it is granted again
	robots  bool // the robots.txt of its host is on another one, which this machine reads
	facts   fetch.Facts
	verdict crawls.Verdict
}

// Arrive keeps results and hands them to their crawls. See work.Desk.
func (l *Leases) Arrive(ctx context.Context, results []work.Arrival) ([]work.Verdict, error) {
	all := make([]*incoming, len(results))
	var wait sync.WaitGroup
	for i, a := range results {
		all[i] = &incoming{Arrival: a}
		wait.Go(func() { all[i].r, all[i].bad = work.Decode(a.Data) })
	}
	wait.Wait()
	l.order.Lock()
	defer l.order.Unlock()
	l.mu.Lock()
	for _, in := range all {
		l.check(in)
	}
	l.mu.Unlock()
	if err := l.store(ctx, all); err != nil {
		return nil, err
	}
	for _, in := range all {
		if in.grant != nil && in.bad == nil {
			wait.Go(func() { l.giveBack(ctx, in) })
		}
	}
	wait.Wait()
	verdicts := make([]work.Verdict, len(all))
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, in := range all {
		verdicts[i] = l.settle(ctx, in)
	}
	l.wake()
	return verdicts, nil
}

// check compares a result with its task; the lock is held.
func (l *Leases) check(in *incoming) {
	if in.bad != nil {
		return
	}
	id := attempt{in.r.Task, in.r.Attempt}
	in.grant, in.task = l.grants[id], l.byID[in.r.Task]
	terms := work.Task{ID: in.r.Task, Attempt: in.r.Attempt, URL: in.r.URL, ETag: in.r.Response.ETag, LastModified: in.r.Response.LastModified}
	switch g := in.grant; {
	case g != nil && g.worker != in.Worker:
		in.bad = fmt.Errorf("it was given to another worker")
		return
	case g != nil && g.loan != nil:
		terms.URL, terms.ETag, terms.LastModified = g.url, g.etag, g.changed
	case g != nil:
		terms.URL = g.url // from before the start: which stored copy it was compared with is not known any more
	case in.task != nil:
		terms.URL, terms.Attempt = in.task.final, in.task.attempt
	}
	if in.task != nil && in.grant == nil && in.r.URL != terms.URL {
		in.task = nil // of an address that it has left since
		return
	}
	if in.bad = in.r.Check(&terms); in.bad != nil {
		return
	}
	in.r.From(in.Worker)
	in.r.Shift(l.clock.Now())
	in.facts = factsOf(&in.r, l.clock.Now())
	if in.task == nil || in.task.at == arrived {
		return
	}
	in.robots = in.r.Response.RobotsAt != "" && in.r.Response.Outcome == fetch.Later
	in.gaveUp = in.r.Response.Outcome == fetch.Canceled
	if in.r.Response.Moved == "" {
		return
	}
	prior := in.r
	l.join(in.task, &prior)
	if in.next, in.host = moved(&prior); in.next != "" { // by the whole way, which may lead back
		in.prior = &prior
		return
	}
	in.r.Response.Outcome, in.r.Response.Reason, in.r.Response.Moved = prior.Response.Outcome, prior.Response.Reason, ""
}

// factsOf is what a result says of its host.
func factsOf(r *work.Result, now time.Time) fetch.Facts {
	f := fetch.Facts{
		Exchanges: r.Response.Exchanges, GaveUp: r.Response.Outcome == fetch.Canceled, Probed: r.Host.Probed, Missing: r.Host.Missing,
		Rest: r.Host.Rest, Why: r.Host.Why,
	}
	for _, robots := range r.Host.Robots {
		f.Robots = append(f.Robots, robots.File(now))
	}
	return f
}

// join puts what came before a redirect to another host in front of a result; the lock is held.
func (l *Leases) join(t *task, r *work.Result) {
	if t.prior != nil {
		r.Response = t.prior.Response.Continue(r.Response)
		r.Began = t.prior.Began
	}
	r.URL, r.Response.URL = t.url, t.url
}

// ends takes back from a stored result that its redirect was to be followed, if the whole way forbids it: too many, or a loop.
func ends(r *work.Result) {
	if r.Response.Moved != "" && r.Response.Outcome == fetch.Redirects && r.Response.NextHop() == "" {
		r.Response.Moved = ""
	}
}

// store stores results in one transaction.
func (l *Leases) store(ctx context.Context, all []*incoming) error {
	var rows []crawls.Arrival
	var of []*incoming
	for _, in := range all {
		if in.bad != nil || in.gaveUp {
			continue
		}
		a := crawls.Arrival{Task: in.r.Task, Attempt: in.r.Attempt, Worker: in.Worker, Result: in.Data}
		switch {
		case in.task == nil:
			a.Result = nil
		case in.robots:
			a.Result, a.Next, a.Host = nil, in.task.final, in.task.host
			if prior := in.task.prior; prior != nil {
				hops, err := work.Encode(prior)
				if err != nil {
					return err
				}
				a.Hops = hops
			}
		case in.next != "":
			hops, err := work.Encode(in.prior)
			if err != nil {
				return err
			}
			a.Result, a.Next, a.Host, a.Hops = nil, in.next, in.host, hops
		}
		rows, of = append(rows, a), append(of, in)
	}
	if len(rows) == 0 {
		return nil
	}
	verdicts, err := crawls.ArriveTasks(ctx, l.o.Hosts, rows)
	for i := range verdicts {
		of[i].verdict = verdicts[i]
	}
	return err
}

// giveBack ends the loan of a result's host with what the result says of it.
func (l *Leases) giveBack(ctx context.Context, in *incoming) {
	l.mu.Lock()
	live := l.live
	l.mu.Unlock()
	switch g := in.grant; {
	case g.loan != nil && g.live == live:
		g.loan.Return(ctx, in.facts)
	case live != nil:
		live.Learn(ctx, g.url, in.facts)
	}
}

// settle does what follows from a result that was stored, or was not; the lock is held.
func (l *Leases) settle(ctx context.Context, in *incoming) work.Verdict {
	w := l.workers[in.Worker]
	if in.bad != nil {
		l.count(in.Worker, func(c *WorkerCounts) { c.Refused++ })
		l.trouble(w, "a result was refused: "+in.bad.Error())
		return work.Malformed
	}
	if in.grant != nil {
		l.endGrant(in.grant)
	}
	t := in.task
	switch {
	case in.gaveUp && t != nil && in.grant != nil && t.at == out && t.attempt == in.r.Attempt:
		t.at = taken
		go func() {
			l.order.Lock()
			defer l.order.Unlock()
			l.lose(context.WithoutCancel(ctx), t, in.r.Attempt, in.Worker, "its workers gave up", false)
		}()
		return work.Kept
	case in.gaveUp, in.verdict == crawls.Duplicate:
		l.sums.duplicates++
		l.count(in.Worker, func(c *WorkerCounts) { c.Duplicates++ })
		if t != nil && t.at == out && t.attempt == in.r.Attempt && in.verdict == crawls.Duplicate {
			t.at = taken
			go l.fromStore(context.WithoutCancel(ctx), t)
		}
		return work.Duplicate
	case in.verdict == crawls.Unknown:
		l.sums.unknown++
		l.count(in.Worker, func(c *WorkerCounts) { c.Unknown++ })
		if t != nil && t.attempt == in.r.Attempt {
			l.gone(t)
		}
		return work.Unknown
	}
	l.accepted(ctx, in, w)
	return work.Kept
}

// accepted continues a task whose result was stored; the lock is held.
func (l *Leases) accepted(ctx context.Context, in *incoming, w *worker) {
	t := in.task
	if g := in.grant; g != nil {
		delete(l.hostLost, g.host)
	}
	l.credit(w, in)
	if t.at == waiting {
		l.unqueue(t) // the result of an earlier attempt came late
	}
	t.lost = 0
	switch {
	case in.robots:
		t.at = taken
		go l.readRobots(context.WithoutCancel(ctx), t, in.r.Response.Exchanges)
	case in.next != "":
		t.prior = in.prior
		t.goTo(in.next)
		l.putAside(t)
	default:
		if o := in.r.Response.Outcome; o == fetch.Network || o == fetch.Timeout {
			if len(l.failedBy) < maxFailedBy {
				l.failedBy[t.key] = in.Worker
			}
		}
		l.sample(ctx, in)
		if t.crawl == nil {
			t.at = arrived
			return
		}
		l.join(t, &in.r)
		l.hand(ctx, t, in.r)
	}
}

// hand gives a crawl the result of a task, whose row has it; the lock is held.
func (l *Leases) hand(ctx context.Context, t *task, r work.Result) {
	c := t.leave()
	l.forget(t)
	l.behind[t.id] = given{t.key.crawl, l.clock.Now()}
	if !r.Response.NotModified {
		c.deliver(r)
		return
	}
	live := l.live
	go func() { // the stored copy is read from the disk
		var known fetch.Known
		if live != nil {
			known = live.Copy(context.WithoutCancel(ctx), r.Response.FinalURL)
		}
		r.Fill(known.Body)
		c.deliver(r)
	}()
}

// fromStore hands a crawl the result of a task that arrived before.
func (l *Leases) fromStore(ctx context.Context, t *task) {
	row, err := crawls.OpenTask(ctx, l.st.DB, t.key.crawl, t.url)
	var r work.Result
	switch {
	case err != nil:
	case bytes.HasPrefix(row.Result, lostMark):
		r = lostResult(t, string(row.Result[len(lostMark):]))
	default:
		if r, err = work.Decode(row.Result); err == nil {
			r.From(row.Worker)
			end := l.clock.Now()
			if row.Until.Before(end) {
				end = row.Until
			}
			r.Shift(end)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case t.crawl == nil:
		t.at = arrived
	case err != nil || row.ID != t.id:
		l.o.Log.Error("a stored result is left out; its page is fetched again", "url", t.url, "error", err)
		l.gone(t)
	default:
		l.join(t, &r)
		ends(&r)
		l.hand(ctx, t, r)
	}
}

// gone ends a task whose row is gone, or cannot be used: its crawl fetches the page anew; the lock is held.
func (l *Leases) gone(t *task) {
	c := t.leave()
	if t.at == waiting {
		l.unqueue(t)
	}
	l.forget(t)
	if c != nil {
		c.deliver(work.Canceled(&work.Task{URL: t.url}))
	}
}

// readRobots reads a robots.txt that is on another host than its pages, and has the task wait again.
func (l *Leases) readRobots(ctx context.Context, t *task, exchanges []fetch.Exchange) {
	l.mu.Lock()
	live := l.live
	l.mu.Unlock()
	if live != nil {
		within, cancel := context.WithTimeout(ctx, l.lease())
		exchanges = append(exchanges, live.ReadRobots(within, t.final)...)
		cancel()
	}
	if err := crawls.AddContacts(ctx, l.st.DB, t.key.crawl, exchanges); err != nil {
		l.o.Log.Warn("requests are missing in the ledger", "crawl", t.key.crawl, "error", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.putAside(t)
}
