// Package session says what a session is: which events may be stored, which pages were visited, how, and what the person
// said of them, and which web graph that makes. Ingest, import, export, the tables that lists are made of, the session page
// and training all read it here.
//
//   - Admit takes the secrets out of an event and reads its snapshot, before it is stored.
//   - VisitOf, Marked and Count say what a store keeps of admitted events.
//   - Fold makes sessions of events; a Session's Loads are what the web graph is built of.
//   - Read and Write are for session files (.session.jsonl): the wire format of package protocol, one event a line.
package session
