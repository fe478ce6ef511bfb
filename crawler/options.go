package crawler

import (
	"context"
	"fmt"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
)

// Budget bounds a crawl. 0 means no limit.
type Budget struct {
	Pages   int           // frontier entries attempted, redirects included; what robots.txt refuses is free
	Bytes   int64         // on the wire
	Time    time.Duration // running time
	Idle    time.Duration // of a turn: it is over when no fetch could begin for so long
	PerHost int           // pages a host
	PerSite int           // pages a site (registrable domain)
}

// spent is what a crawl used of its budget.
type spent struct {
	pages int
	bytes int64
	time  time.Duration
}

// over says in words which limit of the budget is used up, "" when none is. inFlight pages count as used.
func (b Budget) over(s spent, inFlight int) string {
	switch {
	case b.Pages > 0 && s.pages+inFlight >= b.Pages:
		return fmt.Sprintf("budget of %s used", count(b.Pages, "page"))
	case b.Bytes > 0 && s.bytes >= b.Bytes:
		return fmt.Sprintf("budget of %s used", size(b.Bytes))
	case b.Time > 0 && s.time >= b.Time:
		return fmt.Sprintf("budget of %s used", span(b.Time))
	}
	return ""
}

// Options say where a crawl begins and when it ends.
type Options struct {
	Starts       []string     // canonical URLs of the start pages; not used with Resume
	Budget       Budget       // of the whole crawl, what Resume tells included
	Workers      int          // fetches in flight, at most one a host; 0 means 1, which makes a crawl repeatable
	MaxQueued    int          // entries the frontier holds at most; 0 means 250,000
	MissingCosts bool         // replay: a page that the recording lacks costs a page of budget
	DomainCap    int          // as Budget.PerSite, of replays and benchmarks
	Clock        clock.Clock  // nil means the machine's
	Journal      Journal      // nil means that nothing is kept
	Resume       *Resume      // nil means a new crawl
	OnFetch      func(*Fetch) // called after each recorded fetch, never concurrently
	Archive      Archive      // nil means that nothing is archived
	Renderer     Renderer     // nil means that pages are read without scripts
	RenderPages  int          // pages whose scripts are run at most; 0 means no limit
	Trap         *trap.Guard  // nil means that only the shape of addresses is looked at
	OnTrouble    func(error)  // called when the archive or the renderer first fails; the crawl goes on without

	// Live says that the web may answer otherwise later, as a recorded one does not. What is not answered, or answered
	// with "too busy", is then put back and tried again; a host that fails three times in a row rests until the crawl
	// ends; and a crawl that hears nothing from anybody waits until the network is back.
	Live    bool
	OnPause func(why string) // called when the crawl begins to wait for the network, and with "" when it goes on

	// MayBegin is asked before each fetch begins, with the time by Clock; while it says no nothing begins, and the turn
	// ends when no fetch is in flight. nil means always. It is called by the goroutine of Run.
	MayBegin func(now time.Time) bool

	// Marks tells the person's words that came since it was last asked, oldest first; nil means none. It is asked before
	// each look for the next link, by the goroutine of Run, and only for a strategy that learns. What the words teach
	// reaches the links in the queue when the strategy next says Judgement.Reorder.
	Marks func() []strategy.Mark
}

// Archive keeps what went over the wire. Write is called by the workers, concurrently.
type Archive interface {
	// Write keeps the exchanges and returns where the answer of the page is: of the last one with an answer, those for
	// pages and redirects before all others.
	Write(ctx context.Context, exchanges []fetch.Exchange) (Place, error)
}

// Place is where in an archive a record is. The zero value is nowhere.
type Place struct {
	File   string // name without folder
	Offset int64  // bytes
}

// Renderer runs the scripts of a page and returns what it looks like then.
type Renderer interface {
	// Render returns what the scripts of the page at url make of it, as UTF-8 HTML, and every request that was sent for
	// it, also when there is an error. body is the page as it was fetched, UTF-8. It is called by the workers,
	// concurrently, and waits for its turn.
	Render(ctx context.Context, url string, body []byte) (html []byte, exchanges []fetch.Exchange, err error)
}

// End says why Run returned.
type End int

// The ends of Run.
const (
	Turn    End = iota // the turn's budget is used; the crawl can go on
	Used               // the crawl's budget is used
	NoLinks            // no link is left to follow
	Stopped            // the context ended
)

// Result is what a crawl did so far.
type Result struct {
	Fetched    int // pages of budget used
	Relevant   int
	Bytes      int64
	Spent      time.Duration  // running time
	Queued     int            // links left, those of resting hosts included
	Resting    int            // hosts that failed and were left alone
	Refused    map[string]int // links that the trap guard refused when their turn came, by reason
	Outcomes   map[fetch.Outcome]int
	Unlearned  string // what the strategy could not learn from, in words; "" when there was nothing
	End        End
	StopReason string // one line in words; "" at the end of a turn
}

// Stop is the cause of a cancelled context when the end of a crawl has a reason of its own, such as "stopped by you".
type Stop string

// Error is the reason.
func (s Stop) Error() string { return string(s) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func size(bytes int64) string {
	const mega = 1 << 20
	if bytes >= mega && bytes%mega == 0 {
		return fmt.Sprintf("%d MB", bytes/mega)
	}
	return count(int(bytes), "byte")
}

func span(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return count(int(d/time.Minute), "minute")
	}
	return d.String()
}
