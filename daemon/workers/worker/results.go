package worker

import (
	"context"
	"fmt"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/work"
	"nightjar/daemon/workers/broker/join"
)

// publishTimeout bounds one attempt to store a result in the stream.
const publishTimeout = 20 * time.Second

// publish stores a result in the stream. It tries again until the result is too old to be of use. packed is called when only the
// message is in memory.
func (w *Worker) publish(ctx context.Context, r *work.Result, packed func()) {
	began := w.watch.now()
	w.encoding <- struct{}{}
	encoded, err := w.o.Encode(r)
	<-w.encoding
	if err != nil {
		w.settle(false, err)
		return
	}
	task, attempt, held := r.Task, r.Attempt, false
	r = nil // only the encoded result stays in memory
	packed()
	var back join.Backoff
	for {
		err := w.publishOnce(ctx, task, attempt, encoded)
		switch {
		case err == nil, ctx.Err() != nil:
		case w.watch.since(began) < w.o.KeepFor:
			w.fail("storing a result: %v", err)
			if !held {
				held = true
				w.change(func() { w.held++ })
			}
			clock.Sleep(ctx, clock.System, back.Next())
			continue
		default:
			err = fmt.Errorf("a result could not be stored for %v: %w", w.o.KeepFor, err)
		}
		if err != nil && ctx.Err() != nil {
			err = ErrStopped
		}
		w.settle(held, err)
		return
	}
}

func (w *Worker) publishOnce(ctx context.Context, task string, attempt int, encoded []byte) error {
	ctx, done := context.WithTimeout(ctx, publishTimeout)
	defer done()
	return w.o.Broker.Publish(ctx, task, attempt, encoded)
}

// settle ends the wait of a result, which was stored unless err says otherwise.
func (w *Worker) settle(held bool, err error) {
	w.change(func() {
		w.waiting--
		if held {
			w.held--
		}
		if err == nil {
			w.done++
		}
	})
	if err != nil {
		w.drop(1, err)
	}
}
