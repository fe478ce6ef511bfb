// Package traps serves sites that trap crawlers, on host names under .test, for tests of the trap guard. It has only tests.
//
//	calendar.test    endless months and days without events
//	session.test     six pages whose links carry a new session ID with each view, in unusual parameters
//	depth.test       folders inside folders
//	facets.test      a list of goods in every combination of filters
//	mirror.test      slightly changed copies of another web's pages, and copies of the copies
//	slow.test        endless bodies sent byte by byte
//	maze.test        redirects to redirects
//	*.subdomains.test  endless host names
//	bomb.test        gzip of 1 GiB
//	soft404.test     status 200 and "not found" for every path
//	pages.test       a list with endless next pages
//	babble.test      random sentences, and links to more (not in Entrances)
//
// and, with new text on each page and addresses without a telling pattern (Growing, not in Entrances):
//
//	recombine.test   paths of five words in any order, each at most three times
//	search.test      results of searches, which propose searches
//	related.test     items without end, made of sentences of the other web
//	revisions.test   differences between versions of a wiki's pages
//	regions.test     a small shop in each combination of language, country and currency
//	tags.test        posts of a month with all of any number of tags
//
// Start with New; a Farm serves the traps by host name and everything else from another web. Entrances are the addresses
// to link to. Farm.Grow serves a family of Growing on another host, among good pages. The same address always gives the same
// page, except on session.test.
package traps
