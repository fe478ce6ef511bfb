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
	var next atomic.Int64
	var running sync.WaitGroup
	var problem atomic.Pointer[any]
	ended := make(chan struct{}, n) // one for each piece done; never blocks
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				problem.CompareAndSwap(nil, &p)
			}
		}()
		for ctx.Err() == nil && problem.Load() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			do(i)
			ended <- struct{}{}
		}
	}
	for range min(n, runtime.GOMAXPROCS(0)) {
		running.Go(work)
	}
	go func() {
		running.Wait()
		close(ended)
	}()
	done := 0
	for range ended {
		done++
		if progress != nil {
			progress(done)
		}
	}
	if p := problem.Load(); p != nil {
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
