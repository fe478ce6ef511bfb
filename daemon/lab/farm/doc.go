// Package farm serves a web of many hosts on this machine, for benchmarks and for simulated nights: each host name under
// .test has a loopback address of its own, so that a crawler's connections, turns and delays are those of as many servers.
//
// Open starts it; Farm.Resolve tells a fetcher where the hosts are, Farm.Starts where to begin. Pages come from
// recordings, their links rewritten so that they stay inside the farm, or are written from a seed. Either way every page
// can be reached from the front pages. Answers are compressed once, so that serving costs little beside crawling.
//
// The farm keeps count of what it sees as a server (Farm.Stats): requests, and of each host those that came sooner than
// Options.Delay after the one before, while another was still being answered, or before a Retry-After was over. It can be
// made to behave badly (Faults), the same way for the same seed: what happens to a request depends on its host and on how
// many requests that host has had.
package farm
