// Package promise estimates how many useful pages the next pages of a crawl will bring, so that a crawl that has found what
// there is can end, and how many are left in its queue.
//
// Two sources say it. The harvest is what the last pages brought: each page counts by the probability that it is useful, if it
// is new to the person. The queue is what the strategy says of the best waiting links: the sum of their chances, times what
// pages brought lately for each useful page that was foretold of their links. The harvest knows nothing of what waits, such as
// the good links of a host that must be left alone for a while. The queue knows nothing of links that are still to be seen.
// Both are counts of rare events and are combined as such: the number of useful pages among the next is Poisson, and its rate
// has a gamma distribution that begins with what the queue says, as if that were w pages, and learns from the harvest. Old
// pages count less.
//
//	ratio  (H + k) / (C + k)              H: brought lately, C: foretold of the links of the same pages
//	queue  ratio · mean chance of the next links
//	rate   (w·queue + H) / (w + E)        E: pages lately
//	next   trust · rate · 100
//	left   trust · ratio · Σ chance of all links
//
// trust is what was measured on recorded webs: after its best pages, a crawl reads many that look useful and are not. There an
// interval, of a negative binomial distribution as wide as was measured, held the truth four times of five. A strategy that
// cannot tell chances has the harvest alone (w = 0). daemon/lab/reports/STOPPING.md has the figures.
//
// The package does not know what a crawl is: package crawler tells it, by Harvest.Add and Queue.
package promise
