// Package traps serves sites that no crawler should stay in, on host names under .test: for the tests of what guards a
// crawl, and for nights that are simulated.
//
//	calendar.test    months and days without end and without events
//	session.test     six pages whose links carry a new session with each view, by names that nobody knows
//	depth.test       folders inside folders
//	facets.test      one list of goods, by every combination of what can be asked of it
//	mirror.test      copies of the pages of another web, each a little changed, and copies of the copies
//	slow.test        bodies that come byte by byte and never end
//	maze.test        redirects that lead to redirects
//	*.subdomains.test  names beside names, each a new host
//	bomb.test        gzip of 1 GiB
//	soft404.test     status 200 and "not here" for whatever is asked
//	pages.test       a list that has a next page for ever
//	babble.test      sentences made up on the spot, and links to more (not in Entrances)
//
// Spam puts pages into another web that pretend to be about a topic.
//
// Start with New; Farm.Handler serves the traps by host name and everything else from the web that it was given.
// Entrances are the addresses to link to. The same address gives the same page, but for session.test.
package traps
