// Package machine reads and limits what Nightjar uses of the machine it runs on.
//
// New and Machine.State tell a night whether there is mains power, whether the network is metered, and how much disk is
// free. What cannot be known is Unknown and never an error: a machine that does not tell must not stop a crawl. Power is
// read from /sys on Linux, by pmset on macOS and from the kernel on Windows. Whether the network is metered is asked of
// NetworkManager over D-Bus on Linux and is unknown elsewhere.
//
// HoldMemory keeps the program within a soft memory limit while it crawls: without it the collector lets the heap grow to
// twice what is in use. CPUTime and PeakMemory measure this process, for benchmarks and results.
package machine
