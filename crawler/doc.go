// Package crawler follows links, the most promising first, until its budget is used up: the loop of [HMM] fig. 7.
//
//	take the best link   frontier.Pop           loop.go
//	fetch and parse      work.Dispatcher        flights.go
//	render and archive   Renderer, Archive      get.go
//	classify, state      Strategy.Read          finish.go
//	relevance, credit    trap.Guard             finish.go
//	queue its links      frontier.Add           finish.go
//	keep all of it       Journal.Commit         recorder.go
//
// Start with Run, or with New and Crawl.Run when several crawls take turns. One goroutine owns frontier, strategy and trap
// guard. Fetching, parsing, rendering and archiving happen in others, for at most Options.Workers pages at once, and more
// for slow hosts (flights.go); so does what a strategy can read in a page before it is asked (strategy.Preparer).
// Options.Dispatch may have other machines fetch and parse; see package work. A turn ends without waiting for them; the next
// turn processes their results, or Crawl.Close when there is no next turn. One Batch holds what happened since the last
// commit and which fetches start next. The journal commits it while the loop goes on, and a fetch starts only after its
// batch is committed. With one worker, the same fetcher, strategy and options give the same crawl, whether in turns or in
// one go.
//
// A strategy that learns (strategy.Learner) attaches a note to each link that it values. When it has learned something, the
// loop asks it for new priorities of the queued links. Between two fetches, the strategy gets the person's new marks (learn.go). A
// strategy.Misser also hears of links that led to no page; a strategy.Explorer may ask for the next page from a
// host that the crawl has hardly seen. A strategy.Picker has two orders of the links and takes turns between them (picks.go); that
// of a crawl with a trial strategy is made of both (strategy.NewPair).
//
// A Journal stores the state of a crawl, and a Resume restores it, so that the crawl goes on after a crash: no link is
// lost, and a page whose fetch was interrupted is fetched once more, but no more often.
//
// On the live web (Options.Live), a failed attempt may say more about the host or the network than about the page. A link
// whose host failed is put back and retried once. A host that fails three times in a row rests until the crawl ends
// (hosts.go). When no host answers, the crawl requests a page that it has read before. If that fails too, the crawl waits,
// probes the network now and then, and counts none of the failures (network.go). A captive portal, which answers in place
// of every host, is detected in the same way, and its answers are undone (portal.go). While every host with links must be
// left alone, the crawl says for which it waits, and it ends when none may be asked soon enough (wait.go).
package crawler
