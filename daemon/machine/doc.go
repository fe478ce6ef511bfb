// Package machine tells what a crawl at night should know of the machine it runs on: whether it has mains power, whether
// its network is paid for by volume, and how much disk is free.
//
// Start with New and Machine.State. What cannot be known is Unknown and never an error: a machine that does not tell
// must not be kept from crawling. Power is read from /sys on Linux, by pmset on macOS and from the kernel on Windows; the
// network is asked of NetworkManager over D-Bus on Linux and is unknown elsewhere.
package machine
