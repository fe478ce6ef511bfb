package crawler

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/neardup"
	"nightjar/crawler/revisit"
	"nightjar/crawler/strategy"
	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

const (
	manyLinks = 10            // links of a page from which on it is a list
	notBefore = 6 * time.Hour // after a page was read, it is not looked at again
	ahead     = 10            // pages by which looks come early, so that what they bring is followed in the same night

	leastShare, evenShare, mostShare = .05, .1, .5 // of pages that are looks; even: they bring as much as new links

	fewVain, mostVain = 4, .08 // looks of a crawl, and of its pages, that may be in vain

	changedFind = .2  // of what a new find is worth, is it worth to see that one changed
	memory      = 500 // pages after which what a page brought counts by half
)

// Look is the outcome of looking again at a page that was read before.
type Look struct {
	News    int  // links on it that the queue never had
	Changed bool // it is still useful, and its text changed much
	Gone    bool // its address holds no page any more
	Claimed bool // a list of its host said before that the page had changed
}

// Seen is what was learned by reading a page.
type Seen struct {
	At       time.Time
	Depth    int
	Links    int // that may be followed; below 0 when that is not known
	Text     int64
	Simhash  uint64
	Relevant bool
	Look     *Look  // nil when the page was read for the first time
	From     string // the address that was looked at, if it leads to this page by now; otherwise ""
	Visited  bool   // the person's copy was read, first of all
	Listed   bool   // it is a list of the pages of a host, and no page
}

// looks chooses pages to look at again: start pages, lists and pages that brought finds, since new links may be on them, and useful
// pages, since they may change or go. A look puts the page back into the frontier, before all links.
//
// The share of looks in the budget depends on what they and the links they found brought, compared with what other links
// brought, and looks at pages that have not changed are few. Package revisit says which pages are due.
type looks struct {
	on      bool
	urls    map[int]string     // intake.urls
	pages   map[string]*looked // by final URL
	made    map[int]bool       // numbers of looks
	now     func() time.Time
	before  int               // number of the last fetch of earlier crawls
	planned bool              // due says which pages to look at in this crawl, by what earlier ones saw
	due     []*looked         // the best one last
	usually float64           // new things a day on a page that was not looked at yet
	claims  map[string]*tally // looks at pages of which a list said that they had changed, and those that had, by host
	begun   int               // looks of this crawl
	vain    float64           // of them, those at pages that had not changed, and as many as are to be expected among those under way
	again   tally             // looks, and the links that they found
	others  tally
}

// looked is a page that may be looked at again.
type looked struct {
	url     string
	parent  int
	anchor  string
	seen    Seen
	begun   bool            // a look of this crawl
	chance  float64         // that a look sees something new, when the crawl began or a list said that the page had changed
	claimed bool            // a list says that it has changed since
	history revisit.History // news
	brought tally           // by its links that were followed
}

// tally counts pages and the useful ones among them.
type tally struct{ pages, useful float64 }

func (t *tally) add(useful bool) {
	t.pages++
	if useful {
		t.useful++
	}
}

// rate is the share of useful pages, in which usual counts as much as `pages` pages.
func (t *tally) rate(usual, pages float64) float64 {
	return (t.useful + pages*usual) / (t.pages + pages)
}

func newLooks(o *Options, urls map[int]string) *looks {
	return &looks{on: o.LookAgain, now: o.Clock.Now, urls: urls, pages: make(map[string]*looked), made: make(map[int]bool), claims: make(map[string]*tally)}
}

// of returns the page that a fetch of an address looks at again, nil when it was never read.
func (l *looks) of(url string) *looked { return l.pages[url] }

// closed reports whether an address must not be looked at, since a visited page has it.
func (l *looks) closed(url string, v *visited) bool {
	p := l.pages[url]
	return p != nil && p.seen.Visited && !v.open(url)
}

// add notes a page that was read, or that is gone.
func (l *looks) add(s *PastStep) {
	if !l.on {
		return
	}
	if s.N > l.before {
		l.plan()
	}
	if p := l.pages[cmp.Or(s.From, s.URL)]; s.Look != nil && s.N > l.before && p != nil {
		l.weigh(p, s)
	}
	l.count(s)
	if s.From != "" && !l.moved(s) {
		return
	}
	p := l.pages[s.URL]
	switch {
	case p != nil && s.Look == nil && s.Text == 0: // another address leads to it, and it was not read again
	case s.Look != nil && s.Look.Gone:
		delete(l.pages, s.URL)
	case p == nil && (s.Depth == 0 || s.Links != 0 || s.Relevant):
		l.pages[s.URL] = &looked{url: s.URL, parent: s.Parent, anchor: s.Anchor, seen: s.Seen}
	case p != nil:
		if s.Look != nil {
			l.checks(p, s)
			p.history = p.history.Add(days(s.At.Sub(p.seen.At)), s.Look.News > 0)
		}
		before := p.seen
		p.seen, p.begun = s.Seen, p.begun || s.N > l.before
		p.seen.Relevant = s.Relevant || before.Relevant
		p.seen.Visited = s.Visited || before.Visited // its address is the person's, however often it is looked at
	}
}

// moved forgets the address of a page that has moved, and reports whether the page was read at its new address. If not, that becomes
// its address.
func (l *looks) moved(s *PastStep) bool {
	p, read := l.pages[s.From], s.Text != 0
	delete(l.pages, s.From)
	if p != nil && read && l.pages[s.URL] == nil {
		p.url = s.URL
		l.pages[s.URL] = p
	}
	return read
}

// count counts what a page brought to the page that held its link, and to looks or other links.
func (l *looks) count(s *PastStep) {
	if s.Look != nil {
		l.made[s.N] = true
	} else if parent := l.pages[l.urls[s.Parent]]; parent != nil {
		parent.brought.add(s.Relevant)
	}
	if l.made[s.N] || l.made[s.Parent] {
		l.again.add(s.Relevant)
	} else {
		l.others.add(s.Relevant)
	}
	if l.again.pages+l.others.pages >= memory {
		for _, t := range []*tally{&l.again, &l.others} {
			t.pages, t.useful = t.pages/2, t.useful/2
		}
	}
}

// drop forgets a page that turned out to be something else. A page that was looked at stays.
func (l *looks) drop(f *Fetch) {
	if f.Look == nil {
		delete(l.pages, f.FinalURL)
	}
}

// usual is the share of useful pages among those that new links led to.
func (l *looks) usual() float64 { return l.others.rate(.1, 10) }

func (l *looks) share() float64 {
	usual := l.usual()
	return min(max(evenShare*l.again.rate(usual, 10)/usual, leastShare), mostShare)
}

// next returns the page to look at now, nil for none. used is the pages of budget that the crawl has used; idle says that no link is
// left to follow.
func (l *looks) next(used int, idle bool) *looked {
	share := mostShare
	if !idle {
		share = l.share()
	}
	if !l.on || float64(l.begun) >= share*float64(used+ahead) {
		return nil
	}
	l.plan()
	for len(l.due) > 0 {
		p := l.due[len(l.due)-1]
		if !p.begun && l.vain+1-p.chance > fewVain+mostVain*float64(used) {
			return nil
		}
		l.due = l.due[:len(l.due)-1]
		if !p.begun {
			return p
		}
	}
	return nil
}

// waiting says in words how many due pages are not looked at, "" for none.
func (l *looks) waiting() string {
	n := 0
	for _, p := range l.due {
		if !p.begun {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return "; " + texts.Plural(n, "known page") + " may have new links, but too few are likely to"
}

// begins counts a look that waits in the frontier or is in flight.
func (l *looks) begins(p *looked) {
	if !p.begun {
		l.begun++
	}
	l.spend(p)
}

// weigh counts whether a look that ended was in vain.
func (l *looks) weigh(p *looked, s *PastStep) {
	l.spend(p)
	l.vain -= 1 - p.chance
	if changed, _ := p.changed(s.Text, s.Simhash); !changed && s.Look.News == 0 && !s.Look.Gone && s.From == "" {
		l.vain++
	}
}

// spend counts a look that begins, by the probability that it is in vain.
func (l *looks) spend(p *looked) {
	l.plan()
	if !p.begun {
		p.begun = true
		l.vain += 1 - p.chance
	}
}

// plan puts the pages that are due in order, once, by what was known when the crawl began, so that an interrupted crawl continues as it
// would have done.
func (l *looks) plan() {
	if l.planned {
		return
	}
	l.planned = true
	now := l.now()
	pages := slices.SortedFunc(maps.Values(l.pages), func(a, b *looked) int { return cmp.Compare(b.url, a.url) })
	histories := make([]revisit.History, len(pages))
	for i, p := range pages {
		histories[i] = p.history
	}
	l.usually = revisit.Usual(histories)
	for _, p := range pages {
		since := now.Sub(p.seen.At)
		if since < notBefore || !p.brings() {
			continue
		}
		rate := p.history.Rate(l.usually)
		p.chance = revisit.Chance(rate, days(since))
		if revisit.Due(rate, days(since), 0) {
			l.due = append(l.due, p)
		}
	}
	useful := l.usual()
	slices.SortStableFunc(l.due, func(a, b *looked) int { return cmp.Compare(a.chance*a.value(useful), b.chance*b.value(useful)) })
}

// brings reports whether a look may bring something.
func (p *looked) brings() bool { return p.lists() || p.seen.Relevant }

// lists reports whether new links may be on a page.
func (p *looked) lists() bool {
	return p.start() || p.seen.Links >= manyLinks || p.brought.useful > 0
}

// value is the gain from seeing something new, in useful pages. useful is their usual share. A start page counts as a page that brought
// one, since the person ticked it.
func (p *looked) value(useful float64) float64 {
	if !p.lists() {
		return changedFind * useful
	}
	brought := p.brought
	if p.start() {
		brought.add(true)
	}
	return brought.rate(useful, 1)
}

// start reports whether the person ticked a page.
func (p *looked) start() bool { return p.seen.Depth == 0 && !p.seen.Visited }

func days(d time.Duration) float64 { return d.Hours() / 24 }

// muchChanged is the number of bits in which the simhashes of two texts differ if they have much less than half in common.
const muchChanged = 8

// changed reports whether a text differs from the last reading, and whether it differs much.
func (p *looked) changed(text int64, simhash uint64) (changed, much bool) {
	before := p.seen.Simhash
	if text == p.seen.Text || neardup.SameText(before, simhash) {
		return false, false
	}
	return true, before != 0 && simhash != 0 && bits.OnesCount64(before^simhash) >= muchChanged
}

// lookAgain puts a page that is due into the frontier, and reports whether it did.
func (c *Crawl) lookAgain(idle bool) bool {
	for {
		p := c.looks.next(c.meter.totals.Fetched, idle)
		switch {
		case p == nil:
			return false
		case c.intake.refuses(p.url) || c.o.Trap.Admit(p.url) != "" || c.looks.closed(p.url, c.visited):
			continue
		}
		c.intake.seq++
		e := frontier.Entry{
			URL: p.url, Host: weburl.Host(p.url), Priority: lookPriority(), Seq: c.intake.seq, Parent: p.parent, Depth: p.seen.Depth, Anchor: p.anchor,
		}
		if !c.frontier.Return(e) { // its host has reached its limit
			continue
		}
		c.looks.begins(p)
		c.recorder.batch.Back = append(c.recorder.batch.Back, e)
		return true
	}
}

// lookPriority returns the priority of looks: after start pages, before all links.
func lookPriority() strategy.Priority { return strategy.Priority{math.MaxInt32 - 1} }

// creditLook sets what a look at a page counts for, and reports whether it counts as a page that was never read: one that changed and
// was not useful before may have become a find. Others count for nothing, and are no copies of themselves.
func (in *intake) creditLook(f *Fetch, r fetched, p *looked) (asNew bool) {
	changed, much := p.changed(r.text, r.simhash)
	f.TextHash, f.Simhash = r.text, r.simhash
	f.Look.Changed = much && p.seen.Relevant && f.Judgement.Relevant
	return changed && !p.seen.Relevant
}

// lost notes a look at an address that no longer has a page, or leads to a known one.
func (in *intake) lost(f *Fetch) {
	p := in.looks.of(f.URL)
	if f.Look == nil || p == nil {
		return
	}
	moved := f.Response.Outcome == fetch.OK && f.FinalURL != f.URL
	if f.Look.Gone = gone(&f.Response); f.Look.Gone || moved {
		in.looks.add(f.step())
	}
}

// step is a fetch as later crawls of the queue know it.
func (f *Fetch) step() *PastStep {
	s := &PastStep{N: f.N, Parent: f.ParentN, URL: f.FinalURL, Anchor: f.Anchor,
		Seen: Seen{At: f.At, Depth: f.Depth, Links: f.Links, Text: f.TextHash, Simhash: f.Simhash, Relevant: f.Relevant, Look: f.Look, Visited: f.visited()}}
	switch {
	case f.Look == nil || f.FinalURL == f.URL:
	case f.Response.Outcome == fetch.OK:
		s.From = f.URL
	default:
		s.URL = f.URL
	}
	return s
}
