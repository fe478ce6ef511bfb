package machine

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// CrawlMemory is the soft memory limit in bytes while the program crawls. It is below the goal of 512 MiB, since Go can
// exceed it.
const CrawlMemory = 480 << 20

const (
	liveMetric = "/gc/heap/live:bytes"
	spare      = 3 // the limit is at least four thirds of the memory in use: below, the collector would run all the time
)

var (
	mu      sync.Mutex
	holders int
)

// HoldMemory sets the memory limit until the returned function is called. When several callers hold it, the last one
// lifts it. Memory that is already in use, for example by a training, raises the limit. When GOMEMLIMIT is set, that limit
// stays and HoldMemory does nothing.
func HoldMemory() (release func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	mu.Lock()
	defer mu.Unlock()
	holders++
	debug.SetMemoryLimit(memoryLimit(LiveMemory()))
	return sync.OnceFunc(func() {
		mu.Lock()
		defer mu.Unlock()
		if holders--; holders == 0 {
			debug.SetMemoryLimit(math.MaxInt64)
		}
	})
}

// memoryLimit returns the limit when live bytes are in use.
func memoryLimit(live uint64) int64 { return int64(max(CrawlMemory, live+live/spare)) }

// LiveMemory returns the bytes in use after the last garbage collection; 0 when the runtime does not report them.
func LiveMemory() uint64 {
	sample := []metrics.Sample{{Name: liveMetric}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
