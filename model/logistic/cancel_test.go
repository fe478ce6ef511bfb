package logistic

import (
	"context"
	"errors"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	rows, label, weight := random(20, 30, 2, seeded(1))
	if _, err := NewProblem(rows, 30).Fit(ctx, upTo(20), label, weight, 2, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// flakyContext ends by itself when Err was asked often enough.
type flakyContext struct {
	context.Context
	left atomic.Int64
	done chan struct{}
}

func endsAfter(n int64) *flakyContext {
	c := &flakyContext{Context: context.Background(), done: make(chan struct{})}
	c.left.Store(n)
	return c
}

func (c *flakyContext) Done() <-chan struct{} { return c.done }

func (c *flakyContext) Err() error {
	switch left := c.left.Add(-1); {
	case left > 0:
		return nil
	case left == 0:
		close(c.done)
	}
	return context.Canceled
}

// Wherever the context ends, Fit says so, and a later fit of the same problem is as good as the first.
func TestCancelledMidway(t *testing.T) {
	for name, n := range map[string]int{"dense": 60, "sparse": spanLimit + 1} {
		rows, label := textLike(n, 500, 20, 3, seeded(2))
		want := mustFit(t, NewProblem(rows, 500), upTo(n), label, ones(n), 3, Options{})
		p, ended := NewProblem(rows, 500), 0
		for after := int64(1); ; after += 1 + after/8 {
			m, err := p.Fit(endsAfter(after), upTo(n), label, ones(n), 3, Options{})
			if err == nil {
				if !reflect.DeepEqual(m, want) {
					t.Errorf("%s: another model after cancelled fits", name)
				}
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: %v, want %v", name, err, context.Canceled)
			}
			ended++
		}
		if ended < 10 {
			t.Errorf("%s: the context was looked at in %d places only", name, ended)
		}
	}
}

// A fit that waits for another's span gives up when its own context ends, and the other one is not disturbed.
func TestCancelledWhileWaiting(t *testing.T) {
	rows, label, weight := random(20, 30, 2, seeded(3))
	p := NewProblem(rows, 30)
	p.span.building <- struct{}{}
	ctx, cancel := context.WithCancel(context.Background())
	failed := make(chan error)
	go func() {
		_, err := p.Fit(ctx, upTo(20), label, weight, 2, Options{})
		failed <- err
	}()
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
	<-p.span.building
	mustFit(t, p, upTo(20), label, weight, 2, Options{})
}

func TestSameBytesOnAnyCores(t *testing.T) {
	const n = 1500
	rows, label := textLike(n, 5000, 100, 4, seeded(4))
	use, few := upTo(n), upTo(100)
	if len(rows)*100*4 < parallel {
		t.Fatal("too small to be computed in parallel")
	}
	fit := func(cores int) (many, small *Model) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		many = mustFit(t, NewProblem(rows, 5000), use, label, ones(n), 4, Options{})
		small = mustFit(t, NewProblem(rows[:100], 5000), few, label[:100], ones(100), 4, Options{})
		return many, small
	}
	many, small := fit(1)
	for _, cores := range []int{1, 2, 3, 8} {
		if m, s := fit(cores); !reflect.DeepEqual(m, many) || !reflect.DeepEqual(s, small) {
			t.Errorf("%d cores: other bytes", cores)
		}
	}
}

func TestConcurrentFits(t *testing.T) {
	rows, label := textLike(90, 800, 40, 3, seeded(5))
	fold := func(p *Problem, f int) *Model {
		var use, y []int
		for i := range rows {
			if i%9 != f {
				use, y = append(use, i), append(y, label[i])
			}
		}
		m, err := p.Fit(context.Background(), use, y, ones(len(use)), 3, Options{})
		if err != nil {
			t.Error(err)
		}
		return m
	}
	var want, got [9]*Model
	for f := range want {
		want[f] = fold(NewProblem(rows, 800), f)
	}
	p := NewProblem(rows, 800)
	var wg sync.WaitGroup
	for f := range got {
		wg.Go(func() { got[f] = fold(p, f) })
	}
	wg.Wait()
	if !reflect.DeepEqual(got, want) {
		t.Error("fits at the same time differ from fits in turn")
	}
}
