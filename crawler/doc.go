// Package crawler follows links, the most promising first, until its budget is used: the loop of [HMM] fig. 7.
//
//	frontier.Pop -> Fetcher.Fetch -> page.Parse -> Strategy.Judge -> frontier.Add -> Journal.Commit
//
// Start with Run, or with New and Crawl.Run when several crawls take turns. One goroutine owns frontier, strategy and trap
// guard; fetching, parsing, rendering and archiving happen in at most Options.Workers others, which Run waits for before
// it returns. What happened since the last commit, and what is to be fetched next, is handed to the journal as one Batch
// while the loop goes on; a fetch begins when it is kept. With one worker the same fetcher, strategy and options give the
// same crawl.
//
// A strategy that learns (strategy.Learner) leaves a note with each link it values. When it has learned something, the
// loop asks it anew what the queued links are worth; between two fetches it is told what the person said of pages.
//
// What a crawl knows can be kept by a Journal and given back as Resume, so that a crawl goes on after a crash: no link
// is lost, and a page whose fetch was cut short is fetched once more, not oftener.
//
// On the live web (Options.Live) an attempt may say more of host or network than of the page. A link whose host failed is
// put back and tried once more; a host that fails three times in a row rests until the crawl ends (failing.go). When
// nobody answers, the crawl asks for a page that it has read before: if that does not come either it waits, looks for the
// network now and then, and counts nothing of what failed (outage.go). A network that answers in place of everybody is
// seen in the same way, and what it answered is taken back (portal.go).
package crawler
