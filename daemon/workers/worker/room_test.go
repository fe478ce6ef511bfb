package worker

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestRoom: many large bodies at once stay within the room, but for the one of the earliest task, and all of them end.
func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most, piece = 10, 1
		r := newRoom(most)
		random := rand.New(rand.NewPCG(1, 2))
		var all sync.WaitGroup
		peak, ended := int64(0), 0
		for i := range 40 {
			f := &flight{number: int64(i)}
			begin, size, step := time.Duration(random.IntN(100))*time.Millisecond, 1+random.IntN(2*most), time.Duration(1+random.IntN(20))*time.Millisecond
			all.Go(func() {
				time.Sleep(begin)
				for range size {
					if err := r.take(t.Context(), f, piece); err != nil {
						t.Error(err)
					}
					r.mu.Lock()
					peak = max(peak, r.used)
					r.mu.Unlock()
					time.Sleep(step)
				}
				r.release(f)
				r.mu.Lock()
				ended++
				r.mu.Unlock()
			})
		}
		all.Wait()
		if ended != 40 || r.used != 0 || len(r.held) != 0 {
			t.Errorf("%d of 40 ended, %d of the room is used, by %d", ended, r.used, len(r.held))
		}
		if peak < most || peak > most+2*most { // the earliest one may have its whole size besides
			t.Errorf("at most %d were used of %d", peak, most)
		}
	})
}

// TestRoomEnds: who waits for room learns that its time is over.
func TestRoomEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRoom(2)
		if err := r.take(t.Context(), &flight{number: 1}, 2); err != nil || !r.full() {
			t.Fatalf("%v, full %v", err, r.full())
		}
		ctx, end := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { end(errOver) })
		late := &flight{number: 2}
		if err := r.take(ctx, late, 1); err != errOver {
			t.Errorf("got %v", err)
		}
		r.release(late)
		r.release(late) // a second one does nothing
		if r.used != 2 || len(r.held) != 1 {
			t.Errorf("%d are used by %d", r.used, len(r.held))
		}
	})
}
