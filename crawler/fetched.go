package crawler

import (
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
)

// Fetch is one frontier entry attempted: how it was reached, how it ended, what was made of it, and what it changed.
type Fetch struct {
	N        int    // 1, 2, … in the crawl
	URL      string // as queued
	FinalURL string // after redirects
	Parent   string // final URL of the page whose link was followed, "" for a start page
	ParentN  int    // its number, 0 for a start page
	Anchor   string
	Title    string
	Depth    int // links from the start page
	At       time.Time
	Cost     int // pages of budget it used: 0 or 1

	Response  fetch.Response
	Page      *page.Page // nil when there is none to read, or when it was read before under its final URL
	Judgement strategy.Judgement
	TextHash  int64  // of the page's text; 0 without text
	Simhash   uint64 // of the page's text, near for texts that are nearly the same; 0 without text
	Credit    bool   // it brought something: a page that is no copy of one read before and stands for no other
	Rendered  bool   // its scripts were run
	Place     Place  // of the answer in the archive
	Relevant  bool   // judged relevant, and for the first time in this crawl
	NoFind    string // why a relevant page must not be shown as a find, "" when it may

	Queued  []frontier.Entry // entries added or raised
	Dropped []string         // URLs that fell out of the full frontier
	Done    []string         // URLs that need no fetch any more: its own, its redirects', its final one
	Learned []byte           // strategy.Learner.Snapshot when it has learned and there is a journal; nil otherwise

	StrategyError error // what the strategy could not learn from the page, nil without

	Totals Totals // after this fetch
	path   *paths
	entry  frontier.Entry // as it was popped
}

// Totals is what a crawl used and brought.
type Totals struct {
	Fetched  int // pages of budget
	Relevant int
	Bytes    int64
	Spent    time.Duration

	StrategyErrors int    // pages that the strategy could not learn from
	StrategyError  string // why not, the last time; "" without one
}

// Unlearned says in words what the strategy could not learn from, "" when there was nothing.
func (t *Totals) Unlearned() string {
	if t.StrategyErrors == 0 {
		return ""
	}
	return "The strategy could not learn from " + count(t.StrategyErrors, "page") + ": " + t.StrategyError
}

// Find reports whether the page may be shown as a find.
func (f *Fetch) Find() bool { return f.Relevant && f.NoFind == "" }

// Trail is the way from the start page to this page, both included.
func (f *Fetch) Trail() []Step { return f.path.trail(f.N) }

// Step is one page of a trail, as the strategy read it.
type Step struct {
	URL     string // final
	Title   string
	Anchor  string    // anchor text of the link that led here
	Cluster int       // -1 without an observation
	States  []float64 // P(T_j | o_1..t), empty for strategies without states
}

// paths remembers how each page of the crawl was reached.
type paths struct {
	steps map[int]numbered
}

type numbered struct {
	Step
	parent int
}

func (p *paths) add(n, parent int, s Step) { p.steps[n] = numbered{s, parent} }

// url is the final URL of fetch n, "" for 0.
func (p *paths) url(n int) string { return p.steps[n].URL }

func (p *paths) trail(n int) []Step {
	var back []Step
	for n != 0 {
		s, ok := p.steps[n]
		if !ok {
			break
		}
		back = append(back, s.Step)
		n = s.parent
	}
	slices.Reverse(back)
	return back
}
