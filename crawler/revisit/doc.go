// Package revisit says how often something new appears on a page, judging by few looks at it, and which page to look at next.
//
// New things are taken to appear on a page at random, at a rate of its own. A look sees whether anything is new since the look
// before, not how much: [Cho & Garcia-Molina 2003, Estimating Frequency of Change, section 4.3] has the maximum likelihood of that
// for looks at irregular times. With few looks, that is no number at all (always new: infinitely often; never: not once), so the
// pages of one crawl lend each other what is usual among them (Usual). How long ago a page was read counts there only up to ten days.
//
// Which page is next follows [Kolobov et al. 2019, Staying up to Date with Online Content Changes Using Reinforcement Learning for
// Scheduling, section 4]: of all ways to spread the same number of looks, theirs loses least when what was missed hurts the more,
// the longer it is missed, here for ten days at most. A page that was read longer ago has no further precedence.
package revisit
