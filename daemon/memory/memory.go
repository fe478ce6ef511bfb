// Package memory holds the program to a certain memory while it crawls. Without that the collector lets the heap grow to
// twice what is in use, which with a million links waiting is what a small machine has.
package memory

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Crawling is how many bytes the program is held to while it crawls: the aim is 512 MiB, and the limit is a soft one.
const Crawling = 480 << 20

const (
	liveMetric = "/gc/heap/live:bytes"
	spare      = 3 // the limit is at least what was in use and a third of that: below, the collector would never rest
)

var (
	mu      sync.Mutex
	holders int
)

// Hold sets the limit until the function that it returns is called; of several holders the last one lifts it. What is in
// use already, as by a training beside the crawl, raises it. Where the person set GOMEMLIMIT, that holds and nothing is
// done.
func Hold() (release func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	mu.Lock()
	defer mu.Unlock()
	holders++
	debug.SetMemoryLimit(limit(live()))
	return sync.OnceFunc(func() {
		mu.Lock()
		defer mu.Unlock()
		if holders--; holders == 0 {
			debug.SetMemoryLimit(math.MaxInt64)
		}
	})
}

// limit is what the program is held to when so many bytes are in use.
func limit(live uint64) int64 { return int64(max(Crawling, live+live/spare)) }

// live is how many bytes the last collection left, 0 where that is not told.
func live() uint64 {
	sample := []metrics.Sample{{Name: liveMetric}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
