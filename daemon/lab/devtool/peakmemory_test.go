package devtool

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestPeakMemory holds memory, lets it go, and looks whether the count knew of it and forgets it when told to.
func TestPeakMemory(t *testing.T) {
	before := PeakMemory()
	if before == 0 {
		t.Skip("this system does not tell how much memory a process held")
	}
	const size = 64 << 20
	held := make([]byte, size)
	for i := range held {
		held[i] = 1 // or the system would not give the memory
	}
	runtime.KeepAlive(held)
	full := PeakMemory()
	if full < before || full < size {
		t.Errorf("after %d bytes were held the peak is %d, before it was %d", size, full, before)
	}
	held = nil
	debug.FreeOSMemory()
	// Linux counts pages per processor and adds them up now and then, so a reading may be a few hundred kB off.
	const slack = 1 << 20
	if now := PeakMemory(); now < full-slack {
		t.Errorf("the peak fell from %d to %d by itself", full, now)
	}
	if !ResetPeakMemory() {
		t.Skip("this system cannot begin the count anew")
	}
	if now := PeakMemory(); now > full-size/2 {
		t.Errorf("after the count began anew the peak is %d, before it was %d", now, full)
	}
}
