package fetch

import (
	"fmt"
	"testing"

	"nightjar/crawler/clock"
)

// BenchmarkReadyAt asks about hosts of which some are to be left alone. It is called for each look into the frontier.
func BenchmarkReadyAt(b *testing.B) {
	l := NewLive(LiveOptions{Clock: clock.System})
	defer l.Close()
	urls := make([]string, 10_000)
	for i := range urls {
		urls[i] = fmt.Sprintf("http://h%d.example.com/x", i)
		if i%2 == 0 {
			l.limiter.delayNext(fmt.Sprintf("h%d.example.com", i), maxSilence)
		}
	}
	for i := 0; b.Loop(); i++ {
		l.ReadyAt(urls[i%len(urls)])
	}
}
