// Package weburl decides when two addresses are one page, and what an address alone tells.
//
// Canonical and Resolve give the one form of URLs that the web graph, the labels, the replay and the frontier share; a
// Base resolves the links of one document. Host and Site say whose page it is. Secret and Redact find what must not be
// kept, Action what must not be fetched, and SearchEngine the result pages that are no start pages.
//
// Addresses come from strangers: a bad one gives an error, never a panic.
package weburl
