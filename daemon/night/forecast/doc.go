// Package forecast foresees how many useful pages a night brings (Make), and how many the coming nights bring in sum (Left),
// with an interval. Foresee reads what they go by. The forecast of a night is stored with its crawl (Made), and is read again
// beside what came (Foretold).
//
// The useful pages of a night are those of its new finds that the person would mark Useful. After the night they are
// estimated from the marks and the judge's probabilities (package calibration).
//
// Each estimate is a linear model of log(1 + useful pages) (Line), one for a topic's first night, one for a night after
// others, and one for the Coming nights after others:
//
//	log(1 + y) ~ Normal(weights · signals, deviation²)
//
// The interval has the 10th and the 90th percentile, so that 8 of 10 should hold. A first night has few signals: the pages
// that it may fetch and the share of useful pages in the session (First). What else sets webs apart is not known before, so
// that its interval is wide. Later nights continue the queue of the last one. They go by what it brought, and by how many
// nights there were, since a topic's first nights bring most (Later). What the queue promised at the end of the last night
// (package promise), its length, and the mean of the last nights were tried as further signals: the error on other webs did
// not become smaller.
//
// What is left is the number of useful pages that the coming nights bring, not that of the whole web: of pages to which
// nothing that was read links, a crawl cannot know. On some webs, the first nights bring a page or two each, until one finds
// the list of all. They are why the interval is wide.
//
// First nights were measured on 1,260 simulated nights of recorded webs, each foreseen with constants that were fitted on
// the other webs: the intervals held in 80 of 100. Their upper end is 11 times the lower one (median, at most 16), whatever
// the size of the session: crawls of one topic on one web by different sessions bring 11 or 105 pages. The program is no
// longer part of the source: the lab's verb forecast of commit d1e0e1d8, version 0.1.0. Later nights and what is left were
// measured by the lab's verb month: daemon/lab/reports/NIGHT.md has the figures.
package forecast
