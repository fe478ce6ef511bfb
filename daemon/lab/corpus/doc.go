// Package corpus makes sessions from recordings: from the clicks of navigation games (Games), or from a simulated walk
// (Walk). A session consists of the events that a browser would have sent, so that it is trained with the same code as a
// person's own browsing. The package also measures crawls of recordings: Score, Web.Oracle and Web.Bound. Labels
// say what a page is about; they come from files or from rules on addresses (Rule).
//
// Random choices come from a seed, dates from a fixed day: the same input gives the same bytes.
package corpus

import "time"

// Epoch is the start of every session made here.
var Epoch = time.Date(2005, time.June, 3, 9, 0, 0, 0, time.UTC)
