package devtool

import (
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Processor returns the processor's name, the number of processors and the operating system, as far as they are known.
func Processor() string {
	name := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if key, value, _ := strings.Cut(line, ":"); strings.TrimSpace(key) == "model name" {
				name = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d processors, %s", name, runtime.NumCPU(), runtime.GOOS)
}
