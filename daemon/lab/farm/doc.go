// Package farm serves a web of many hosts on this machine, for benchmarks and simulated nights. Each host name under .test
// has its own loopback address, so that a crawler's connections and delays are those for as many servers.
//
// Open starts a farm; Farm.Resolve returns the addresses of the hosts, Farm.Starts the start pages. Pages come from
// recordings, with links rewritten to stay inside the farm, or are made up from a seed. All pages can be reached from the
// front pages. Pages are compressed once, so that serving costs little compared with crawling.
//
// Farm.Stats counts requests, among them those that came earlier than Options.Delay after the previous request to the host,
// during another request to it, or before a Retry-After had ended. Faults make the hosts misbehave, in the same way for the
// same seed: what happens to a request depends on its host and on the number of earlier requests to it.
package farm
