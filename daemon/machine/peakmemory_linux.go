package machine

import (
	"os"
	"strconv"
	"strings"
)

// PeakMemory is the most memory this process held since it began or since ResetPeakMemory, in bytes; 0 when the system does not tell.
// It is not read by getrusage, which counts the parent process in: its figure for a small program that a large one
// started is that of the large one.
func PeakMemory() int64 { return peakOf("self") }

// PeakMemoryOf is like PeakMemory for another process that runs.
func PeakMemoryOf(pid int) int64 { return peakOf(strconv.Itoa(pid)) }

func peakOf(process string) int64 {
	status, err := os.ReadFile("/proc/" + process + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if kilobytes, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kilobytes), "kB")), 10, 64)
			return n << 10
		}
	}
	return 0
}

// ResetPeakMemory begins the count anew from what the process holds now; it reports false where the system cannot.
func ResetPeakMemory() bool {
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200) == nil
}
