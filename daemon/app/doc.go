// Package app is the daemon as a whole: it opens the data folder, wires the parts together and serves them until it is
// stopped. It also gives other commands of the same person their two ways in: Call asks the running daemon, WithStore
// works on the data folder when no daemon runs.
//
// Start with Open and App.Run; package cli turns command lines into a Config.
package app
