package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// now is the limit that is set.
func now() int64 { return debug.SetMemoryLimit(-1) }

// TestHold: the limit is there from the first holder to the last, and a release counts once.
func TestHold(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	before := now()
	defer debug.SetMemoryLimit(before)
	first, second := Hold(), Hold()
	if now() != Crawling {
		t.Errorf("the limit is %d, want %d", now(), Crawling)
	}
	first()
	first()
	if now() != Crawling {
		t.Errorf("one of two was released, and the limit is %d", now())
	}
	second()
	if now() != math.MaxInt64 {
		t.Errorf("all were released, and the limit is %d", now())
	}
	t.Setenv("GOMEMLIMIT", "1GiB")
	debug.SetMemoryLimit(1 << 30)
	Hold()()
	if now() != 1<<30 {
		t.Errorf("the person's own limit became %d", now())
	}
}

// TestLimit leaves the collector room whatever is in use.
func TestLimit(t *testing.T) {
	for used, want := range map[uint64]int64{0: Crawling, 100 << 20: Crawling, 360 << 20: Crawling, 600 << 20: 800 << 20} {
		if got := limit(used); got != want {
			t.Errorf("%d in use: limit %d, want %d", used, got, want)
		}
	}
	held := make([]byte, 64<<20)
	runtime.GC()
	if got := live(); got < 64<<20 {
		t.Errorf("%d bytes are in use, at least 64 MiB were expected", got)
	}
	runtime.KeepAlive(held)
}
