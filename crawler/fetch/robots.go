package fetch

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/jimsmart/grobotstxt"

	"nightjar/crawler/page"
)

// maxRobots is how much of a robots.txt is read (RFC 9309, 2.5 asks for at least 500 KiB).
const maxRobots = 512 << 10

// maxPattern bounds a rule: longer ones match no address that is ever fetched, and cost time.
const maxPattern = 2 * page.MaxURL

// rules are what one robots.txt says to us.
type rules struct {
	allow, disallow []string      // patterns, escaped
	delay           time.Duration // Crawl-delay, 0 without one
	size            int           // bytes held
}

// parseRobots reads the groups for the product token, or those for "*" when there are none (RFC 9309, 2.2.1).
func parseRobots(body []byte, token string) *rules {
	if bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff")) {
		body = page.UTF8("", body)
	}
	p := robotsParser{token: token, ours: &rules{}, all: &rules{}}
	// Escapes are made capital first: the library means to, but spoils those with a digit (%c3).
	grobotstxt.Parse(upperEscapes(string(body)), &p)
	if p.seen {
		return p.ours
	}
	return p.all
}

// allows reports whether a path with query may be fetched: the longest pattern that matches decides, and of two equally
// long ones the one that allows (RFC 9309, 2.2.2).
func (r *rules) allows(path string) bool {
	return longest(r.disallow, path) <= longest(r.allow, path)
}

// longest is the length of the longest pattern that matches; empty patterns match nothing.
func longest(patterns []string, path string) int {
	best := 0
	for _, p := range patterns {
		if len(p) > best && grobotstxt.Matches(path, p) {
			best = len(p)
		}
	}
	return best
}

// robotsParser sorts the lines of a robots.txt by whom they are for. Groups of the same name are one.
type robotsParser struct {
	token     string
	ours, all *rules
	seen      bool // there is a group for our token

	inOurs, inAll bool // the current group is for them
	closed        bool // a rule was seen: the next user-agent line begins a new group
}

func (p *robotsParser) HandleRobotsStart()        {}
func (p *robotsParser) HandleRobotsEnd()          {}
func (p *robotsParser) HandleSitemap(int, string) {}

func (p *robotsParser) HandleUserAgent(_ int, value string) {
	if p.closed {
		p.inOurs, p.inAll, p.closed = false, false, false
	}
	if value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t") {
		p.inAll = true
		return
	}
	end := strings.IndexFunc(value, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r == '_')
	})
	if end < 0 {
		end = len(value)
	}
	if p.token != "" && strings.EqualFold(value[:end], p.token) {
		p.inOurs, p.seen = true, true
	}
}

func (p *robotsParser) HandleAllow(_ int, value string) {
	p.each(value, func(r *rules) { r.allow = append(r.allow, value) })
}

func (p *robotsParser) HandleDisallow(_ int, value string) {
	p.each(value, func(r *rules) { r.disallow = append(r.disallow, value) })
}

// each adds a rule to the sets that the current group is for.
func (p *robotsParser) each(value string, add func(*rules)) {
	p.closed = p.inOurs || p.inAll
	if value == "" || len(value) > maxPattern {
		return
	}
	if p.inOurs {
		add(p.ours)
		p.ours.size += len(value) + 16
	}
	if p.inAll {
		add(p.all)
		p.all.size += len(value) + 16
	}
}

// HandleUnknownAction reads Crawl-delay, which is no part of RFC 9309 and does not end a list of user agents.
func (p *robotsParser) HandleUnknownAction(_ int, action, value string) {
	if !strings.EqualFold(action, "crawl-delay") {
		return
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(seconds > 0) {
		return
	}
	delay := maxSilence
	if seconds < maxSilence.Seconds() {
		delay = time.Duration(seconds * float64(time.Second))
	}
	if p.inOurs {
		p.ours.delay = max(p.ours.delay, delay)
	}
	if p.inAll {
		p.all.delay = max(p.all.delay, delay)
	}
}
