package reader

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/fetch"
	"nightjar/daemon/base/jobs"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/store"
)

// Limits.
const (
	atOnce   = 4                // PDFs that are fetched at the same time
	mostWait = time.Minute      // that a training waits for texts
	look     = 10 * time.Minute // between two looks without news
	pause    = 10 * time.Second // after a failure of the database
	settle   = 100 * time.Millisecond
)

// Lender lends the fetcher that crawls share; *scheduler.Scheduler is one.
type Lender interface {
	Borrow(ctx context.Context) (f fetch.Fetcher, release func(), err error)
}

// Trainer trains a topic in the background.
type Trainer interface{ Submit(topicID int64) }

// Runner reads PDFs. Set all fields; one runner works on a database.
type Runner struct {
	*Waits
	Web     Lender
	Bus     *notify.Bus
	Trainer Trainer
	Log     *slog.Logger
}

// Run reads what is wanted and what comes, until ctx ends. It returns nil: failures are logged and tried again.
func (r *Runner) Run(ctx context.Context) error {
	loop := jobs.Loop{Settle: settle, Retry: pause, Failed: func(err error) {
		r.Log.Error("PDFs could not be read; it is tried again", "err", err)
	}}
	loop.Step = func(ctx context.Context) (time.Duration, error) {
		next, err := r.Step(ctx)
		if next.IsZero() {
			return look, err
		}
		return min(look, max(0, next.Sub(r.Now()))), err
	}
	defer r.Bus.Call(loop.Wake, "session", "settings")()
	return loop.Run(ctx)
}

// Step tries to read every PDF that is wanted now, and returns when the next attempt is due; the zero time means that none is.
func (r *Runner) Step(ctx context.Context) (next time.Time, err error) {
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return next, err
	}
	if !settings.ReadPDFs {
		if err := ForgetReadings(ctx, r.Store.DB); err != nil {
			return next, err
		}
	}
	for {
		due, next, err := Readings(ctx, r.Store.DB, settings.ReadPDFs, atOnce)
		if err != nil || len(due) == 0 {
			return next, err
		}
		if err := r.read(ctx, due, settings.NeverRecord); err != nil {
			return next, err
		}
	}
}

// read tries to read some PDFs. The error is one of this computer.
func (r *Runner) read(ctx context.Context, due []Reading, never []string) error {
	f, release, err := r.Web.Borrow(ctx)
	if err != nil {
		return err
	}
	defer release()
	group, ctx := errgroup.WithContext(ctx)
	for _, one := range due {
		group.Go(func() error {
			defer r.tell()
			return r.readOne(ctx, f, one, never)
		})
	}
	return group.Wait()
}

// readOne tries to read a PDF and stores how that ended.
func (r *Runner) readOne(ctx context.Context, f fetch.Fetcher, one Reading, never []string) error {
	html, truncated, failed := get(ctx, f, one, never, r.Now)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if failed != nil {
		again := failed.next(one.Tries, r.Now())
		r.Log.Info("the text of a PDF was not read", "session", one.UUID, "reason", failed.reason, "again", !again.IsZero())
		if err := FailReading(ctx, r.Store.DB, one, failed.reason, again, failed.later.IsZero()); err != nil {
			return err
		}
	} else if err := r.put(ctx, one, html, truncated); err != nil {
		return err
	}
	r.Bus.Tell(notify.News{Kind: "session", ID: one.UUID})
	return nil
}

// put stores a text. A session that was submitted before is learned from again.
func (r *Runner) put(ctx context.Context, one Reading, html []byte, truncated bool) error {
	err := PutReading(context.WithoutCancel(ctx), r.Store, one, html, truncated)
	if err == nil && one.Ended && !r.waitedFor(one.Topic) {
		r.Trainer.Submit(one.Topic)
	}
	return err
}

// Waits lets trainings wait for the texts of PDFs that a Runner reads. Set the exported fields.
type Waits struct {
	Store *store.Store
	Now   func() time.Time

	mu      sync.Mutex
	done    chan struct{} // closed when an attempt ends; nil when nobody waits
	waiting map[int64]int // trainings that wait, by topic
}

// tell wakes those who wait.
func (w *Waits) tell() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done != nil {
		close(w.done)
		w.done = nil
	}
}

// changed returns a channel that is closed when the next attempt ends.
func (w *Waits) changed() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done == nil {
		w.done = make(chan struct{})
	}
	return w.done
}

// waitedFor reports whether a training of a topic waits, which will learn from what is read now.
func (w *Waits) waitedFor(topicID int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.waiting[topicID] > 0
}

// count notes that n more trainings of a topic wait.
func (w *Waits) count(topicID int64, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiting == nil {
		w.waiting = map[int64]int{}
	}
	w.waiting[topicID] += n
}

// Wait returns when the text of every marked PDF in a topic's submitted sessions is read or was asked for in vain, at the latest
// after a minute. A failure of the database ends it, too: whoever waits will meet it.
func (w *Waits) Wait(ctx context.Context, topicID int64) {
	ctx, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	w.count(topicID, 1)
	defer w.count(topicID, -1)
	until := w.Now().Add(mostWait)
	for {
		changed := w.changed()
		n, err := PendingReadings(ctx, w.Store.DB, topicID, until)
		if err != nil || n == 0 {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
