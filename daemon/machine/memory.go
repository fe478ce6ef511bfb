package machine

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// CrawlMemory is how many bytes the program is held to while it crawls: the aim is 512 MiB, and the limit is a soft one.
const CrawlMemory = 480 << 20

const (
	liveMetric = "/gc/heap/live:bytes"
	spare      = 3 // the limit is at least what was in use and a third of that: below, the collector would never rest
)

var (
	mu      sync.Mutex
	holders int
)

// HoldMemory sets the limit until the function that it returns is called; of several holders the last one lifts it. What is in
// use already, as by a training beside the crawl, raises it. Where the person set GOMEMLIMIT, that holds and nothing is
// done.
func HoldMemory() (release func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	mu.Lock()
	defer mu.Unlock()
	holders++
	debug.SetMemoryLimit(memoryLimit(liveMemory()))
	return sync.OnceFunc(func() {
		mu.Lock()
		defer mu.Unlock()
		if holders--; holders == 0 {
			debug.SetMemoryLimit(math.MaxInt64)
		}
	})
}

// memoryLimit is what the program is held to when so many bytes are in use.
func memoryLimit(live uint64) int64 { return int64(max(CrawlMemory, live+live/spare)) }

// liveMemory is how many bytes the last collection left, 0 where that is not told.
func liveMemory() uint64 {
	sample := []metrics.Sample{{Name: liveMetric}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
