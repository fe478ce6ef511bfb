package crawler

import (
	"fmt"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/texts"
	"nightjar/crawler/weburl"
)

// saidFrom is the shortest wait reported to Options.OnWait: shorter ones are the usual pauses between two pages.
const saidFrom = 10 * time.Second

// Wait is what a crawl waits for when it can fetch nothing because its hosts must not be asked yet. The zero value means that
// it is not just waiting.
type Wait struct {
	Host  string    // that may be asked first
	Until time.Time // when
	Why   string    // in words, "" for its usual pause
	More  int       // other hosts that must not be asked yet, either
	Far   bool      // Until is so late that its time of day alone does not tell when
}

// farFrom is the shortest wait that is Far.
const farFrom = 12 * time.Hour

// String says in words what a crawl waits for, "" for the zero value.
func (w Wait) String() string {
	if w.Host == "" {
		return ""
	}
	text := "waits for " + w.Host + " until " + w.until()
	if w.More > 0 {
		text += " and for " + texts.Plural(w.More, "more host")
	}
	return text
}

// until is when the host may be asked, and why not sooner.
func (w Wait) until() string {
	form := "15:04"
	if w.Far {
		form = "15:04 on 2 January"
	}
	// Rounded up to a minute, so that nothing is announced too early.
	text := w.Until.Add(time.Minute - time.Nanosecond).Truncate(time.Minute).Format(form)
	if w.Why != "" {
		text += " (" + w.Why + ")"
	}
	return text
}

// NotBefore says in words that the host must not be asked yet, for a crawl that did not wait for it.
func (w Wait) NotBefore() string { return w.Host + " must not be asked before " + w.until() }

// Within is an Options.TooLate for a crawl without a window: it waits for at most a time.
func Within(most time.Duration, now func() time.Time) func(time.Time) string {
	return func(at time.Time) string {
		if at.Sub(now()) <= most {
			return ""
		}
		return "within " + span(most)
	}
}

// idle reports what a crawl waits for when it has nothing in flight, nothing to store, and no link that may be followed now. late says
// in words by when nothing is due, if the wait would be too long; see Options.TooLate.
func (c *Crawl) idle(n *next) (late string) {
	if !n.waits || c.flights.len() > 0 || c.recorder.busy() || !c.recorder.batch.empty() {
		return ""
	}
	w := c.hosts.waitsFor()
	if c.o.TooLate != nil {
		late = c.o.TooLate(w.Until)
	}
	if late == "" && w.Until.Sub(c.meter.looked) >= saidFrom {
		c.tellWait(w)
	}
	return late
}

// tellWait calls OnWait when what the crawl waits for has changed.
func (c *Crawl) tellWait(w Wait) {
	if w == c.waits {
		return
	}
	c.waits = w
	if c.o.OnWait != nil {
		c.o.OnWait(w)
	}
}

// tooLate is the stop reason of a crawl in which nothing is due in time. It names no host, because it is kept longer than data about
// hosts may be.
func tooLate(late string, w Wait) string {
	return fmt.Sprintf("nothing can be fetched %s: %s with links must not be asked before", late, texts.Plural(w.More+1, "host"))
}

// waitsFor returns what a crawl waits for when no host with links may be asked yet.
func (h *hosts) waitsFor() Wait {
	host, url, at, all := h.frontier.Waiting()
	if all == 0 {
		return Wait{}
	}
	w := Wait{Host: host, Until: at.Round(time.Second), More: all - 1, Far: at.Sub(h.meter.looked) >= farFrom}
	if one := h.held[host]; !one.until.Before(at) {
		w.Why = one.why
	} else if r, ok := h.fetcher.(interface{ Rests(url string) fetch.Rest }); ok {
		w.Why = restWords[r.Rests(url)]
	}
	return w
}

var restWords = map[fetch.Rest]string{
	fetch.RestAsked: "it asked for a pause", fetch.RestBusy: "it is too busy", fetch.RestFailed: "it did not answer, or failed",
}

// heldWords says why a host is left alone after a failed attempt.
func heldWords(r *fetch.Response) string {
	what, status := "it", r.Status
	if !pageAsked(r) && len(r.Exchanges) > 0 {
		last := r.Exchanges[len(r.Exchanges)-1]
		if status = last.Status; last.Purpose == fetch.ForRobots {
			what = "its robots.txt"
		}
	}
	if status == 0 {
		return what + " did not answer"
	}
	return fmt.Sprintf("%s answered %d", what, status)
}

// held says until when a host that failed is left alone, and why.
type held struct {
	until time.Time
	why   string
}

func (h *hosts) holdHost(host string, wait time.Duration, why string) {
	h.held[host] = held{h.meter.looked.Add(wait), why}
}

// holdShortly leaves the host of an entry alone for holdShort, unless the fetcher says until when.
func (h *hosts) holdShortly(e frontier.Entry) {
	if !h.fetcher.ReadyAt(e.URL).After(h.meter.looked) {
		h.holdHost(e.Host, holdShort, "")
	}
}

// hold leaves a host alone for a while after it failed.
func (h *hosts) hold(r *fetched) {
	host := weburl.Host(r.response.FinalURL)
	wait := holdUnread
	if pageAsked(&r.response) || r.response.Outcome == fetch.Later {
		wait = min(holdFirst<<min(h.failing[host].Strikes, 10), holdMost)
	}
	h.holdHost(host, wait, heldWords(&r.response))
}
