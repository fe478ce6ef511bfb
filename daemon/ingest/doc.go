// Package ingest is the daemon's end of the extension's WebSocket: it pairs browsers, lets paired ones in, stores their
// events and tells them how things stand. Start with New; a Server is the http.Handler of /ws.
//
// A request passes, in this order: Host (gate.go), Origin (gate.go), a free place among the connections that have
// proved nothing yet (server.go), and then in the socket pairing (pairing.go) or hello (hello.go). Only then do events
// flow (stream.go).
//
// Goroutines: a connection has the one that serves its request, which reads; and once it has proved its key two more,
// one that commits what was read and one that pushes state. All end with the connection, and Close waits for them.
// Events that are read while a commit runs make up the next commit; nothing waits for a timer.
package ingest
