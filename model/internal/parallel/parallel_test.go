package parallel

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
)

func TestEachDoesEveryPieceOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		times := make([]atomic.Int32, n)
		Each(n, func(i int) { times[i].Add(1) })
		for i := range times {
			if got := times[i].Load(); got != 1 {
				t.Errorf("piece %d of %d was done %d times", i, n, got)
			}
		}
	}
}

func TestRangesCoverAll(t *testing.T) {
	for _, tt := range []struct{ n, pieces int }{{0, 4}, {1, 4}, {3, 4}, {4, 4}, {1001, 7}, {5, 1}} {
		times := make([]atomic.Int32, tt.n)
		var calls atomic.Int32
		Ranges(tt.n, tt.pieces, func(from, to int) {
			calls.Add(1)
			for i := from; i < to; i++ {
				times[i].Add(1)
			}
		})
		if want := min(tt.n, tt.pieces); int(calls.Load()) != want {
			t.Errorf("%d in %d pieces: %d calls", tt.n, tt.pieces, calls.Load())
		}
		for i := range times {
			if got := times[i].Load(); got != 1 {
				t.Errorf("%d in %d pieces: %d was covered %d times", tt.n, tt.pieces, i, got)
			}
		}
	}
}

func TestEachUntilReportsInTheCallersGoroutine(t *testing.T) {
	last := 0 // not shared: the race detector would see it
	err := EachUntil(context.Background(), 200, func(int) {}, func(done int) {
		if done != last+1 {
			t.Errorf("%d done after %d", done, last)
		}
		last = done
	})
	if err != nil || last != 200 {
		t.Errorf("%d of 200 reported, error %v", last, err)
	}
}

func TestEachUntilStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var begun atomic.Int32
	err := EachUntil(ctx, 1<<20, func(int) {
		if begun.Add(1) == 10 {
			cancel()
		}
	}, nil)
	if !errors.Is(err, context.Canceled) || begun.Load() == 1<<20 {
		t.Errorf("%d pieces begun, error %v", begun.Load(), err)
	}
	begun.Store(0)
	if err := EachUntil(ctx, 5, func(int) { begun.Add(1) }, nil); !errors.Is(err, context.Canceled) || begun.Load() != 0 {
		t.Errorf("ended before it began: %d pieces, error %v", begun.Load(), err)
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	defer func() {
		if p := recover(); p != "mistake" {
			t.Errorf("recovered %v", p)
		}
	}()
	Each(100, func(i int) {
		if i == 50 {
			panic("mistake")
		}
	})
	t.Error("no panic")
}
