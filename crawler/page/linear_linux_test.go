package page

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time that the calling thread has used, whatever else the machine does.
func threadTime(tb testing.TB) time.Duration {
	tb.Helper()
	var used unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &used); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(used.Nano())
}

// TestParseIsLinear parses each of hugePages small and sixteen times as large. Linear work takes 16 times as long,
// quadratic work 256 times; the limit of 64 times is as far from the one as from the other. A busy machine can make
// single runs slower, never faster: only work whose fastest runs stay over the limit is not linear. No garbage is
// collected meanwhile, as that would be counted too.
func TestParseIsLinear(t *testing.T) {
	const small, times, tries = 20, 16, 10
	limit := math.Pow(times, 1.5)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	took := func(html string) time.Duration {
		runtime.GC()
		before := threadTime(t)
		mustParse(t, html)
		return threadTime(t) - before
	}
	large := hugePages(small * times)
	for name, html := range hugePages(small) {
		one, many := took(html), took(large[name])
		ratio := func() float64 { return float64(many) / float64(one) }
		for try := 1; try < tries && ratio() > limit; try++ {
			one, many = min(one, took(html)), min(many, took(large[name]))
		}
		t.Logf("%s: %v, %v, %.1f times", name, one, many, ratio())
		if ratio() > limit {
			t.Errorf("%s: %d times the size took %.0f times as long; want at most %.0f", name, times, ratio(), limit)
		}
	}
}
