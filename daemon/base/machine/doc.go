// Package machine reads and limits what Nightjar uses of the machine it runs on.
//
// Start with New and Machine.State, which report whether the machine runs on battery, whether the network is metered, and
// how much disk is free. A value that cannot be read is Unknown and never an error, so that it does not stop a crawl. Power
// comes from /sys on Linux, from pmset on macOS and from the kernel on Windows. NetworkManager reports over D-Bus on Linux
// whether the network is metered; elsewhere that is Unknown.
//
// HoldMemory sets a soft memory limit while the program crawls. Without it the garbage collector lets the heap grow to
// twice the memory in use. Listener names the process that listens on a port.
package machine
