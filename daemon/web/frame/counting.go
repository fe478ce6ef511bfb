package frame

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

// glance is how long a page waits for what takes long when much is stored. What is not ready then goes on in the
// background, and the page asks again for the part with it.
const glance = 50 * time.Millisecond

// patience is how long a job continues, and its result is kept, after the last request for it.
const patience = time.Minute

// Counts works in the background, one thing at a time, so that everything else stays quick. Its methods may be called
// concurrently.
type Counts struct {
	Wait time.Duration // see glance
	ctx  context.Context
	stop context.CancelFunc
	all  sync.WaitGroup
	turn chan struct{} // holds one value while something is counted

	mu   sync.Mutex
	jobs map[string]*countJob // by key
}

// countJob is one piece of work. done is closed when value and err are there.
type countJob struct {
	began  time.Time
	done   chan struct{}
	value  any
	err    error
	cancel context.CancelFunc
	left   *time.Timer // fires when nobody has asked for a while
}

// Waiting says for how long something has been counted that is not ready yet.
type Waiting struct{ For time.Duration }

func newCounts(wait time.Duration) *Counts {
	ctx, stop := context.WithCancel(context.Background())
	return &Counts{Wait: wait, ctx: ctx, stop: stop, turn: make(chan struct{}, 1), jobs: map[string]*countJob{}}
}

// close stops all work and waits until it has ended. Nothing may be counted afterwards.
func (c *Counts) close() {
	c.stop()
	c.all.Wait()
}

// Counted returns what count returns, or for how long it has been working on it, if it is not ready within a glance. A
// result is returned once: the next call counts again. key names what is counted; equal keys share the work.
func Counted[T any](ctx context.Context, c *Counts, key string, count func(context.Context) (T, error)) (value T, w *Waiting, err error) {
	job := c.job(key, func(ctx context.Context) (any, error) { return count(ctx) })
	timer := time.NewTimer(c.Wait)
	defer timer.Stop()
	select {
	case <-job.done:
	case <-timer.C:
		return value, &Waiting{time.Since(job.began)}, nil
	case <-ctx.Done():
		return value, nil, ctx.Err()
	}
	c.forget(key, job)
	switch {
	case errors.Is(job.err, context.Canceled) && c.ctx.Err() == nil: // given up just before it was asked for again
		return value, &Waiting{}, nil
	case job.err != nil:
		return value, nil, job.err
	}
	return job.value.(T), nil, nil
}

// CountedIfAsked is Counted when the query of a request asks for it, and counts nothing otherwise.
func CountedIfAsked[T any](r *http.Request, c *Counts, key string, count func(context.Context) (T, error)) (value *T, w *Waiting, err error) {
	if r.URL.Query().Get("count") == "" {
		return nil, nil, nil
	}
	now, w, err := Counted(r.Context(), c, key, count)
	if err != nil || w != nil {
		return nil, w, err
	}
	return &now, nil, nil
}

// job returns the job with a key and starts it if necessary.
func (c *Counts) job(key string, count func(context.Context) (any, error)) *countJob {
	c.mu.Lock()
	defer c.mu.Unlock()
	if j := c.jobs[key]; j != nil {
		j.left.Reset(patience)
		return j
	}
	ctx, cancel := context.WithCancel(c.ctx)
	j := &countJob{began: time.Now(), done: make(chan struct{}), cancel: cancel}
	j.left = time.AfterFunc(patience, func() { c.forget(key, j) })
	c.jobs[key] = j
	c.all.Go(func() {
		defer close(j.done)
		select {
		case c.turn <- struct{}{}:
			j.value, j.err = count(ctx)
			<-c.turn
		case <-ctx.Done():
			j.err = ctx.Err()
		}
	})
	return j
}

// forget drops the work with a key, and stops it if it has not ended.
func (c *Counts) forget(key string, j *countJob) {
	c.mu.Lock()
	defer c.mu.Unlock()
	j.left.Stop()
	j.cancel()
	if c.jobs[key] == j {
		delete(c.jobs, key)
	}
}
