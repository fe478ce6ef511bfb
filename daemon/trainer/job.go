package trainer

import (
	"context"
	"errors"
	"slices"

	"nightjar/daemon/store"
)

// ErrStopped is the error of a training that the person stopped.
var ErrStopped = errors.New("the training was stopped")

// job is a training that has not ended.
type job struct {
	topic  int64
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when it has ended
}

// beginLocked notes a training, so that Cancel finds it, and gives it a context of its own. t.mu is held.
func (t *Trainer) beginLocked(ctx context.Context, topicID int64) (*job, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	j := &job{topic: topicID, cancel: cancel, done: make(chan struct{})}
	t.jobs[topicID] = append(t.jobs[topicID], j)
	return j, ctx
}

// end forgets a training.
func (t *Trainer) end(j *job) {
	t.mu.Lock()
	t.jobs[j.topic] = slices.DeleteFunc(t.jobs[j.topic], func(other *job) bool { return other == j })
	if len(t.jobs[j.topic]) == 0 {
		delete(t.jobs, j.topic)
	}
	t.mu.Unlock()
	j.cancel(nil)
	close(j.done)
}

// Cancel stops the topic's training, whether it waits or is under way, and returns when it has ended: within 100 ms. The
// model before it stays, and what was submitted stays submitted; it is trained when the person asks, or when something
// new has come to learn from. Without a training nothing happens.
func (t *Trainer) Cancel(topicID int64) {
	t.mu.Lock()
	if t.waiting[topicID] { // it becomes a training, only to be stopped as one
		delete(t.waiting, topicID)
		j, ctx := t.beginLocked(context.Background(), topicID)
		go func() { _, _ = t.work(ctx, j) }() // its status says how it ended
	}
	jobs := slices.Clone(t.jobs[topicID])
	t.mu.Unlock()
	for _, j := range jobs {
		j.cancel(ErrStopped)
	}
	for _, j := range jobs {
		<-j.done
	}
}

// stopped reports whether the person stopped the training.
func stopped(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ErrStopped) }

// remember notes that a training was stopped and what it would have learned from, and returns ErrStopped.
func (t *Trainer) remember(ctx context.Context, topicID int64) error {
	ctx = context.WithoutCancel(ctx)
	known, err := t.store.Known(ctx, topicID)
	if err == nil {
		err = t.store.PutStopped(ctx, topicID, known)
	}
	return errors.Join(ErrStopped, err)
}

// wasStopped reports whether the person stopped the training that would learn what is there now.
func (t *Trainer) wasStopped(ctx context.Context, topicID int64, now store.Known) (bool, error) {
	then, err := t.store.Stopped(ctx, topicID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && then.Equal(now), err
}

// unlessDone runs a step that looks at its context too seldom, and gives ctx.Err() when ctx ends first. The step is then
// left to end by itself.
func unlessDone[T any](ctx context.Context, step func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := step()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
