// Package trap keeps a crawl out of sites that never end: calendars, facets, endless depth and pagination, session ids,
// mirrors, subdomain farms, pages that say "not found" with status 200.
//
// It learns from what addresses bring. A Guard sorts each address into groups: its pattern (digits and random-looking
// labels folded, subdomains folded, the names of its parameters), its path whatever is asked of it, its first folder,
// its host, and all hosts beside it. Each group has patience: an allowance to be explored with, which new text or a
// relevant page fills up again and a page without anything new uses. A group that ran out of patience is closed. So
// what keeps bringing new text is no trap, however big. A host that brings new text and never anything relevant may go
// on for a share of the budget; hosts of start pages have no such limit.
//
// How a crawl uses it:
//
//	g := trap.New(trap.Options{Pages: budget.Pages, Starts: starts})  // one a crawl; a nil *Guard lets everything pass
//	if g.Admit(url) != ""          { drop it }  // when a link is to be queued, and again when it is popped
//	g.NotFound(url, page)                       // when fetch.Response.NotFound came with an answer, before Page
//	v := g.Page(trap.Read{URL: finalURL, Parent: parentURL, Page: p, Relevant: judged})  // each page read, before its links are queued
//	g.Missed(url)                               // each attempt that used budget and brought no page to read
//	g.Recall(trap.Past{…})                      // on resume, each earlier fetch in order
//
// Of the Verdict: Near means no credit (not Relevant) and last priority for the links, as for a text that was read
// before; NoFind is why the page is no find, in words; Simhash and Credit are recorded with the fetch and come back in
// Past. Start pages are not asked about. Shape is the part of Admit that knows an address only; it holds where there is
// no guard, too.
//
// rel=canonical: an address that a page gives as its canonical one is another name of the page when it is of the same
// site and both texts are near-equal. Verdict.Alias says so when that page was read before: the page is then a copy
// (Near). One that was not read yet is a link like others (page.Page.Canonical; queue it with the page's links), and
// is the copy when it comes.
//
// A Guard belongs to one goroutine.
package trap
