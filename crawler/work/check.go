package work

import (
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
)

// outcomes are those that a worker may report; fetch.Missing is of replays only.
var outcomes = []fetch.Outcome{
	fetch.OK, fetch.Robots, fetch.Refused, fetch.Status, fetch.Type, fetch.TooLarge, fetch.Timeout, fetch.Redirects, fetch.Network,
	fetch.Canceled, fetch.Later,
}

var purposes = []fetch.Purpose{fetch.ForPage, fetch.ForRedirect, fetch.ForRobots, fetch.ForProbe}

var rests = []fetch.Rest{fetch.RestNone, fetch.RestAsked, fetch.RestBusy, fetch.RestFailed}

// checker compares a result with its task. It stops at the first thing that cannot be.
type checker struct {
	host string // of the task
	err  error
}

func (c *checker) must(ok bool, format string, args ...any) {
	if !ok && c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// url checks that a URL is canonical, without a route.
func (c *checker) url(u string) {
	if c.err == nil {
		to, err := weburl.Canonical(u)
		c.must(err == nil && to == u && weburl.Document(u) == u, "%.200q is no canonical address", u)
	}
}

// own checks that a URL is canonical and on the task's host.
func (c *checker) own(u string) {
	c.url(u)
	c.must(weburl.Host(u) == c.host, "%.200q is not on the host of the task", u)
}

// strange checks that a URL is canonical and on another host.
func (c *checker) strange(u string) {
	c.url(u)
	c.must(weburl.Host(u) != c.host, "%.200q is on the host of the task", u)
}

// Check compares a result of Decode with its task, of which it may be an earlier attempt. The error says what an honest worker
// would not send. What a page says cannot be checked.
func (r *Result) Check(t *Task) error {
	c := &checker{host: weburl.Host(t.URL)}
	c.must(r.Task == t.ID && r.URL == t.URL, "it is the result of another task")
	c.must(r.Attempt >= 1 && r.Attempt <= t.Attempt, "attempt %d of a task that was tried %d times", r.Attempt, t.Attempt)
	c.must(!r.Began.IsZero() && !r.Ended.Before(r.Began) && r.Ended.Sub(r.Began) <= maxLong, "it ended before it began, or long after")
	c.response(r, t)
	c.exchanges(r)
	c.page(r)
	c.facts(&r.Host)
	if c.err != nil {
		return fmt.Errorf("the result for %.200s: %w", t.URL, c.err)
	}
	return nil
}

// response checks the way to the page and its outcome.
func (c *checker) response(r *Result, t *Task) {
	res := &r.Response
	c.must(res.URL == t.URL || res.URL == weburl.Document(t.URL), "the answer is for %.200q", res.URL)
	c.own(res.FinalURL)
	c.must(len(res.Redirects) < fetch.MaxRedirects, "%d redirects", len(res.Redirects))
	for i, u := range res.Redirects {
		c.own(u)
		c.must(u != res.FinalURL && !slices.Contains(res.Redirects[:i], u), "its redirects form a loop")
	}
	ok := res.Outcome == fetch.OK
	c.must(slices.Contains(outcomes, res.Outcome), "unknown outcome %.40q", res.Outcome)
	c.must(!ok || res.Status == http.StatusOK || res.NotModified, "a page with the status %d", res.Status)
	c.must(!res.NotModified || ok && res.Status == http.StatusNotModified && t.ETag+t.LastModified != "" && len(res.Body) == 0,
		"a page that is not modified, and was not asked for so")
	c.must(ok || res.Outcome == fetch.Type || len(res.Body) == 0, "a page with the outcome %q", res.Outcome)
	c.must(utf8.Valid(res.Body) && utf8.Valid(res.NotFound) && utf8.Valid(r.Host.Missing), "a page that is not UTF-8")
	c.must(fetch.AreValidators(res.ETag, res.LastModified), "malformed validators")
	c.must(ok || res.NotFound == nil, "more than a page, without a page")
	if res.Moved != "" {
		c.must(res.Outcome == fetch.Redirects, "a redirect with the outcome %q", res.Outcome)
		c.strange(res.Moved)
	}
	if res.RobotsAt != "" {
		c.must(res.Outcome == fetch.Later, "a robots.txt elsewhere with the outcome %q", res.Outcome)
		c.strange(res.RobotsAt)
	}
}

// exchanges checks what was requested: nothing outside of the task's host, between the beginning and the end of the task.
func (c *checker) exchanges(r *Result) {
	asked := false
	for i := range r.Response.Exchanges {
		x := &r.Response.Exchanges[i]
		c.own(x.URL)
		c.must(slices.Contains(purposes, x.Purpose), "a request for %.40q", x.Purpose)
		c.must(!x.At.Before(r.Began.Add(-time.Minute)) && !x.At.After(r.Ended.Add(time.Minute)), "a request outside of the task's time")
		c.must(x.Cut == "" || slices.Contains(outcomes, x.Cut), "an answer cut by %.40q", x.Cut)
		if x.Addr != "" {
			_, err := netip.ParseAddr(x.Addr)
			c.must(err == nil, "the address %.40q", x.Addr)
		}
		c.must(x.Proto == "" || protocol.MatchString(x.Proto), "the protocol %.40q", x.Proto)
		c.header(x.Header)
		c.header(x.RequestHeader)
		asked = asked || (x.Purpose == fetch.ForPage || x.Purpose == fetch.ForRedirect) && x.URL == r.Response.FinalURL
	}
	c.must(r.Response.Outcome != fetch.OK || asked, "a page that was not requested")
}

var protocol = regexp.MustCompile(`^HTTP/\d(\.\d)?$`)

// header checks that a header can be written to an archive: no name or value ends its line.
func (c *checker) header(h http.Header) {
	for name, values := range h {
		c.must(name != "" && !strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r == ':' || r >= 0x7f }), "a header named %.40q", name)
		for _, v := range values {
			c.must(!strings.ContainsAny(v, "\r\n\x00"), "a header %s with a line break", name)
		}
	}
}

// page checks the parsed page.
func (c *checker) page(r *Result) {
	p, res := r.Page, &r.Response
	k := r.Sketch
	c.must(k == nil || p != nil && len(k.Shingles) <= k.Words && len(k.Numbers) <= k.Words, "a sketch without its page")
	if p == nil {
		return
	}
	c.must(res.Outcome == fetch.OK && !res.NotModified, "a page with the outcome %q", res.Outcome)
	c.must(p.URL == res.FinalURL, "the page of %.200q", p.URL)
	if p.Canonical != "" {
		c.url(p.Canonical)
	}
	for i := range p.Links {
		c.url(p.Links[i].URL)
	}
	for _, f := range p.Frames {
		c.url(f.URL)
		c.must(f.Kind == "frame" || f.Kind == "iframe", "a frame of the kind %.40q", f.Kind)
	}
	c.must(r.Parser == page.Version, "a page of another parser")
}

// facts checks what was learned of the host.
func (c *checker) facts(h *HostFacts) {
	for _, f := range h.Robots {
		c.must(weburl.Host(f.Origin) == c.host, "the robots.txt of %.200q", f.Origin)
		c.url(f.Origin + "/")
		c.must(f.Outcome == "" || slices.Contains(outcomes, f.Outcome), "a robots.txt with the outcome %.40q", f.Outcome)
	}
	c.must(slices.Contains(rests, h.Why), "the host rests because of %.40q", h.Why)
	c.must(h.Probed || h.Missing == nil, "a page for missing addresses, without a request")
	h.Rest = min(h.Rest, maxLong)
}
