// Package crawler follows links, the most promising first, until its budget is used: the loop of [HMM] fig. 7.
//
//	take the best link   frontier.Pop           loop.go
//	fetch and parse      Fetcher.Fetch, page    get.go, by workers
//	classify, state      Strategy.Read          finish.go
//	relevance, credit    trap.Guard             finish.go
//	queue its links      frontier.Add           finish.go
//	keep all of it       Journal.Commit         recorder.go
//
// Start with Run, or with New and Crawl.Run when several crawls take turns. One goroutine owns frontier, strategy and trap
// guard. Fetching, parsing, rendering and archiving happen in at most Options.Workers others (flights.go). A turn ends
// without waiting for them, and the next one takes in what they brought; Crawl.Close does so when there is none. What
// happened since the last commit, and what is fetched next, goes to the journal as one Batch while the loop goes on; a
// fetch begins once its batch is kept. With one worker, the same fetcher, strategy and options give the same crawl, in
// turns or in one go.
//
// A strategy that learns (strategy.Learner) leaves a note with each link that it values. When it has learned something,
// the loop asks it again what the queued links are worth. Between two fetches it hears what the person said of pages
// (learn.go).
//
// A Journal keeps what a crawl knows, and a Resume gives it back, so that a crawl goes on after a crash: no link is lost,
// and a page whose fetch was cut short is fetched once more, not oftener.
//
// On the live web (Options.Live) a failed attempt may say more about the host or the network than about the page. A link
// whose host failed is put back and tried once more; a host that fails three times in a row rests until the crawl ends
// (hosts.go). When nobody answers, the crawl asks for a page that it has read before. If that does not come either, the
// crawl waits, looks for the network now and then, and counts none of the failures (network.go). A captive portal, which
// answers in place of every host, is found in the same way, and its answers are taken back (portal.go).
package crawler
