package devtool

import (
	"os"
	"strconv"
	"strings"
)

// PeakMemory returns the most memory in bytes that this process has used since it started or since ResetPeakMemory; 0 when
// the system does not report it. It does not use getrusage, whose figure includes the parent process: for a small program
// that a large one started, it is that of the large one.
func PeakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
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

// ResetPeakMemory restarts PeakMemory from the memory in use now. It reports false where the system cannot.
func ResetPeakMemory() bool {
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200) == nil
}
