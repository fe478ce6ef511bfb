// Package corpus turns recorded webs and the ways other people went through them into sessions: the clicks of a
// navigation game (Games), or a simulated walk (Walk). What comes out are the events a browser would have sent, so that
// training and crawling by recordings run through the same code as a person's own browsing.
//
// Everything is drawn from a seed and dated from a fixed day: the same input gives the same bytes.
package corpus

import "time"

// Epoch is when every made session starts.
var Epoch = time.Date(2005, time.June, 3, 9, 0, 0, 0, time.UTC)
