package promise

import (
	"fmt"
	"math"
	"strconv"
)

// Says is the reason in words for which a crawl ends that is to go on while the next pages promise that many useful ones.
func (e *Estimate) Says(least float64) string {
	next := e.Next
	if short(next) == short(least) { // fewer, and so it must read
		next = math.Floor(next*10-1e-9) / 10
	}
	s := fmt.Sprintf("the next %d pages promise %s, fewer than %s", Ahead, About(next), short(least))
	if !e.Told {
		return s
	}
	return s + "; " + e.SaysLeft()
}

// SaysLeft says how many useful pages wait in the queue.
func (e *Estimate) SaysLeft() string {
	n := math.Round(e.Left)
	verb := "are"
	if n == 1 {
		verb = "is"
	}
	switch {
	case n < 1 && e.LeftHigh < 1:
		return "probably none is left"
	case n < 1:
		return fmt.Sprintf("at most %s may be left", short(e.LeftHigh))
	case e.LeftLow == e.LeftHigh:
		return fmt.Sprintf("about %s %s left", short(n), verb)
	}
	return fmt.Sprintf("about %s %s left, most likely %s to %s", short(n), verb, short(e.LeftLow), short(e.LeftHigh))
}

// About is a number of useful pages in words, such as "about 0.4 useful ones".
func About(n float64) string {
	switch {
	case n < .05:
		return "hardly any useful one"
	case short(n) == "1":
		return "about 1 useful one"
	}
	return "about " + short(n) + " useful ones"
}

// short is a number with one decimal below 10, and none above.
func short(x float64) string {
	if x >= 10 {
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	}
	return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64)
}
