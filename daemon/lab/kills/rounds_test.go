package kills

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// rounds calls one for each place n times, and logs how often. Each call is a subtest; two run at a time.
func rounds(t *testing.T, n int, all []string, one func(t *testing.T, place string)) {
	t.Helper()
	slots := make(chan struct{}, 2)
	var running sync.WaitGroup
	for i := range n {
		for _, place := range all {
			slots <- struct{}{}
			running.Go(func() {
				defer func() { <-slots }()
				t.Run(fmt.Sprintf("%s %d", strings.ReplaceAll(place, " ", "-"), i+1), func(t *testing.T) { one(t, place) })
			})
		}
	}
	running.Wait()
	t.Logf("%d kills at each of %d places", n, len(all))
}

// diesOr waits until the failpoint has ended the program. If finished comes first, the program did not come to the failpoint
// again, and is ended.
func (l *life) diesOr(finished func() bool) {
	l.t.Helper()
	for begin := time.Now(); l.alive(); {
		if finished() {
			l.kill()
			return
		}
		if time.Since(begin) > patience {
			l.t.Fatalf("the program neither ends nor finishes:\n%s", l.out)
		}
		select {
		case <-l.over: // at once: the next start must come before hosts may be asked again
		case <-time.After(pause(begin)):
		}
	}
	if !l.killed() {
		l.t.Fatalf("the program ended by itself: %v\n%s", l.cmd.ProcessState, l.out)
	}
}

// inParts calls one with parts of n, each of at most size, and with the number of the part. Each call is a subtest; two run at
// a time.
func inParts(t *testing.T, n, size int, one func(t *testing.T, n, part int)) {
	t.Helper()
	slots := make(chan struct{}, 2)
	var running sync.WaitGroup
	for part := 0; part*size < n; part++ {
		slots <- struct{}{}
		running.Go(func() {
			defer func() { <-slots }()
			t.Run(fmt.Sprint("part ", part+1), func(t *testing.T) { one(t, min(size, n-part*size), part) })
		})
	}
	running.Wait()
}
