// Package weburl makes URLs canonical, and tells what follows from a URL alone.
//
// Canonical and Resolve return the canonical URL that the web graph, the labels, the replay and the frontier share; a Base
// resolves the links of one document. A URL may end in a route, which a script reads and no server is asked for; Document is
// the URL without it. Host and Site name the owner of a page. Secret and Redact find what must not be
// stored, Action finds URLs that must not be fetched, and SearchEngine result pages that cannot be start pages.
//
// URLs come from strangers: a malformed one gives an error, never a panic.
package weburl
