package frontier

import (
	"time"

	"nightjar/crawler/strategy"
)

// Entry is a link that waits to be followed, with the path that led to it.
type Entry struct {
	URL      string
	Host     string
	Priority strategy.Priority
	Seq      int64  // order of insertion; 0 lets Add number it
	Parent   int    // number of the fetch whose page holds the link, 0 for a start page
	Depth    int    // links from the start page, 0 for a start page
	Anchor   string // anchor text of the link
	Path     []byte // strategy.Judgement.Path of the page that holds the link
	Note     []byte // the strategy's, of the link
	Attempts int    // fetches begun so far; more than 0 when a crash cut one short
	Retries  int    // times it was tried without an answer and put back
}

// Before reports whether e is popped before o when both hosts are ready: what a crash interrupted first, then by
// priority, then in order of insertion.
func (e *Entry) Before(o *Entry) bool {
	if e.Attempts != o.Attempts {
		return e.Attempts > o.Attempts
	}
	if c := e.Priority.Compare(o.Priority); c != 0 {
		return c > 0
	}
	return e.Seq < o.Seq
}

// hostState says in which of the frontier's heaps a host is.
type hostState int

const (
	idle    hostState = iota // in none: it has no links
	ready                    // may be asked, as far as known
	waiting                  // must not be asked before host.at
	busy                     // a fetch is in flight
)

// host holds the links of one host, best first.
type host struct {
	name  string
	id    uint32
	queue heap[uint32] // of items
	state hostState
	place int       // in the heap of its state
	at    time.Time // when it may be asked again, while waiting
}
