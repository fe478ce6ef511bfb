package crawler

import (
	"slices"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/revisit"
	"nightjar/crawler/weburl"
)

// ClaimedReason is the Reason in the record of a look at a page of which a list of its host said that it had changed.
const ClaimedReason = "its site said that it had changed"

// mark says on the record of a fetch whether it is a look, and whether a list said that the page had changed.
func (l *looks) mark(f *Fetch) {
	p := l.of(f.URL)
	if p == nil {
		return
	}
	f.Look = &Look{Claimed: p.claimed && f.Response.Outcome == fetch.OK}
	if f.Look.Claimed {
		f.Response.Reason = ClaimedReason
	}
}

// trust is the probability that what the lists of a host say of changes is right: the mean of a Beta distribution that was uniform
// before the first look.
func (l *looks) trust(host string) float64 {
	var t tally
	if of := l.claims[host]; of != nil {
		t = *of
	}
	return t.rate(.5, 2)
}

// checks counts, after a look at a page, whether what a list said of it was right. s is what the look saw.
func (l *looks) checks(p *looked, s *PastStep) {
	p.claimed = false
	if !s.Look.Claimed {
		return
	}
	host := weburl.Host(s.URL)
	if l.claims[host] == nil {
		l.claims[host] = &tally{}
	}
	changed, _ := p.changed(s.Text, s.Simhash)
	l.claims[host].add(changed || s.Look.News > 0)
}

// claim is called when a list says when a page changed last. If that was after it was read, the page may be due for a look sooner.
func (l *looks) claim(url string, changed time.Time) {
	p, now := l.of(url), l.now()
	if p == nil || p.begun || p.claimed || !p.brings() || !changed.After(p.seen.At) || changed.After(now) {
		return
	}
	l.plan()
	p.claimed = true
	since := now.Sub(p.seen.At)
	rate, trust := p.history.Rate(l.usually), l.trust(weburl.Host(url))
	p.chance = revisit.Told(rate, days(since), trust)
	if since >= notBefore && !slices.Contains(l.due, p) && revisit.Due(rate, days(since), trust) {
		l.due = append(l.due, p)
	}
}
