package robots

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
	// MaxDelay is the longest Crawl-delay that counts.
	MaxDelay = 24 * time.Hour
	// MaxBytes is the number of bytes of a robots.txt that are read (RFC 9309, 2.5 asks for at least 500 KiB).
	MaxBytes = 512 << 10
	// maxPattern bounds a rule in bytes: at least half of a longer one must match literally, which is longer than any URL.
	maxPattern = 2 * weburl.MaxLength
	// maxSitemapLines is how many Sitemap lines of a robots.txt are kept.
	maxSitemapLines = 20
)

// Rules are the rules of one robots.txt for one robot. The zero value allows everything. They do not change once parsed.
type Rules struct {
	list     []Rule        // longest first; of equally long ones, those that allow first
	plain    []Rule        // list with needless escapes decoded; nil if there are none
	Delay    time.Duration // Crawl-delay, at most MaxDelay, 0 if absent
	Sitemaps []string      // as written, at most 20; they apply to every robot
	Size     int           // bytes of memory
}

// Rule is one line: an escaped pattern without repeated stars.
type Rule struct {
	pattern string
	length  int // in octets, as it was written
	allow   bool
	line    int     // its number
	joined  *joined // nil for a rule of a plain group
}

// Allows reports whether the path and query of a canonical URL may be fetched.
func (r *Rules) Allows(path string) bool { return r.Forbids(path) == nil }

// Forbids returns the rule that forbids the path and query of a canonical URL, nil if it may be fetched: the longest matching
// pattern decides, and of two equally long ones the one that allows (RFC 9309, 2.2.2).
//
// The RFC compares escaped letters as letters, Google's parser does not. We fetch what is allowed both ways.
func (r *Rules) Forbids(path string) *Rule {
	path = upperEscapes(path)
	if by := forbiddenBy(r.list, path); by != nil {
		return by
	}
	plain := plainPath(path)
	if r.plain != nil {
		return forbiddenBy(r.plain, plain)
	}
	if plain == path {
		return nil
	}
	return forbiddenBy(r.list, plain)
}

// forbiddenBy returns the first rule that matches if it forbids, else nil.
func forbiddenBy(list []Rule, path string) *Rule {
	for i := range list {
		if r := &list[i]; matches(path, r.pattern) {
			if r.allow {
				return nil
			}
			return r
		}
	}
	return nil
}

// matches reports whether a pattern matches the start of a path: "*" stands for any characters, "$" at the end of the
// pattern for the end of the path. Each piece between stars is matched at the leftmost position, which leaves the most to
// the others. There is no backtracking: the time is linear in the length of both.
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

// Parse reads a robots.txt: the groups for the product token, or those for "*" if there are none (RFC 9309, 2.2.1).
func Parse(body []byte, token string) *Rules {
	if bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff")) {
		body = charset.UTF8("", body)
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	p := parser{token: token, ours: &Rules{}, all: &Rules{}}
	for text := string(body); text != ""; {
		p.number++
		line := text
		end := strings.IndexAny(text, "\r\n")
		if end < 0 {
			text = ""
		} else {
			line, text = text[:end], strings.TrimPrefix(strings.TrimPrefix(text[end:], "\r"), "\n")
		}
		if key, value, ok := splitLine(line); ok {
			p.line(key, value)
		}
	}
	r := p.all
	if p.seen {
		r = p.ours
	}
	r.finish(p.sitemaps)
	return r
}

// finish sorts the rules.
func (r *Rules) finish(sitemaps []string) {
	order := func(a, b Rule) int {
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
				r.Size *= 2
			}
			r.plain[i].pattern = plain
		}
	}
	r.Sitemaps = sitemaps
	for _, s := range sitemaps {
		r.Size += len(s)
	}
}

// splitLine splits a line into key and value. It removes comments, and accepts a line of two words without a colon.
func splitLine(line string) (key, value string, ok bool) {
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

// parser collects the rules for our token and for "*". Groups of the same name are merged.
type parser struct {
	token     string
	ours, all *Rules
	sitemaps  []string
	seen      bool // a group for our token was seen
	number    int  // of the line

	inOurs, inAll bool   // the current group is for us, for "*"
	closed        bool   // a rule was seen: the next user-agent line begins a new group
	names         joined // of the current group
}

// Prefixes of keys, with the misspellings that Google's parser accepts.
var (
	agentKeys    = []string{"user-agent", "useragent", "user agent"}
	disallowKeys = []string{"disallow", "dissallow", "dissalow", "disalow", "diaslow", "diasllow", "disallaw"}
	allowKeys    = []string{"allow"}
	sitemapKeys  = []string{"sitemap", "site-map"}
)

// line reads one line. An unknown key does not end a list of user agents (RFC 9309, 2.2.4).
func (p *parser) line(key, value string) {
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

// agent begins a group, or adds a name to a group without rules. It ignores what follows the name, such as a version.
func (p *parser) agent(value string) {
	if p.closed {
		p.inOurs, p.inAll, p.closed, p.names = false, false, false, joined{}
	}
	us := value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t")
	if us {
		p.inAll = true
	} else if p.token != "" && strings.EqualFold(productToken(value), p.token) {
		us, p.inOurs, p.seen = true, true, true
	}
	p.names.add(agentLine{value, p.number}, us)
}

// productToken is the name at the beginning of a user-agent line.
func productToken(value string) string {
	end := strings.IndexFunc(value, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' || r == '_')
	})
	if end < 0 {
		return value
	}
	return value[:end]
}

// rule adds a rule to the sets of the current group. An empty rule matches nothing.
func (p *parser) rule(value string, allow bool) {
	p.closed = p.inOurs || p.inAll
	pattern := escapePath(value)
	r := Rule{pattern: pattern, length: len(pattern), allow: allow, line: p.number, joined: p.names.apart()}
	for strings.Contains(r.pattern, "**") {
		r.pattern = strings.ReplaceAll(r.pattern, "**", "*")
	}
	if value == "" || len(r.pattern) > maxPattern {
		return
	}
	p.each(func(set *Rules) {
		set.list = append(set.list, r)
		set.Size += len(r.pattern) + 32
	})
}

// each calls f with the sets of the current group.
func (p *parser) each(f func(*Rules)) {
	if p.inOurs {
		f(p.ours)
	}
	if p.inAll {
		f(p.all)
	}
}

// delay reads Crawl-delay, which is not in RFC 9309: seconds, possibly with a fraction, at most MaxDelay.
func (p *parser) delay(value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil && !isRange(err) || !(seconds > 0) {
		return
	}
	delay := MaxDelay
	if seconds < MaxDelay.Seconds() {
		delay = time.Duration(seconds * float64(time.Second))
	}
	p.each(func(set *Rules) { set.Delay = max(set.Delay, delay) })
}
