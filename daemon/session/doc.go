// Package session says what a session is. Fold makes sessions of events; their Loads are what the web graph is built of.
//
// A session file (.session.jsonl) is the wire format of package protocol, one event a line. Read reads one.
package session
