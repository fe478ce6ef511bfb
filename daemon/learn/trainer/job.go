package trainer

import (
	"context"
	"errors"
	"slices"

	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
)

// ErrStopped says that the person stopped the training.
var ErrStopped = errors.New("the training was stopped")

// request is a training that was asked for.
type request struct {
	topic  int64
	report bool // make only the report of the newest model
	stale  bool // train only if the topic is still stale when its turn comes
}

// Cancel stops the topic's training, whether it waits or runs, and returns when it has ended, within 100 ms. The
// previous model stays in use and the sessions stay submitted. They are trained when the person asks for it, or when
// there is something new to learn from. Cancel does nothing when the topic has no training.
func (t *Trainer) Cancel(topicID int64) {
	t.mu.Lock()
	if i := t.waits(topicID); i >= 0 { // start it, so that it can be stopped like a running one
		r := t.queue[i]
		t.queue = slices.Delete(t.queue, i, i+1)
		ctx, end := t.running.Begin(context.Background(), topicID)
		go func() { _, _ = t.work(ctx, end, r) }() // its status says how it ended
	}
	t.mu.Unlock()
	_ = t.running.Stop(context.Background(), topicID, ErrStopped, nil) // nothing can fail
}

// stopped reports whether the person stopped the training.
func stopped(ctx context.Context) bool { return errors.Is(context.Cause(ctx), ErrStopped) }

// saveStopped is noteStopped; it returns ErrStopped.
func (t *Trainer) saveStopped(ctx context.Context, topicID int64) error {
	return errors.Join(ErrStopped, t.noteStopped(ctx, topicID))
}

// noteStopped stores that a training was stopped and what it would have learned from, or learned.
func (t *Trainer) noteStopped(ctx context.Context, topicID int64) error {
	ctx = context.WithoutCancel(ctx)
	known, err := trainingdata.KnownOf(ctx, t.Store.DB, topicID)
	if err != nil {
		return err
	}
	return trainingdata.SaveStopped(ctx, t.Store.DB, topicID, known)
}

// wasStopped reports whether the person stopped a training on the same data as now.
func (t *Trainer) wasStopped(ctx context.Context, topicID int64, now trainingdata.Known) (bool, error) {
	then, err := trainingdata.Stopped(ctx, t.Store.DB, topicID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && then.Equal(now), err
}

// unlessDone runs a step that checks its context too rarely. When ctx ends first, unlessDone returns ctx.Err() at once
// and lets the step end in the background.
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
