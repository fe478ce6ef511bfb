package crawler

import (
	"context"
	"fmt"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/promise"
	"nightjar/crawler/strategy"
	"nightjar/crawler/texts"
	"nightjar/crawler/trap"
	"nightjar/crawler/work"
)

// Budget limits a crawl. 0 means no limit.
type Budget struct {
	Pages   int           // frontier entries attempted, redirects included; what robots.txt refuses is free
	Bytes   int64         // on the wire
	Time    time.Duration // running time
	Idle    time.Duration // of a turn: it ends when no fetch could start for so long
	PerHost int           // pages per host
	PerSite int           // pages per site (registrable domain)
}

// Over says in words which limit of the budget is reached, "" when none is. Pages in flight count as used.
func (b Budget) Over(t Totals, inFlight int) string {
	switch {
	case b.Pages > 0 && t.Fetched+inFlight >= b.Pages:
		return fmt.Sprintf("budget of %s used", texts.Plural(b.Pages, "page"))
	case b.Bytes > 0 && t.Bytes >= b.Bytes:
		return fmt.Sprintf("budget of %s used", size(b.Bytes))
	case b.Time > 0 && t.Spent >= b.Time:
		return fmt.Sprintf("budget of %s used", span(b.Time))
	}
	return ""
}

// Options say where a crawl starts, what it may use and what observes it.
type Options struct {
	Starts       []string     // canonical URLs of the start pages; with Resume they only say on which sites Visited may be used
	Links        []string     // start pages, too, that the person pointed at; only Choice.How differs
	Budget       Budget       // of the whole crawl, including what was used before Resume
	Workers      int          // maximum number of fetches in flight, one per host, without slow ones (Live); 0 means 1, which makes a crawl repeatable
	MaxQueued    int          // maximum number of frontier entries; 0 means 250,000
	MissingCosts bool         // replay: a page that the recording lacks costs a page of budget
	Clock        clock.Clock  // nil means the machine's
	Journal      Journal      // nil means that nothing is stored
	Resume       *Resume      // nil means a new crawl
	OnFetch      func(*Fetch) // called after each recorded fetch, never concurrently
	Archive      Archive      // nil means that nothing is archived
	Renderer     Renderer     // nil means that no scripts are run
	Parse        Parser       // nil means that documents are parsed as HTML
	RenderPages  int          // maximum number of pages to render; 0 means no limit
	LookAgain    bool         // pages that were read are looked at again, since new links may be on them
	Explain      bool         // work out Fetch.Choice: some 200 waiting links are read for each page
	Trap         *trap.Guard  // nil means that only the shape of addresses is checked
	// MissingPage returns the page that a host shows for an address that does not exist, as an earlier crawl learned it, nil if it
	// is not known. nil means that none is known.
	MissingPage func(host string) []byte

	// Refuse reports whether the person wants an address never to be fetched. The answer may change during the crawl: it is
	// asked when a link is queued and again before it is followed. nil means never. The goroutine of Run calls it.
	Refuse func(url string) bool

	// Visited has the pages that the person visited. A crawl reads those on the sites of Starts before it fetches any page. Without a
	// List, it must not use them.
	Visited Visits

	OnTrouble func(error) // called when the archive or the renderer first fails; the crawl goes on without it

	// Dispatch fetches and parses pages; nil means this process, with the fetcher. With a durable one, its Width replaces Workers.
	// Whoever made it closes it after the crawl. The fetcher still says when the next page of a host may be fetched.
	Dispatch work.Dispatcher

	// Live says that the web may give another answer later, unlike a recording. Attempts without an answer, or with the
	// answer "too busy", are then put back and retried; a host that fails three times in a row rests until the crawl ends;
	// and when no host answers, the crawl waits until the network is back.
	//
	// When Workers is more than 1, a fetch that has taken a second no longer counts among them, so that slow hosts do not keep
	// others waiting. Up to 6 times Workers such fetches may be in flight as well.
	Live    bool
	OnPause func(why string) // called when the crawl starts to wait for the network, and with "" when it goes on

	// OnWait is called when the crawl starts to wait for hosts that must not be asked yet, when what it waits for changes, and with the
	// zero value when it follows a link again. The usual pauses between two pages are not reported.
	OnWait func(Wait)

	// TooLate says in words by when nothing is due, such as "within 2 minutes", if the crawl must not wait until a time: a crawl in
	// which no link may be followed sooner ends. It returns "" for a time that is worth waiting for; nil means that any is.
	TooLate func(at time.Time) string

	// MayBegin is called before each fetch, with the time of Clock. While it returns false, no fetch starts, and the turn
	// ends once none is in flight. nil means always true. The goroutine of Run calls it.
	MayBegin func(now time.Time) bool

	// Marks returns the person's marks since its last call, oldest first; nil means none. The goroutine of Run calls it
	// before it chooses the next link, and only for a strategy that learns. The marks affect queued links once the
	// strategy next returns Judgement.Reorder.
	Marks func() []strategy.Mark

	// StopBelow ends the crawl when the next 100 pages promise fewer useful ones; 0 means never. See package promise.
	StopBelow float64

	// Known reports whether the person knows a page already, so that it brings nothing; nil means that all are new. The
	// goroutine of Run calls it for each page that was read.
	Known func(*Fetch) bool

	// OnEstimate is called with each estimate of what the next pages promise, never concurrently. With it, estimates are
	// made even when StopBelow is 0.
	OnEstimate func(promise.Estimate)
}

// Archive stores exchanges. The workers call Write concurrently.
type Archive interface {
	// Write stores the exchanges and returns the place of the page's answer: that of the last exchange with an answer,
	// where exchanges for pages and redirects come before all others.
	Write(ctx context.Context, exchanges []fetch.Exchange) (Place, error)
}

// Place is the position of a record in an archive. The zero value means none.
type Place struct {
	File   string // name without folder
	Offset int64  // bytes
}

// Parser returns the page of an answer whose outcome is fetch.OK. It is for webs whose pages are known already. The workers
// call it concurrently. The crawl changes the page, so that each call must return one of its own.
type Parser func(r *fetch.Response) (*page.Page, error)

// Renderer runs the scripts of a page.
type Renderer interface {
	// Render runs the scripts of the page at url, whose document is body, as UTF-8. It returns the resulting HTML, as
	// UTF-8, and, even with an error, every request that was sent. The workers call it concurrently; it waits for its turn.
	Render(ctx context.Context, url string, body []byte) (html []byte, exchanges []fetch.Exchange, err error)
}

// End says why Run returned.
type End int

// The ends of Run.
const (
	Turn        End = iota // the turn's budget is used; the crawl can go on
	Used                   // the crawl's budget is used
	NoLinks                // no link is left to follow
	Late                   // no link may be followed soon enough; see Options.TooLate
	Unpromising            // the next pages promise fewer useful ones than Options.StopBelow
	Stopped                // the context ended
)

// Result is the state of a crawl when Run returns.
type Result struct {
	Fetched    int // pages of budget used
	Relevant   int
	Bytes      int64
	Spent      time.Duration  // running time
	Queued     int            // links left, including those of resting hosts
	Resting    int            // hosts that failed and were left alone
	Refused    map[string]int // links that the trap guard refused when they were popped, by reason
	Outcomes   map[fetch.Outcome]int
	Unlearned  string // how many pages the strategy could not learn from, in words; "" for none
	End        End
	StopReason string           // one line in words; "" at the end of a turn
	Promise    promise.Estimate // of the next pages; only with the end Unpromising
	Waits      Wait             // for which it did not wait; only with the end Late
}

// Stop is the cause of a cancelled context that gives the reason why a crawl ends, such as "stopped by you".
type Stop string

// Error returns the reason.
func (s Stop) Error() string { return string(s) }

func size(bytes int64) string {
	const mega = 1 << 20
	if bytes >= mega && bytes%mega == 0 {
		return fmt.Sprintf("%d MB", bytes/mega)
	}
	return texts.Plural(int(bytes), "byte")
}

func span(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return texts.Plural(int(d/time.Minute), "minute")
	}
	return d.String()
}
