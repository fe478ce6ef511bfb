package robots

import (
	"fmt"

	"nightjar/crawler/weburl"
)

// A user-agent line joins the group before it if that has no rule yet (RFC 9309, 2.2.1). Many owners of sites believe that an
// empty line, a Crawl-delay or a Sitemap ends a group. What they wrote for another robot then closes their site for all.

// joined are the two user-agent lines around such a place: the one that names us, and the last one of the group.
type joined struct {
	ours, last agentLine
	gap        bool // something stands between them
}

// agentLine is a user-agent line.
type agentLine struct {
	name   string
	number int
}

// maxAgent is the number of characters of a name that are kept.
const maxAgent = 40

// add adds the next line of the group. us says that it names us.
func (j *joined) add(line agentLine, us bool) {
	if cut := []rune(line.name); len(cut) > maxAgent {
		line.name = string(cut[:maxAgent]) + "…"
	}
	switch {
	case us:
		j.ours, j.gap = line, false
	case j.ours.number > 0 && line.number > j.last.number+1:
		j.gap = true
	}
	j.last = line
}

// apart returns what was joined, nil for a group whose user-agent lines follow each other.
func (j joined) apart() *joined {
	if !j.gap {
		return nil
	}
	return &j
}

// Why says that the rule forbids the page at a URL. If its group was probably not meant for us, it says why the rule counts.
func (by *Rule) Why(url string) string {
	why := "the robots.txt of " + weburl.Host(url) + " forbids the page"
	if j := by.joined; j != nil {
		why += fmt.Sprintf(` in line %d. That line follows "User-agent: %s" in line %d, but it also counts for "User-agent: %s" in line %d: `+
			`no Allow or Disallow stands between them, so RFC 9309 (2.2.1) reads both as one group. The site's owner may not have meant that`,
			by.line, j.last.name, j.last.number, j.ours.name, j.ours.number)
	}
	return why
}
