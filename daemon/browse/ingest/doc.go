// Package ingest is the daemon's end of the extension's WebSocket: it pairs browsers, authenticates paired ones, stores
// their events and sends them the state to show. Start with New; a Server is the http.Handler of /ws.
//
// Before a connection's events are read (stream.go), its request must have an allowed Host and Origin (gate.go) and
// find a free place among the unauthenticated connections (server.go). Its browser must then prove its key (hello.go),
// after pairing if it has none yet (pairing.go).
//
// Goroutines: the one that serves a connection's request reads from it. After the proof there are two more: one commits
// events and one sends state. All end with the connection, and Close waits for them. Events that are read during a
// commit make up the next commit; no event waits for a timer.
package ingest
