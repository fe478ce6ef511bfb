package pages

import (
	"context"
	"slices"
	"strconv"
	"time"

	"nightjar/daemon/chart"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/web/frame"
)

// What a crawl's page shows while a person watches it.
const (
	watchFinds = 100 // rows of finds, in the order in which they came
	drawnPages = 200
	pacePages  = 20 // last pages by which the time left is estimated, and how many must have been read
	paceLeast  = 10
	longestGap = time.Minute // between two pages: what is longer was a pause
)

// watchView is the part of a crawl's page that a person watches while it runs.
type watchView struct {
	Finds  []any // cards, for the template "find"
	More   int   // finds that are not among them
	Says   string
	Left   string // time left, in words; "" when that cannot be told
	Next   []nextLine
	Taught bool // the queue was put in order again after marks
	Trail  *chart.Picture
}

// nextLine is a link that a crawl follows soon.
type nextLine struct {
	Link  frame.Link
	Moved string // where it came from since the last mark, "" when it stayed
}

// watch fills in what a person watches; last are the last attempts, the newest first.
func (s *server) watch(ctx context.Context, p *crawlPage, last []progress.FetchLine) error {
	c, v := p.Crawl, &p.Watch
	finds, err := finds.List(ctx, s.Store.DB, finds.Filter{Crawl: c.ID, Limit: watchFinds})
	if err != nil {
		return err
	}
	if v.Finds, err = s.Finds.FindCards(ctx, finds, "state=all&topic="+frame.IdText(c.TopicID)); err != nil {
		return err
	}
	v.More = max(0, c.Finds-len(v.Finds))
	v.Says = saysOf(c)
	v.Trail = trailOf(last)
	if !c.Live() {
		return nil
	}
	if c.Status == crawls.Running && c.Paused == "" && c.Night == "" && c.Fetched >= paceLeast {
		v.Left = timeLeft(p.Options.Budget.Pages-c.Fetched, last, s.Now())
	}
	next, taught := s.Scheduler.Next(c.ID)
	v.Taught = taught
	for i, l := range next {
		line := nextLine{Link: frame.Link{URL: l.URL, Name: chart.Shorten(90, frame.TitleOr(frame.Printable(l.Anchor), l.URL))}}
		switch {
		case taught && l.Was == 0:
			line.Moved = "new here"
		case taught && l.Was != i+1:
			line.Moved = "was " + strconv.Itoa(l.Was)
		}
		v.Next = append(v.Next, line)
	}
	return nil
}

// saysOf is what is read out: not each find, but the first ones and then each tenth.
func saysOf(c crawls.View) string {
	switch n := c.Finds; {
	case !c.Live():
		return "The crawl has ended. " + frame.Sentence(c.StopReason)
	case c.Paused != "":
		return frame.Sentence(c.Paused)
	case n == 0:
		return ""
	case n < 4:
		return chart.Plural(n, "find", "finds") + " so far."
	case n < 10:
		return "More than 3 finds so far."
	default:
		return "More than " + chart.Number((n-1)/10*10) + " finds so far."
	}
}

// timeLeft estimates in words how long the crawl takes for a number of pages, at the pace of the last ones that it fetched; last is in
// order of time, the newest first. Pages that were read without fetching took no time and use up no budget.
func timeLeft(pages int, last []progress.FetchLine, now time.Time) string {
	took, until, fetched := time.Duration(0), now, 0
	for _, one := range last {
		if one.Free {
			continue
		}
		took += min(max(0, until.Sub(one.At)), longestGap)
		until = one.At
		if fetched++; fetched == pacePages {
			break
		}
	}
	if pages <= 0 || fetched == 0 {
		return ""
	}
	minutes := int((time.Duration(pages)*took/time.Duration(fetched) + time.Minute - 1) / time.Minute)
	switch {
	case minutes <= 1:
		return "less than a minute left"
	case minutes <= 10:
		return "about " + chart.Plural(minutes, "minute", "minutes") + " left"
	default:
		return "about " + chart.Plural((minutes+4)/5*5, "minute", "minutes") + " left"
	}
}

// trailOf draws how each of the last pages led to the next; nil before the first. Of the pages that were read without fetching, it draws
// those that led to another.
func trailOf(last []progress.FetchLine) *chart.Picture {
	var all []chart.Crawled
	relevant := 0
	led := map[int]bool{}
	for _, one := range last {
		led[one.Parent] = true
	}
	for _, one := range slices.Backward(last) {
		if one.Free && !led[one.N] {
			continue
		}
		at := chart.Crawled{N: one.N, Parent: one.Parent, Depth: one.Depth, Title: chart.Shorten(90, frame.TitleOr(one.Title, one.URL))}
		switch {
		case one.Relevant:
			at.Class = "good"
			relevant++
		case one.Outcome != "ok":
			at.Class = "failed"
		}
		all = append(all, at)
	}
	if len(all) == 0 {
		return nil
	}
	p := chart.DrawCrawled(all, "The last "+chart.Plural(len(all), "page", "pages")+" from left to right, those further from the start pages lower, "+chart.Number(relevant)+" of them relevant (green).")
	return &p
}
