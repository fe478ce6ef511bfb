// Package revisit says how often something new appears on a page, judging by few looks at it, and which page to look at next.
//
// New things are taken to appear on a page at random, at a rate of its own. A look sees whether anything is new since the look
// before, not how much: [Cho & Garcia-Molina 2003, Estimating Frequency of Change, section 4.3] has the maximum likelihood of that
// for looks at irregular times. With few looks, that is no number at all (always new: infinitely often; never: not once), so the
// pages of one crawl lend each other what is usual among them (Usual). How long ago a page was read counts there only up to ten days.
//
// The page to look at next is the one with the highest chance of something new times the gain from it. What appears on a list stays
// there until it is seen, and a greedy choice of that kind gains at least half of what the best schedule would [Pandey, Dhamdhere &
// Olston 2004, WIC: A General-Purpose Algorithm for Monitoring Web Information Sources]. Pages that were read long ago do not crowd
// out the others, because a chance is at most 1.
package revisit
