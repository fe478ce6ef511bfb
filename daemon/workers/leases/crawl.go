package leases

import (
	"cmp"
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"sync"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/crawler/work"
	"nightjar/daemon/night/crawls"
)

// Crawl is the work.Dispatcher of one crawl.
type Crawl struct {
	l       *Leases
	id      int64
	results chan work.Result
	done    chan struct{}
	pump    sync.WaitGroup

	mu    sync.Mutex
	ready []work.Result
	more  chan struct{} // has a value when ready may have grown
}

// Crawl returns the dispatcher of a crawl. Only one of a crawl may be open. Results that an earlier one was given, and whose crawl did
// not store what came of them, are there again.
func (l *Leases) Crawl(ctx context.Context, id int64) (*Crawl, error) {
	rows, err := crawls.OpenTasks(ctx, l.st.DB)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	for i := range rows {
		if r := &rows[i]; r.CrawlID == id && r.State == crawls.TaskArrived && l.byID[r.ID] == nil {
			l.restore(r)
		}
	}
	l.mu.Unlock()
	c := &Crawl{l: l, id: id, results: make(chan work.Result), done: make(chan struct{}), more: make(chan struct{}, 1)}
	c.pump.Go(c.run)
	return c, nil
}

// run hands results over in the order in which they came.
func (c *Crawl) run() {
	for {
		c.mu.Lock()
		batch := c.ready
		c.ready = nil
		c.mu.Unlock()
		for _, r := range batch {
			select {
			case c.results <- r:
			case <-c.done:
				return
			}
		}
		if len(batch) > 0 {
			continue
		}
		select {
		case <-c.more:
		case <-c.done:
			return
		}
	}
}

// deliver hands a result to the crawl. It does not wait.
func (c *Crawl) deliver(r work.Result) {
	c.mu.Lock()
	c.ready = append(c.ready, r)
	c.mu.Unlock()
	select {
	case c.more <- struct{}{}:
	default:
	}
}

// Results returns the channel of the results.
func (c *Crawl) Results() <-chan work.Result { return c.results }

// Durable is true: tasks are stored.
func (c *Crawl) Durable() bool { return true }

// Close ends the use of the dispatcher.
func (c *Crawl) Close() {
	close(c.done)
	c.pump.Wait()
	c.l.mu.Lock()
	defer c.l.mu.Unlock()
	maps.DeleteFunc(c.l.behind, func(_ string, r given) bool { return r.crawl == c.id })
	c.l.wake()
}

// Width is how many tasks can be under way: those that the workers do at once, and a few that wait for the next to ask.
func (c *Crawl) Width() int {
	c.l.mu.Lock()
	defer c.l.mu.Unlock()
	n := 0
	for _, w := range c.l.workers {
		if c.l.works(w) {
			n += w.free()
		}
	}
	if n == 0 {
		n = c.l.o.Own
	}
	return n + max(n/8, 1)
}

// Dispatch has a link fetched by whoever asks for it first. If it is under way already, it is taken up.
func (c *Crawl) Dispatch(ctx context.Context, w work.Task) {
	l := c.l
	k := key{c.id, w.URL}
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx.Err() != nil { // a worker might be faster than AfterFunc
		c.deliver(work.Canceled(&w))
		return
	}
	t := l.byKey[k]
	if t == nil || t.crawl != nil { // a second one waits until the result of the first is used
		t = l.newTask(k, "")
		t.goTo(w.URL)
		t.at = idle
	}
	t.crawl, t.ctx = c, ctx
	t.avoid = l.failedBy[k]
	delete(l.failedBy, k)
	t.stop = context.AfterFunc(ctx, func() { l.cancel(t, ctx) })
	switch t.at {
	case idle:
		l.enqueue(t)
	case arrived:
		t.at = taken
		go l.fromStore(context.WithoutCancel(ctx), t)
	}
}

// newTask makes a task of a link; the lock is held.
func (l *Leases) newTask(k key, id string) *task {
	t := &task{key: k, id: cmp.Or(id, rand.Text())}
	if l.byID[t.id] = t; l.byKey[k] == nil {
		l.byKey[k] = t
	}
	return t
}

// goTo sets what is requested next.
func (t *task) goTo(url string) { t.final, t.host, t.site = url, weburl.Host(url), weburl.Site(url) }

// enqueue has a task wait for a worker; the lock is held.
func (l *Leases) enqueue(t *task) {
	if t.seq == 0 {
		l.seq++
		t.seq = l.seq
	}
	t.at, t.since = waiting, l.clock.Now()
	i, _ := slices.BinarySearchFunc(l.queue, t.seq, func(o *task, seq int64) int { return int(o.seq - seq) })
	l.queue = slices.Insert(l.queue, i, t)
	l.wake()
}

// cancel ends the wait of a crawl for a task, which goes on if a worker has it.
func (l *Leases) cancel(t *task, ctx context.Context) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t.crawl == nil || t.ctx != ctx {
		return
	}
	c := t.leave()
	if t.at == waiting {
		l.unqueue(t)
		l.rest(t)
	}
	c.deliver(work.Canceled(&work.Task{URL: t.url}))
}

// leave ends that a crawl waits for a task, and returns the crawl; the lock is held.
func (t *task) leave() *Crawl {
	c := t.crawl
	if t.stop != nil {
		t.stop()
	}
	t.crawl, t.ctx, t.stop, t.seq = nil, nil, nil, 0
	return c
}

func (l *Leases) unqueue(t *task) {
	l.queue = slices.DeleteFunc(l.queue, func(o *task) bool { return o == t })
}

// forget drops a task; the lock is held.
func (l *Leases) forget(t *task) {
	if l.byKey[t.key] == t {
		delete(l.byKey, t.key)
	}
	delete(l.byID, t.id)
}

// rest puts a task aside that no crawl waits for; the lock is held.
func (l *Leases) rest(t *task) {
	if t.at = idle; !t.stored {
		l.forget(t)
	}
}

// later gives a link back to its crawl, to be dispatched again when its host is ready; the lock is held.
func (l *Leases) later(t *task, why string) {
	c := t.leave()
	l.rest(t)
	if c != nil {
		c.deliver(work.Result{URL: t.url, Response: fetch.Response{URL: t.url, FinalURL: t.url, Outcome: fetch.Later, Reason: why}})
	}
}

// answer ends a task whose address must not be requested; the lock is held.
func (l *Leases) answer(t *task, r fetch.Response) {
	if t.prior != nil {
		r = t.prior.Response.Continue(r)
	}
	r.URL = t.url
	done := work.Result{URL: t.url, Response: r}
	if t.stored {
		done.Task = t.id
		l.behind[t.id] = given{t.key.crawl, l.clock.Now()}
	}
	c := t.leave()
	l.forget(t)
	if c != nil {
		c.deliver(done)
	}
}

// Committed notes that crawls have used results; see crawls.Journal.OnTasks.
func (l *Leases) Committed(ids []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.lagging()
	for _, id := range ids {
		delete(l.behind, id)
	}
	if before != "" && l.lagging() == "" {
		l.wake()
	}
}
