// Package recording reads and writes session files and tells what happened in the sessions they hold. Read or Fold is
// where to start; a Recording's Loads are what the web graph is built of.
//
// A session file (.session.jsonl) is the wire format of package protocol, one event a line.
package recording
