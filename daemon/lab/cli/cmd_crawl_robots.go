package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/command"
)

// mostClosed is how many hosts are named whose robots.txt forbade pages.
const mostClosed = 5

// closedHosts are the pages that robots.txt forbade, by host.
type closedHosts map[string]*closedHost

type closedHost struct {
	pages int
	why   string // of the first page
}

// add counts a fetch if robots.txt forbade it.
func (c closedHosts) add(f *crawler.Fetch) {
	if f.Response.Outcome != fetch.Robots {
		return
	}
	host := weburl.Host(f.FinalURL)
	if c[host] == nil {
		c[host] = &closedHost{why: f.Response.Reason}
	}
	c[host].pages++
}

// print names the hosts that forbade most, each with the reason for one page, and says what can be done.
func (c closedHosts) print(w io.Writer) {
	hosts := slices.SortedFunc(maps.Keys(c), func(a, b string) int {
		return cmp.Or(cmp.Compare(c[b].pages, c[a].pages), cmp.Compare(a, b))
	})
	for _, host := range hosts[:min(mostClosed, len(hosts))] {
		fmt.Fprintf(w, "lab: %s: %s: %s\n", host, command.Plural(c[host].pages, "page"), c[host].why)
	}
	if more := len(hosts) - mostClosed; more > 0 {
		fmt.Fprintf(w, "lab: and %s more\n", command.Plural(more, "host"))
	}
	if len(hosts) > 0 {
		fmt.Fprintln(w, "lab: hint: Nightjar follows robots.txt; start from pages that it allows, or ask the site's owner to allow Nightjar")
	}
}
