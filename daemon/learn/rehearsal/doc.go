// Package rehearsal lets a strategy crawl a session's own web, with parts of the session held back, to see how soon it finds
// the useful pages that it does not know. That says before any night what a night may bring.
//
// Start with Run. For each part of the session, Run trains a model on the rest, makes the strategy that nights use, and lets
// it crawl from the pages where the sessions began. The crawl is that of a night (crawler.Run), over a web of the session's
// pages and the links between them. The same web is crawled in the order in which links are found, and in random order.
package rehearsal
