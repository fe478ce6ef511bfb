package machine

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// memoryLimitNow is the limit that is set.
func memoryLimitNow() int64 { return debug.SetMemoryLimit(-1) }

// TestHoldMemory: the limit is there from the first holder to the last, and a release counts once.
func TestHoldMemory(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	before := memoryLimitNow()
	defer debug.SetMemoryLimit(before)
	first, second := HoldMemory(), HoldMemory()
	if memoryLimitNow() != CrawlMemory {
		t.Errorf("the limit is %d, want %d", memoryLimitNow(), CrawlMemory)
	}
	first()
	first()
	if memoryLimitNow() != CrawlMemory {
		t.Errorf("one of two was released, and the limit is %d", memoryLimitNow())
	}
	second()
	if memoryLimitNow() != math.MaxInt64 {
		t.Errorf("all were released, and the limit is %d", memoryLimitNow())
	}
	t.Setenv("GOMEMLIMIT", "1GiB")
	debug.SetMemoryLimit(1 << 30)
	HoldMemory()()
	if memoryLimitNow() != 1<<30 {
		t.Errorf("the person's own limit became %d", memoryLimitNow())
	}
}

// TestMemoryLimit leaves the collector room whatever is in use.
func TestMemoryLimit(t *testing.T) {
	for used, want := range map[uint64]int64{0: CrawlMemory, 100 << 20: CrawlMemory, 360 << 20: CrawlMemory, 600 << 20: 800 << 20} {
		if got := memoryLimit(used); got != want {
			t.Errorf("%d in use: limit %d, want %d", used, got, want)
		}
	}
	held := make([]byte, 64<<20)
	runtime.GC()
	if got := LiveMemory(); got < 64<<20 {
		t.Errorf("%d bytes are in use, at least 64 MiB were expected", got)
	}
	runtime.KeepAlive(held)
}
