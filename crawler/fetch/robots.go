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
	// maxRobots is the number of bytes of a robots.txt that are read (RFC 9309, 2.5 asks for at least 500 KiB).
	maxRobots = 512 << 10
	// maxPattern bounds a rule in bytes: at least half of a longer one must match literally, which is longer than any URL.
	maxPattern = 2 * weburl.MaxLength
	// maxSitemapLines is how many Sitemap lines of a robots.txt are kept.
	maxSitemapLines = 20
)

// rules are the rules of one robots.txt for us.
type rules struct {
	list     []robotsRule  // longest first; of equally long ones, those that allow first
	plain    []robotsRule  // list with needless escapes decoded; nil if there are none
	delay    time.Duration // Crawl-delay, 0 if absent
	sitemaps []string      // as written; they apply to every robot
	size     int           // bytes of memory
}

// robotsRule is one line: an escaped pattern without repeated stars.
type robotsRule struct {
	pattern string
	length  int // in octets, as it was written
	allow   bool
	line    int     // its number
	joined  *joined // nil for a rule of a plain group
}

// allows reports whether the path and query of a canonical URL may be fetched.
func (r *rules) allows(path string) bool { return r.forbids(path) == nil }

// forbids returns the rule that forbids the path and query of a canonical URL, nil if it may be fetched: the longest matching
// pattern decides, and of two equally long ones the one that allows (RFC 9309, 2.2.2).
//
// The RFC compares escaped letters as letters, Google's parser does not. We fetch what is allowed both ways.
func (r *rules) forbids(path string) *robotsRule {
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
func forbiddenBy(list []robotsRule, path string) *robotsRule {
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

// parseRobots parses the groups for the product token, or those for "*" if there are none (RFC 9309, 2.2.1).
func parseRobots(body []byte, token string) *rules {
	if bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff")) {
		body = charset.UTF8("", body)
	}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	p := robotsParser{token: token, ours: &rules{}, all: &rules{}}
	for text := string(body); text != ""; {
		p.number++
		line := text
		end := strings.IndexAny(text, "\r\n")
		if end < 0 {
			text = ""
		} else {
			line, text = text[:end], strings.TrimPrefix(strings.TrimPrefix(text[end:], "\r"), "\n")
		}
		if key, value, ok := robotsLine(line); ok {
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

// robotsLine splits a line into key and value. It removes comments, and accepts a line of two words without a colon.
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

// robotsParser collects the rules for our token and for "*". Groups of the same name are merged.
type robotsParser struct {
	token     string
	ours, all *rules
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
func (p *robotsParser) line(key, value string) {
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
func (p *robotsParser) agent(value string) {
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
func (p *robotsParser) rule(value string, allow bool) {
	p.closed = p.inOurs || p.inAll
	pattern := escapePath(value)
	r := robotsRule{pattern: pattern, length: len(pattern), allow: allow, line: p.number, joined: p.names.apart()}
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

// each calls f with the sets of the current group.
func (p *robotsParser) each(f func(*rules)) {
	if p.inOurs {
		f(p.ours)
	}
	if p.inAll {
		f(p.all)
	}
}

// delay reads Crawl-delay, which is not in RFC 9309: seconds, possibly with a fraction, at most maxSilence.
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
