// Package trap keeps a crawl out of sites that never end: calendars, facets, endless depth and pagination, session IDs,
// mirrors, subdomain farms, and pages that say "not found" with status 200. It is our own because no library does this.
//
// A Guard learns from what addresses yield, in two ways.
//
// The first is by shape. It puts each address into groups: its pattern (numbers, random-looking labels and subdomains
// folded, with the names of its parameters), its path without the parameters, its first folder, its host, and the sibling
// hosts under the same parent name. Each group has an allowance: a page with new text or a relevant page adds to it, a page
// without anything new uses it up. When the allowance is used up, the group is closed. A host that yields new text but
// nothing relevant gets a share of the budget, and the sibling hosts of a domain get twice that; hosts of start pages have
// no such limit. A thin page, which has a title of its own and little else, costs its groups a fraction if it adds no
// address to them (thin.go): a staff of a hundred is a list, and a list has an end. Tables of numbers, such as tide tables, have
// the same few words: such a page has new text if its numbers, in their order, are new and it leads to no more of its kind.
//
// The second is by descent, for traps with new text and addresses of any shape. What hangs below one page of a site, by the
// links that the crawl followed, is a family; groups are families, too. A family is closed when it only leads to more of
// itself, which shows in how it grows: every page adds about as many addresses as the others, and hardly any adds none. A
// large site does not grow like that, however far its useful pages lie: a hub adds many addresses, an article few, most
// pages none. Such a family has an eighth of a small budget (40 pages, or a hundredth of a large one) to yield something
// relevant. If the judge takes its pages for relevant, it has at most 15 % of the budget, unless its branches meet and its
// addresses have words of their own (growth.go). A chain, each page of which leads to the next one, does not grow.
//
// What this cannot tell from a trap: a site made from a template as regular as that, such as a manual with as many chapters
// in each part as sections in each chapter, all of whose pages above the useful ones are more than a family may have. What
// escapes it: a trap that adds one address a page, or whose pages differ as those of a site do; on the host of a start page
// only the text gives it away.
//
// How a crawl uses it:
//
//	g := trap.New(trap.Options{Pages: budget.Pages, Starts: starts})  // one per crawl; a nil *Guard checks only shapes
//	if g.Admit(url) != ""          { drop it }  // before a link is queued, and again when it is popped
//	g.NotFound(url, page)                       // when an answer has fetch.Response.NotFound, before Page
//	v := g.Page(trap.Read{URL: finalURL, Parent: parentURL, Page: p, Relevant: judged})  // for each page, before its links are queued
//	g.Missed(url)                               // for each attempt that used budget and yielded no page
//	g.Recall(trap.Past{…})                      // on resume, for each earlier fetch in order
//	g.RecallLink(url, parentURL)                // on resume, then for each queued link
//
// In the Verdict, Near means that the text was read before: the page gets no credit (not Relevant), and its links get the
// last priority. NoFind is why the page is no find. Store Simhash and Credit with the fetch, to fill in Past on resume. Do
// not call Admit for start pages. Shape is the part of Admit that needs only the address; it applies without a guard, too.
//
// rel=canonical: the canonical address that a page names is an alias if it is on the same site and both texts are
// near-duplicates. If that address was read before, the page is a copy (Near). If not, it is
// an ordinary link (page.Page.Canonical; queue it with the page's links), and becomes the copy when it is read.
//
// A Guard is not safe for concurrent use.
package trap
