// Command nightsim simulates a night of several hours in minutes: a farm of hosts on loopback addresses, with traps among
// them and toxiproxy in front of them, a clock that runs fast, and a plan of kills, sleep, clock changes, network outages,
// battery power and a pause by the person.
//
// The crawling process (worker.go) runs the daemon's scheduler, store, fetcher and archive and does not know the plan.
// Afterwards promises.go compares its database with what the hosts saw. `task night` writes daemon/lab/reports/NIGHT_FAULTS.md.
package main
