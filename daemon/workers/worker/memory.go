package worker

import "runtime/debug"

const (
	// MemoryLimit is the soft limit in bytes that HoldMemory sets, so that 32 tasks at once stay below 256 MiB.
	MemoryLimit = 192 << 20
	// memoryFull is the live memory in bytes above which the worker asks for no tasks while others are under way.
	memoryFull = 112 << 20
)

// HoldMemory sets the limit for the program, unless the person has set one with GOMEMLIMIT.
func HoldMemory(getenv func(string) string) {
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(MemoryLimit)
	}
}
