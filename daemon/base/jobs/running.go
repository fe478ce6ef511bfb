package jobs

import (
	"context"
	"slices"
	"sync"
	"time"
)

// tellEvery is the minimum time between two reports of progress within a step.
const tellEvery = 200 * time.Millisecond

// Running is the list of jobs that are running. A job works on something with a number, such as a row of the database; P is
// its progress. The zero value is an empty list. Its methods may be called concurrently.
type Running[P any] struct {
	// Tell is called with the progress of a job: when its step changes, and otherwise at most every 200 ms. It must not block
	// and must not call methods of Running. nil for nothing.
	Tell func(id int64, p P)

	mu   sync.Mutex
	jobs []*job[P] // in the order in which they began
}

// job is something that runs, or a Stop that keeps jobs of its number from starting.
type job[P any] struct {
	id       int64
	stops    bool // it is a Stop
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed at the end
	step     string
	progress P
	told     time.Time
}

// Begin adds a job. It returns the context of the job, which Stop ends, and a function that the job calls at its end. Two jobs
// may have the same number.
func (r *Running[P]) Begin(ctx context.Context, id int64) (_ context.Context, end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := &job[P]{id: id}
	return r.add(ctx, j), func() { r.remove(j) }
}

// add adds a job. The caller holds mu.
func (r *Running[P]) add(ctx context.Context, j *job[P]) context.Context {
	ctx, j.cancel = context.WithCancelCause(ctx)
	j.done = make(chan struct{})
	r.jobs = append(r.jobs, j)
	return ctx
}

func (r *Running[P]) remove(j *job[P]) {
	r.mu.Lock()
	r.jobs = slices.DeleteFunc(r.jobs, func(other *job[P]) bool { return other == j })
	r.mu.Unlock()
	j.cancel(nil)
	close(j.done)
}

// Stop ends the jobs with a number, waits until they have ended, and then calls then, which may be nil. Meanwhile Busy reports
// the number, so that a loop does not start what then is about to change. why is the cause of the end of their contexts. The
// error is that of then, or that of ctx if it ends first; then is not called in this case.
func (r *Running[P]) Stop(ctx context.Context, id int64, why error, then func() error) error {
	r.mu.Lock()
	stop := &job[P]{id: id, stops: true}
	var all []*job[P]
	for _, j := range r.jobs {
		if j.id == id {
			all = append(all, j)
			j.cancel(why)
		}
	}
	r.add(ctx, stop)
	r.mu.Unlock()
	defer r.remove(stop)
	for _, j := range all {
		select {
		case <-j.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if then == nil {
		return nil
	}
	return then()
}

// Busy reports whether a job with a number is running or being stopped.
func (r *Running[P]) Busy(id int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.jobs, func(j *job[P]) bool { return j.id == id })
}

// IDs returns the numbers of the jobs that are running, in the order in which they began.
func (r *Running[P]) IDs() []int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []int64
	for _, j := range r.jobs {
		if !j.stops {
			all = append(all, j.id)
		}
	}
	return all
}

// Note records the progress of the job with a number, and the step that it is at. It does nothing without such a job.
func (r *Running[P]) Note(id int64, step string, p P) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := r.find(id)
	if j == nil {
		return
	}
	now := time.Now()
	tell := r.Tell != nil && (step != j.step || now.Sub(j.told) >= tellEvery)
	if j.step, j.progress = step, p; tell {
		j.told = now
		r.Tell(id, p)
	}
}

// Progress returns the progress of the job with a number, the zero value without such a job.
func (r *Running[P]) Progress(id int64) (p P) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j := r.find(id); j != nil {
		return j.progress
	}
	return p
}

// find returns the job with a number, nil when none is running. The caller holds mu.
func (r *Running[P]) find(id int64) *job[P] {
	for _, j := range r.jobs {
		if j.id == id && !j.stops {
			return j
		}
	}
	return nil
}
