package jobs

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errDisk = errors.New("the disk is full")

// starts runs a loop for a time and returns when its steps began, from the start of the loop. do is called at once, beside it.
func starts(t *testing.T, l *Loop, runs time.Duration, do func()) (at []time.Duration) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		begin, step := time.Now(), l.Step
		l.Step = func(ctx context.Context) (time.Duration, error) {
			at = append(at, time.Since(begin))
			return step(ctx)
		}
		ctx, cancel := context.WithTimeout(t.Context(), runs)
		defer cancel()
		go do()
		if err := l.Run(ctx); err != nil {
			t.Error(err)
		}
		if took := time.Since(begin); took != runs {
			t.Errorf("the loop ended after %v, and its context after %v", took, runs)
		}
	})
	return at
}

func TestLoop(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	const fails = Never - 1
	failures := 0
	for name, c := range map[string]struct {
		loop   *Loop           // nil for one without settings
		pauses []time.Duration // that its steps return, fails for an error; then Never
		do     func(*Loop)
		want   []time.Duration
	}{
		"a step at once, then nothing to do": {want: []time.Duration{0}},
		"the pauses of the steps":            {pauses: []time.Duration{0, 2 * s, s}, want: []time.Duration{0, 0, 2 * s, 3 * s}},
		"a pause before the first step":      {loop: &Loop{First: 3 * s}, want: []time.Duration{3 * s}},
		"woken before the first step": {loop: &Loop{First: 3 * s},
			do: func(l *Loop) { time.Sleep(s); l.Wake() }, want: []time.Duration{s}},
		"woken with nothing to do": {do: func(l *Loop) { time.Sleep(s); l.Wake() }, want: []time.Duration{0, s}},
		"woken in a pause": {pauses: []time.Duration{5 * s},
			do: func(l *Loop) { time.Sleep(s); l.Wake() }, want: []time.Duration{0, s}},
		"woken in a burst": {loop: &Loop{Settle: s}, do: func(l *Loop) {
			for range 5 {
				time.Sleep(400 * ms)
				l.Wake()
			}
		}, want: []time.Duration{0, 3 * s}},
		"errors": {loop: &Loop{Retry: 4 * s, Failed: func(err error) {
			if failures++; !errors.Is(err, errDisk) {
				t.Error(err)
			}
		}}, pauses: []time.Duration{fails, fails}, want: []time.Duration{0, 4 * s, 8 * s}},
		"woken after an error": {loop: &Loop{Retry: 4 * s}, pauses: []time.Duration{fails},
			do: func(l *Loop) { time.Sleep(s); l.Wake() }, want: []time.Duration{0, s}},
	} {
		n := 0
		l := cmp.Or(c.loop, &Loop{})
		l.Step = func(context.Context) (time.Duration, error) {
			if n++; n > len(c.pauses) {
				return Never, nil
			}
			if pause := c.pauses[n-1]; pause >= 0 {
				return pause, nil
			}
			return 0, errDisk
		}
		got := starts(t, l, time.Minute, func() {
			if c.do != nil {
				c.do(l)
			}
		})
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: steps at %v, want %v", name, got, c.want)
		}
	}
	if failures != 2 {
		t.Errorf("%d errors were reported, want 2", failures)
	}
}

// What is stored while a step is running may have been too late for it: another step follows.
func TestWokenDuringAStep(t *testing.T) {
	l := &Loop{}
	n := 0
	l.Step = func(context.Context) (time.Duration, error) {
		if n++; n == 1 {
			time.Sleep(time.Second)
		}
		return Never, nil
	}
	at := starts(t, l, time.Minute, func() {
		time.Sleep(time.Second / 2)
		l.Wake()
		l.Wake()
	})
	if !slices.Equal(at, []time.Duration{0, time.Second}) {
		t.Errorf("steps at %v", at)
	}
}

// The end of the daemon is no failure.
func TestLoopEnds(t *testing.T) {
	l := &Loop{Failed: func(err error) { t.Error(err) }}
	l.Step = func(ctx context.Context) (time.Duration, error) {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	if at := starts(t, l, time.Second, func() {}); len(at) != 1 {
		t.Errorf("steps at %v", at)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	late := &Loop{Step: func(context.Context) (time.Duration, error) { t.Error("a step after the end"); return 0, nil }}
	if err := late.Run(ended); err != nil {
		t.Error(err)
	}
}

func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r Running[int]
		why := errors.New("stopped by you")
		for range 2 { // two jobs with the same number, which take a second to end
			ctx, end := r.Begin(t.Context(), 7)
			go func() {
				<-ctx.Done()
				if context.Cause(ctx) != why {
					t.Error(context.Cause(ctx))
				}
				time.Sleep(time.Second)
				end()
			}()
		}
		other, end := r.Begin(t.Context(), 8)
		defer end()
		begin := time.Now()
		err := r.Stop(t.Context(), 7, why, func() error {
			if time.Since(begin) != time.Second || !slices.Equal(r.IDs(), []int64{8}) || !r.Busy(7) {
				t.Errorf("after %v, %v are running; 7 is busy: %v", time.Since(begin), r.IDs(), r.Busy(7))
			}
			return errDisk
		})
		if err != errDisk || r.Busy(7) || !r.Busy(8) || other.Err() != nil {
			t.Error(err, r.Busy(7), r.Busy(8), other.Err())
		}
		if err := r.Stop(t.Context(), 7, why, nil); err != nil {
			t.Error("no such job:", err)
		}
	})
}

// Whoever does not wait for a slow job changes nothing of what it works on.
func TestStopGivesUp(t *testing.T) {
	var r Running[int]
	_, end := r.Begin(t.Context(), 7)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := r.Stop(ctx, 7, nil, func() error { t.Error("the job has not ended"); return nil })
	if !errors.Is(err, context.Canceled) || !r.Busy(7) {
		t.Error(err, r.Busy(7))
	}
	if end(); r.Busy(7) {
		t.Error("still busy")
	}
}

// Several people may stop the same job: one after the other changes what it worked on.
func TestStopTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r Running[int]
		job, end := r.Begin(t.Context(), 7)
		go func() { <-job.Done(); end() }()
		var people sync.WaitGroup
		begin, changing, changed := time.Now(), false, 0
		for range 5 {
			people.Go(func() {
				if err := r.Stop(t.Context(), 7, nil, func() error {
					if changing {
						t.Error("two at once")
					}
					changing = true
					time.Sleep(time.Second)
					changing = false
					changed++
					return nil
				}); err != nil {
					t.Error(err)
				}
			})
		}
		people.Wait()
		if changed != 5 || r.Busy(7) || time.Since(begin) != 5*time.Second {
			t.Errorf("%d changes in %v, busy: %v", changed, time.Since(begin), r.Busy(7))
		}
	})
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []int
		r := Running[int]{Tell: func(id int64, p int) {
			if id != 7 {
				t.Error(id)
			}
			told = append(told, p)
		}}
		r.Note(7, "reading", 1)
		if p := r.Progress(7); p != 0 {
			t.Errorf("progress %d without a job", p)
		}
		_, end := r.Begin(t.Context(), 7)
		for i := range 10 {
			r.Note(7, "reading", i)
			time.Sleep(tellEvery / 4)
		}
		r.Note(7, "writing", 100)
		r.Note(7, "writing", 101)
		if want := []int{0, 4, 8, 100}; !slices.Equal(told, want) {
			t.Errorf("told %v, want %v", told, want)
		}
		if p := r.Progress(7); p != 101 {
			t.Errorf("progress %d, want the newest", p)
		}
		if end(); r.Progress(7) != 0 {
			t.Error("progress after the end")
		}
	})
}
