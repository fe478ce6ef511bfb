package crawler

import (
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/texts"
)

// Fetch is the record of one attempted frontier entry: how it was reached, how it ended, how its page was judged, and what
// it changed.
type Fetch struct {
	N        int    // 1, 2, … in the crawl
	URL      string // as queued
	FinalURL string // after redirects
	Parent   string // final URL of the page whose link was followed, "" for a start page
	ParentN  int    // N of the parent, 0 for a start page
	Anchor   string
	Title    string
	Depth    int // links from the start page
	At       time.Time
	Worker   string // name of the worker that fetched it, "" for this process
	Cost     int    // pages of budget used: 0 or 1; 0 for a page that the person had visited
	Pick     int    // number of the pick by which its link was chosen, 0 for none; see strategy.Picker

	Response  fetch.Response
	Page      *page.Page // nil when the answer is no readable page, or when the final URL was visited before
	Judgement strategy.Judgement
	TextHash  int64   // of the page's text; 0 without text
	Simhash   uint64  // of the page's text: near-duplicates differ in few bits; 0 without text
	Credit    bool    // the page counts as yield: it is neither a copy of an earlier page nor a placeholder page
	Rendered  bool    // its scripts were run
	Choice    *Choice // how its link was chosen; nil without Options.Explain
	Place     Place   // of the answer in the archive
	Relevant  bool    // judged relevant, and no copy of an earlier page
	NoFind    string  // why a relevant page must not be shown as a find, "" when it may be
	Links     int     // of the page that may be followed
	Look      *Look   // what came of looking at it again; nil when it was read for the first time

	Chance   float64  // of a useful page behind the link, as the strategy saw it before the fetch; below 0 when it cannot tell
	Brought  float64  // the probability that the page is useful; 0 for copies, placeholder pages and pages that the person knows
	Promised *float64 // useful pages that the next 100 promise after it; nil when that was not estimated

	Queued  []frontier.Entry // entries added, or raised in priority; also those for which there is no room, if Resume.Best can bring them back
	Held    []frontier.Entry // links of closed hosts: they wait for the next crawl of the queue
	Done    []string         // URLs not to be fetched again: the queued one, those of its redirects, the final one
	Learned []byte           // strategy.Learner.Snapshot when it is time to store one, otherwise nil

	StrategyError error // why the strategy could not learn from the page, nil when it could

	Totals Totals         // after this fetch
	entry  frontier.Entry // as it was popped
}

// Totals are the sums of a crawl so far.
type Totals struct {
	Fetched  int // pages of budget
	Relevant int
	Bytes    int64
	Spent    time.Duration

	StrategyErrors int    // pages that the strategy could not learn from
	StrategyError  string // the last such error, "" when there was none
}

// Unlearned says in words how many pages the strategy could not learn from; "" for none.
func (t *Totals) Unlearned() string {
	if t.StrategyErrors == 0 {
		return ""
	}
	return "The strategy could not learn from " + texts.Plural(t.StrategyErrors, "page") + ": " + t.StrategyError
}

// newFetch returns the record of an attempt at a queued link, without what came of it.
func (in *intake) newFetch(n int, e frontier.Entry, r fetch.Response) *Fetch {
	return &Fetch{
		N: n, URL: e.URL, FinalURL: r.FinalURL, Parent: in.urls[e.Parent], ParentN: e.Parent, Anchor: e.Anchor, Depth: e.Depth,
		Response: r, Judgement: strategy.Judgement{Cluster: -1}, entry: e,
	}
}

// visited reports whether the page was read since the person had visited it.
func (f *Fetch) visited() bool { return f.Response.Outcome == fetch.Visited }

// Find reports whether the page may be shown as a find.
func (f *Fetch) Find() bool { return f.Relevant && f.NoFind == "" }
