package frontier

import "nightjar/crawler/strategy"

// Entry is a link that a crawl has not followed yet, with the path that led to it.
type Entry struct {
	URL      string
	Host     string
	Priority strategy.Priority
	Seq      int64  // order of insertion; Add assigns the next number when it is 0
	Parent   int    // number of the fetch whose page holds the link, 0 for a start page
	Depth    int    // links from the start page, 0 for a start page
	Anchor   string // anchor text of the link
	Path     []byte // strategy.Judgement.Path of the page that holds the link
	Note     []byte // the strategy's note about the link
	Attempts int    // fetches started so far; above 0 when a crash interrupted one
	Retries  int    // times it was put back because no answer came
}

// Before reports whether e is popped before o when both hosts are ready, in a frontier of one order: entries that a crash interrupted come first,
// then higher priorities, then earlier insertions.
func (e *Entry) Before(o *Entry) bool {
	if e.Attempts != o.Attempts {
		return e.Attempts > o.Attempts
	}
	if c := e.Priority.Compare(o.Priority); c != 0 {
		return c > 0
	}
	return e.Seq < o.Seq
}
