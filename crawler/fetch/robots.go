package fetch

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"nightjar/crawler/charset"
	"nightjar/crawler/weburl"
)

const (
	// maxRobots is how much of a robots.txt is read (RFC 9309, 2.5 asks for at least 500 KiB).
	maxRobots = 512 << 10
	// maxPattern bounds a rule: half of a longer one and more are characters to match, which no address has.
	maxPattern = 2 * weburl.MaxLength
	// maxSitemapLines is how many of the sitemaps that a robots.txt names are kept.
	maxSitemapLines = 20
)

// rules are what one robots.txt says to us.
type rules struct {
	list     []robotsRule  // longest first, and of equally long ones those that allow
	plain    []robotsRule  // the same with escapes undone that need not be; nil when there are none
	delay    time.Duration // Crawl-delay, 0 without one
	sitemaps []string      // as written; they are for everybody
	size     int           // bytes held
}

// robotsRule is one line: a pattern, escaped, without stars in a row.
type robotsRule struct {
	pattern string
	length  int // in octets, as it was written
	allow   bool
}

// allows reports whether a path with query, of a canonical URL, may be fetched: the longest pattern that matches decides, and of two equally
// long ones the one that allows (RFC 9309, 2.2.2).
//
// The RFC has escaped letters compared as letters, Google's parser does not. What either way forbids is not fetched.
func (r *rules) allows(path string) bool {
	path = upperEscapes(path)
	if !verdictOf(r.list, path) {
		return false
	}
	plain := plainPath(path)
	if r.plain == nil {
		return plain == path || verdictOf(r.list, plain)
	}
	return verdictOf(r.plain, plain)
}

// verdictOf is what the first rule says that matches.
func verdictOf(list []robotsRule, path string) bool {
	for _, r := range list {
		if matches(path, r.pattern) {
			return r.allow
		}
	}
	return true
}

// matches reports whether a path begins as a pattern says: "*" stands for any characters, "$" at its end for the end of
// the path. The leftmost place for each piece between stars leaves most to the others, so nothing is tried twice: the
// time is linear in the length of both.
func matches(path, pattern string) bool {
	pattern, toEnd := strings.CutSuffix(pattern, "$")
	piece, pattern, star := strings.Cut(pattern, "*")
	path, ok := strings.CutPrefix(path, piece)
	for ok && star {
		if piece, pattern, star = strings.Cut(pattern, "*"); !star && toEnd {
			return strings.HasSuffix(path, piece)
		}
		_, path, ok = strings.Cut(path, piece)
	}
	return ok && (!toEnd || path == "")
}

// parseRobots reads the groups for the product token, or those for "*" when there are none (RFC 9309, 2.2.1).
func parseRobots(body []byte, token string) *rules {
	if bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff")) {
		body = charset.UTF8("", body)
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	p := robotsParser{token: token, ours: &rules{}, all: &rules{}}
	lines := strings.FieldsFuncSeq(string(body), func(r rune) bool { return r == '\n' || r == '\r' })
	for line := range lines {
		if key, value, ok := robotsLine(line); ok {
			p.take(key, value)
		}
	}
	r := p.all
	if p.seen {
		r = p.ours
	}
	r.finish(p.sitemaps)
	return r
}

// finish puts the rules in order.
func (r *rules) finish(sitemaps []string) {
	order := func(a, b robotsRule) int {
		if d := cmp.Compare(b.length, a.length); d != 0 || a.allow == b.allow {
			return d
		}
		return map[bool]int{true: -1, false: 1}[a.allow]
	}
	slices.SortStableFunc(r.list, order)
	for i, one := range r.list {
		if plain := plainPath(one.pattern); plain != one.pattern {
			if r.plain == nil {
				r.plain = slices.Clone(r.list)
				r.size *= 2
			}
			r.plain[i].pattern = plain
		}
	}
	r.sitemaps = sitemaps
	for _, s := range sitemaps {
		r.size += len(s)
	}
}

// robotsLine splits a line into key and value. Comments go; a colon that was forgotten is forgiven.
func robotsLine(line string) (key, value string, ok bool) {
	line, _, _ = strings.Cut(line, "#")
	line = strings.Trim(line, " \t\v\f")
	key, value, ok = strings.Cut(line, ":")
	if !ok {
		if words := strings.Fields(line); len(words) == 2 {
			key, value, ok = words[0], words[1], true
		}
	}
	return strings.ToLower(strings.Trim(key, " \t\v\f")), strings.Trim(value, " \t\v\f"), ok && key != ""
}

// robotsParser sorts the lines of a robots.txt by whom they are for. Groups of the same name are one.
type robotsParser struct {
	token     string
	ours, all *rules
	sitemaps  []string
	seen      bool // there is a group for our token

	inOurs, inAll bool // the current group is for them
	closed        bool // a rule was seen: the next user-agent line begins a new group
}

// Keys that begin so are known, as are the misspellings that Google's parser knows.
var (
	agentKeys    = []string{"user-agent", "useragent", "user agent"}
	disallowKeys = []string{"disallow", "dissallow", "dissalow", "disalow", "diaslow", "diasllow", "disallaw"}
	allowKeys    = []string{"allow"}
	sitemapKeys  = []string{"sitemap", "site-map"}
)

// take reads one line. What is not known does not end a list of user agents (RFC 9309, 2.2.4).
func (p *robotsParser) take(key, value string) {
	begins := func(keys []string) bool {
		return slices.ContainsFunc(keys, func(k string) bool { return strings.HasPrefix(key, k) })
	}
	switch {
	case begins(agentKeys):
		p.agent(value)
	case begins(allowKeys):
		p.rule(value, true)
	case begins(disallowKeys):
		p.rule(value, false)
	case key == "crawl-delay":
		p.delay(value)
	case begins(sitemapKeys):
		if len(p.sitemaps) < maxSitemapLines && len(value) <= weburl.MaxLength && !slices.Contains(p.sitemaps, value) {
			p.sitemaps = append(p.sitemaps, value)
		}
	}
}

// agent begins a group, or adds a name to the one that has no rules yet. What follows a name, like a version, is left out.
func (p *robotsParser) agent(value string) {
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

// rule adds a rule to the sets that the current group is for. An empty one matches nothing.
func (p *robotsParser) rule(value string, allow bool) {
	p.closed = p.inOurs || p.inAll
	pattern := escapePath(value)
	r := robotsRule{pattern, len(pattern), allow}
	for strings.Contains(r.pattern, "**") {
		r.pattern = strings.ReplaceAll(r.pattern, "**", "*")
	}
	if value == "" || len(r.pattern) > maxPattern {
		return
	}
	p.each(func(set *rules) {
		set.list = append(set.list, r)
		set.size += len(r.pattern) + 32
	})
}

// each calls f with the sets that the current group is for.
func (p *robotsParser) each(f func(*rules)) {
	if p.inOurs {
		f(p.ours)
	}
	if p.inAll {
		f(p.all)
	}
}

// delay reads Crawl-delay, which is no part of RFC 9309: seconds, with a fraction or not, at most maxSilence.
func (p *robotsParser) delay(value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil && !isRange(err) || !(seconds > 0) {
		return
	}
	delay := maxSilence
	if seconds < maxSilence.Seconds() {
		delay = time.Duration(seconds * float64(time.Second))
	}
	p.each(func(set *rules) { set.delay = max(set.delay, delay) })
}
