package frame

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// slow counts to 7 in a while, and notes how often it began and how often it was stopped.
type slow struct {
	takes           time.Duration
	began, finished atomic.Int64
}

func (s *slow) count(ctx context.Context) (int, error) {
	s.began.Add(1)
	select {
	case <-time.After(s.takes):
		s.finished.Add(1)
		return 7, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func TestCounting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCounts(glance)
		defer c.close()
		ask := func(key string, s *slow) string {
			n, w, err := Counted(t.Context(), c, key, s.count)
			return fmt.Sprint(n, w != nil, err)
		}
		quick, long, next := &slow{takes: time.Millisecond}, &slow{takes: 10 * time.Second}, &slow{takes: time.Millisecond}
		for range 2 { // each result is new
			if got := ask("quick", quick); got != "7 false <nil>" {
				t.Errorf("a short count: %s", got)
			}
		}
		if quick.began.Load() != 2 {
			t.Errorf("two askers, one after the other, made it count %d times", quick.began.Load())
		}
		if n, w, err := Counted(t.Context(), c, "long", long.count); n != 0 || w == nil || w.For < glance || err != nil {
			t.Errorf("a long count: %d, %+v, %v", n, w, err)
		}
		if got := ask("long", long) + ask("next", next); got != "0 true <nil>0 true <nil>" || next.began.Load() != 0 {
			t.Errorf("while it goes on: %s, and another began %d times", got, next.began.Load())
		}
		time.Sleep(long.takes)
		if got := ask("long", long) + ask("next", next); got != "7 false <nil>7 false <nil>" || long.began.Load() != 1 || next.began.Load() != 1 {
			t.Errorf("after it: %s, began %d and %d times", got, long.began.Load(), next.began.Load())
		}
	})
}

// TestCountingIsGivenUp: what nobody asks for any more is stopped, and a result that nobody fetched is forgotten.
func TestCountingIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCounts(glance)
		kept := func() int {
			c.mu.Lock()
			defer c.mu.Unlock()
			return len(c.jobs)
		}
		left, done := &slow{takes: time.Hour}, &slow{takes: time.Second}
		for range 3 {
			_, _, _ = Counted(t.Context(), c, "left", left.count) // is not ready
			time.Sleep(patience / 2)
		}
		if left.began.Load() != 1 || kept() != 1 {
			t.Errorf("asked for again and again, it began %d times", left.began.Load())
		}
		time.Sleep(patience)
		synctest.Wait()
		if len(c.turn) != 0 || kept() != 0 {
			t.Error("it goes on, though nobody asks")
		}
		_, _, _ = Counted(t.Context(), c, "done", done.count) // is not ready
		time.Sleep(2 * patience)
		synctest.Wait()
		if done.finished.Load() != 1 || kept() != 0 {
			t.Error("a result that nobody fetched is kept")
		}
		_, _, _ = Counted(t.Context(), c, "left", left.count)
		c.close()
		if len(c.turn) != 0 || left.finished.Load() != 0 {
			t.Error("it goes on after the end")
		}
	})
}

func TestCountingFails(t *testing.T) {
	c := newCounts(time.Minute)
	defer c.close()
	broken := errors.New("broken")
	if _, _, err := Counted(t.Context(), c, "x", func(context.Context) (int, error) { return 0, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	began := make(chan struct{})
	_, _, err := Counted(ended, c, "y", func(ctx context.Context) (int, error) { close(began); <-ctx.Done(); return 0, nil })
	if <-began; !errors.Is(err, context.Canceled) {
		t.Errorf("the asker is gone: %v", err)
	}
}
