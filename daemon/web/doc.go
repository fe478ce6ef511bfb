// Package web is the dashboard: five pages drawn on the server, a few small scripts for what must move, and live news
// over server-sent events.
//
// Start with New and Server.Handler; the routes are one table in server.go. A page is one file: a handler that reads
// the store into a typed struct and a template that shows it. Nothing that came from the web is ever anything but text
// here (html/template escapes it, and the content security policy allows no inline script or style).
//
// Who may ask: the dashboard is served under one unguessable host name, nightjar-….localhost, so that its cookie is
// never sent to another server on this machine. The cookie is got by a one-time link (Server.LoginURL). Under
// 127.0.0.1 and localhost there is only the extension's socket and a page that says how to open the dashboard.
package web
