// Package worker fetches pages for a daemon on another machine: it asks for tasks, does them, and sends the results.
//
// Start with Run, which works until it is told to end. A worker keeps no data: it learns the addresses that it fetches, and
// nothing else.
//
//	Broker  the connection to the daemon: package broker
//	Hands   fetch and parse: package work
//
// Politeness depends on one promise: no fetch runs after its lease. The daemon counts a lease from its grant, which is later than
// the worker's request for it. The worker counts from its request, starts a task only within StartWithin of it, and ends it after
// FetchTimeout. Elapsed time is the larger of monotonic and wall time, since the monotonic clock stands still while a machine
// sleeps. When the two differ by more than 5 s, granted tasks are dropped and running fetches aborted; connections that were open
// meanwhile send nothing more. Clocks of two machines are never compared.
//
// The daemon is not trusted with this machine: check refuses malformed tasks, and the guard of package fetch refuses addresses of
// the worker's own network.
package worker
