// Package fetch gets pages from the live web. It is the only code that opens sockets to pages of the web.
//
// NewLive makes a Fetcher: Fetch gets one page and ReadyAt says when its host may be asked again. A fetch checks the URL,
// obeys robots.txt, waits for the host and its address, connects only to addresses that the guard permits, and treats each
// redirect the same way. Bodies are bounded, decompressed and decoded to UTF-8.
//
// robots.txt is parsed here because no library qualified: temoto/robotstxt passes 61 of the 72 cases of
// google/robotstxt that test RFC 9309, and the time of jimsmart/grobotstxt is not linear in the length of a file.
package fetch
