// Package web is the dashboard: pages rendered on the server, a few small scripts, and live updates over server-sent
// events.
//
// Start with New and Server.Handler. Here are the logins, the assets, what every page has around its content, the first steps and
// the settings; the wings bring all other pages (Deps.Wings). A handler reads the store into a typed struct, and a template shows it;
// package frame has what handlers need. Content from the web is shown only as text: html/template escapes it, and the content
// security policy allows no inline script or style.
//
// The dashboard is served under one unguessable host name, nightjar-….localhost, so that its cookie is never sent to
// another server on this machine. A one-time link (Server.LoginURL) or page (Server.LoginFile) sets the cookie. 127.0.0.1 and localhost serve only the
// extension's socket and a page that says how to open the dashboard.
package web
