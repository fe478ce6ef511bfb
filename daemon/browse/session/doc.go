// Package session says what a session is: which events may be stored, which pages were visited and how, which are
// useful, and which web graph they make. Ingest, import, export, the session page, training and the store's tables all
// use it.
//
//   - Admit redacts an event, and scrubs and parses its snapshot, before it is stored.
//   - VisitOf, Marked and Count derive what the store keeps of admitted events.
//   - Fold groups events into sessions; the web graph is built from a Session's Loads.
//   - Read and Write are for session files (.session.jsonl): the wire format of package protocol, one event per line.
package session
