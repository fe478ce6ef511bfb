package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// trickle is a body of size bytes that returns part of them after each pause, and ends when its context does.
type trickle struct {
	ctx        context.Context
	size, part int
	pause      time.Duration
}

func (s *trickle) Read(p []byte) (int, error) {
	if s.size <= 0 {
		return 0, io.EOF
	}
	select {
	case <-time.After(s.pause):
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	}
	n := min(s.part, s.size, len(p))
	s.size -= n
	return n, nil
}

// TestPace reads bodies at several speeds with the limits of a 10 s timeout: 5 s without a byte, 1,000 bytes a second
// over 10 s, 30 s in total.
func TestPace(t *testing.T) {
	const timeout, whole = 10 * time.Second, 30 * time.Second
	for _, c := range []struct {
		name       string
		size, part int
		pause      time.Duration
		want       error
		after      time.Duration
	}{
		{"quick", 1 << 20, 8192, time.Millisecond, nil, 128 * time.Millisecond},
		{"slow but steady", 30_000, 1200, time.Second, nil, 25 * time.Second},
		{"pauses of four seconds", 24_000, 8000, 4 * time.Second, nil, 12 * time.Second},
		{"a stalled body", 1 << 20, 1000, 6 * time.Second, errIdle, 5 * time.Second},
		{"a byte now and then", 1 << 20, 1, 4 * time.Second, errSlow, 12 * time.Second},
		{"a little too slow", 1 << 20, 990, time.Second, errSlow, 10 * time.Second},
		{"without end", 1 << 30, 8000, time.Second, errTotal, whole},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				ctx, pace := newPace(t.Context(), whole, timeout)
				defer pace.stop()
				w := &wire{r: &trickle{ctx, c.size, c.part, c.pause}, ctx: ctx, pace: pace}
				n, err := io.Copy(io.Discard, w)
				if !errors.Is(err, c.want) || time.Since(start) != c.after || c.want == nil && (int(n) != c.size || !w.ended) {
					t.Errorf("%d bytes, %v after %v; want %v after %v", n, err, time.Since(start), c.want, c.after)
				}
			})
		})
	}
}

// TestPaceOfTheReader reads a body at once that is there, with pauses in between for which the server is not to blame:
// decompressing, parsing, or a machine that is busy.
func TestPaceOfTheReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout = 10 * time.Second
		ctx, pace := newPace(t.Context(), time.Hour, timeout)
		defer pace.stop()
		w := &wire{r: &trickle{ctx, 10_000, 1000, time.Second}, ctx: ctx, pace: pace}
		for n := range 10 {
			time.Sleep(2 * timeout)
			if _, err := w.Read(make([]byte, 1000)); err != nil {
				t.Fatalf("%v after %d reads", err, n)
			}
		}
		if _, err := w.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("%v at the end", err)
		}
	})
}

// TestLiveTrickle fetches bodies that stall, trickle, and never end.
func TestLiveTrickle(t *testing.T) {
	stop := make(chan struct{})
	drip := func(part string, pause time.Duration) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			for {
				if _, err := io.WriteString(w, part); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				select {
				case <-time.After(pause):
				case <-stop:
					return
				}
			}
		}
	}
	w := mustWeb(t, map[string]http.HandlerFunc{
		"a.test/still": drip("x", time.Hour), "b.test/drip": drip("x", 20*time.Millisecond),
		"c.test/steady": drip(strings.Repeat("x", 4000), 10*time.Millisecond), "d.test/fast": drip(strings.Repeat("x", 1<<20), 0),
	})
	defer close(stop)
	hasty, patient := w.mustLive(t, LiveOptions{Timeout: 2 * time.Second}), w.mustLive(t, LiveOptions{}) // 2 s: a busy machine must send what comes before
	var all sync.WaitGroup
	for url, want := range map[string]Outcome{"http://a.test/still": Timeout, "http://b.test/drip": Timeout, "http://c.test/steady": Timeout, "http://d.test/fast": OK} {
		l := hasty
		if want == OK {
			l = patient
		}
		all.Go(func() {
			got := l.Fetch(t.Context(), url)
			last := got.Exchanges[len(got.Exchanges)-1]
			if got.Outcome != want || !last.Truncated || (last.Reason == "") != (want == OK) || got.Truncated != (want == OK) || (last.Cut == Timeout) != (want == Timeout) {
				t.Errorf("%s: %s, %s; %+v", url, got.Outcome, got.Reason, last)
			}
		})
	}
	all.Wait()
}
