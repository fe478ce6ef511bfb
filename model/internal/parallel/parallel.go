// Package parallel spreads independent pieces of a computation over the processor's cores. What is computed must depend
// on the piece only, not on when or where it runs; then results do not depend on the number of cores.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do for every i in [0, n), several at a time, and returns when all are done. A panic in do is raised again
// in the caller's goroutine.
func Each(n int, do func(i int)) {
	_ = EachUntil(context.Background(), n, do, nil)
}

// EachUntil is Each that begins no further piece once ctx has ended, and then gives ctx.Err() as soon as the pieces that
// run have ended. progress, which may be nil, is called in the caller's goroutine with the number of pieces done.
func EachUntil(ctx context.Context, n int, do func(i int), progress func(done int)) error {
	w := &work{ctx: ctx, n: n, do: do, ended: make(chan struct{}, n)}
	for range min(n, runtime.GOMAXPROCS(0)) {
		w.running.Add(1)
		go w.run()
	}
	go func() {
		w.running.Wait()
		close(w.ended)
	}()
	done := 0
	for range w.ended {
		done++
		if progress != nil {
			progress(done)
		}
	}
	if p := w.problem.Load(); p != nil {
		panic(*p)
	}
	if done < n {
		return ctx.Err()
	}
	return nil
}

// Ranges cuts [0, n) into ranges and calls do for each, several at a time. The cut depends on n and pieces only: there
// are pieces ranges, as equal as can be, or n when that is less.
func Ranges(n, pieces int, do func(from, to int)) {
	pieces = min(n, pieces)
	Each(pieces, func(i int) { do(i*n/pieces, (i+1)*n/pieces) })
}

// work is what the goroutines of one call share.
type work struct {
	ctx     context.Context
	n       int
	do      func(i int)
	next    atomic.Int64
	running sync.WaitGroup
	ended   chan struct{} // one for each piece done; never blocks
	problem atomic.Pointer[any]
}

// run does pieces until there are none, ctx ends, or one has panicked.
func (w *work) run() {
	defer w.running.Done()
	defer func() {
		if p := recover(); p != nil {
			w.problem.CompareAndSwap(nil, &p)
		}
	}()
	for w.ctx.Err() == nil && w.problem.Load() == nil {
		i := int(w.next.Add(1)) - 1
		if i >= w.n {
			return
		}
		w.do(i)
		w.ended <- struct{}{}
	}
}
