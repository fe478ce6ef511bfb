// Command nightsim lets a crawler live through a night of hours in minutes, and looks at what is left: a farm of hosts on
// loopback addresses, toxiproxy between, traps among them; a clock that runs fast; and a plan of kills, sleep, clocks
// that are set, a network that goes, a battery and a person who pauses.
//
// The crawling process (worker.go) is the daemon's scheduler, store, fetcher and archive. It is told nothing of the plan.
// What it says of the night is held against what the hosts saw (promises.go). `task night` runs it and writes
// docs/NIGHT.md.
package main
