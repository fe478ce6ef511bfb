package revisit

import "math"

const (
	kept  = 20          // maximum number of looks in a History: pages change their habits
	usual = 2.5         // days between two new things, before any look
	firm  = 4           // weight of usual, in looks that bring something new
	least = .3          // minimum chance of something new for a look to be worthwhile
	soon  = 1.0 / 86400 // minimum days between looks
	late  = 3650        // maximum days between looks
)

// History is the last looks at a page, oldest first: for each the days since the look before, negative when nothing was new.
type History []float64

// Add returns the history with one more look, `days` after the last one.
func (h History) Add(days float64, news bool) History {
	if days = min(days, late); !(days > soon) { // a clock may have been set back
		days = soon
	}
	if !news {
		days = -days
	}
	h = append(h, days)
	return h[max(0, len(h)-kept):]
}

// Usual is the number of new things a day on a page about which nothing is known, after the looks at the other pages of its crawl: the
// most likely rate when, before them, as many looks as firm saw something new in firm*usual days. It counts no look for longer than
// that: pages differ, and otherwise the one page on which nothing was new for a year would speak for all.
func Usual(all []History) float64 {
	var looks History
	for _, h := range all {
		for _, days := range h {
			looks = append(looks, math.Copysign(min(math.Abs(days), firm*usual), days))
		}
	}
	return looks.likely(firm, firm*usual)
}

// Rate is the number of new things a day on a page: the most likely rate r > 0 after the looks at the page when, before them, it has
// the density r·exp(-r/u) up to a factor, which is highest at u, the usual rate.
func (h History) Rate(u float64) float64 { return h.likely(1, 1/u) }

// likely is the most likely rate r > 0 after the looks when, before them, it has the density r^n·exp(-r·d) up to a factor, as after n
// new things in d days: the zero of
//
//	n/r - d - Σ still + Σ new/(exp(r·new)-1)
//
// where still and new are the days before looks that saw nothing new, and something new. It falls with r.
func (h History) likely(n, d float64) float64 {
	falls := func(r float64) float64 {
		sum := n/r - d
		for _, days := range h {
			if days < 0 {
				sum += days
			} else {
				sum += days / math.Expm1(r*days)
			}
		}
		return sum
	}
	low, high := 0.0, n/d
	for falls(high) > 0 {
		low, high = high, 2*high
	}
	for range 40 { // to a trillionth
		if mid := (low + high) / 2; falls(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

// Chance is the probability that something new appeared within that many days.
func Chance(rate, days float64) float64 { return -math.Expm1(-rate * days) }

// Told is the probability that something new appeared within that many days, by itself or as somebody says. told is the probability
// that they are right, 0 when nobody says so.
func Told(rate, days, told float64) float64 { return 1 - (1-Chance(rate, days))*(1-told) }

// Due reports whether a look after that many days is worthwhile. A page with nothing new waits longer each time. The arguments are those
// of Told.
func Due(rate, days, told float64) bool { return Told(rate, days, told) >= least }
