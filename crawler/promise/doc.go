// Package promise estimates how many useful pages the next pages of a crawl will bring, so that a crawl that has found what
// there is can end, and how many are left in its queue.
//
// Two sources say it. The harvest is what the last pages brought: each find counts by the probability that it is useful. The
// queue is what the strategy says of the best waiting links: the sum of their chances, times what pages brought lately for
// each useful page that was foretold of their links. The first knows nothing of what waits: the good links of a host that
// must be left alone for a while, or pages that a new page will link to. The second knows nothing of links that are still to
// be seen. Both are counts of rare events, so that they are combined as such: the number of useful pages among the next is
// Poisson, and its rate has a gamma distribution that begins with what the queue says, as if it were priorPages pages, and
// then learns from the harvest. Old pages count less: by half after some 50 pages.
//
//	ratio  (H + k) / (C + k)                  H: brought lately, C: foretold of the same pages' links, both discounted
//	prior  q = ratio · Σ chance of the next   w pages of this rate
//	raw    (w·q + H) / (w + E)                E: pages lately, discounted
//	next   trust · raw^bend                   a judge is too hopeful where little is useful
//
// The last line is what was measured on recorded webs: after its best pages, a crawl reads many that look useful and are not,
// since a model has seen few of them. An estimate is told with an interval that holds four times of five there.
//
// The package does not know what a crawl is: crawler tells it, by Harvest.Add and Queue.
package promise
