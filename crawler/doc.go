// Package crawler follows links, the most promising first, until its budget is used: the loop of [HMM] fig. 7.
//
//	frontier.Pop -> Fetcher.Fetch -> page.Parse -> Strategy.Judge -> Journal.Record -> frontier.Add
//
// Start with Run, or with New and Crawl.Run when several crawls take turns. One goroutine owns frontier, strategy and
// journal; fetching and parsing happen in at most Options.Workers others, which Run waits for before it returns. With
// one worker the same fetcher, strategy and options give the same crawl.
//
// A strategy that learns (strategy.Learner) leaves a note with each link it values. When it has learned something, the
// loop asks it anew what the queued links are worth; between two fetches it is told what the person said of pages.
//
// What a crawl knows can be kept by a Journal and given back as Resume, so that a crawl goes on after a crash: no link
// is lost, and a page whose fetch was cut short is fetched once more, not oftener.
package crawler
