package month

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/corpus"
)

// Shares of what changes on a web.
const (
	appearing = 1. / 3 // of the pages, start pages excepted
	going     = .03    // for good
	copying   = .03    // under a second address, which the same lists link to
	moving    = .01    // to another address, to which the old one redirects
	rewriting = .03    // of the useful pages: half of the text becomes that of another one
	restless  = .1     // of the lists: a date, a counter and the order of two links change every day

	listLinks = 10 // from how many links on a page is a list
)

// changing is a recorded web that changes from night to night. Nights count from 1. No page has two of the changes, except that
// lists may be restless as well.
type changing struct {
	replay    *fetch.Replay
	addresses map[string]string   // every address of a page, its own included -> its final URL
	holders   map[string][]string // page -> pages that link to it
	appears   map[string]int      // page -> first night
	goes      map[string]int      // page -> first night without it
	copies    map[string]clone    // page -> its second address
	originals map[string]string   // second address -> page
	rewritten map[string]rewrite
	restless  map[string]bool
	turns     map[string][]int // page -> nights on which it changes, restlessness excepted

	mu     sync.Mutex
	edited map[edition][]byte
}

// clone is the second address of a page.
type clone struct {
	url   string
	night int  // first one with it
	moves bool // the first address redirects to it
}

// rewrite replaces half of a page's text by that of another page.
type rewrite struct {
	night int
	from  string
}

// edition is a page as it is from its turn-th change on; night is 0 unless the page is restless.
type edition struct {
	page        string
	turn, night int
}

// unchanging is a web on which nothing changes. Its pages are those of the graph.
func unchanging(replay *fetch.Replay, graph *corpus.Web) *changing {
	c := &changing{
		replay: replay, addresses: graph.Addresses(func(string) bool { return true }), holders: map[string][]string{},
		appears: map[string]int{}, goes: map[string]int{}, copies: map[string]clone{}, originals: map[string]string{},
		rewritten: map[string]rewrite{}, restless: map[string]bool{}, turns: map[string][]int{}, edited: map[edition][]byte{},
	}
	pages := graph.Pages()
	links, _ := graph.Links()
	for i, all := range links {
		for _, to := range all {
			c.holders[pages[to]] = append(c.holders[pages[to]], pages[i])
		}
	}
	return c
}

// draw draws what changes in so many nights, at least 3: nothing does in the first and in the last one.
func (c *changing) draw(graph *corpus.Web, useful map[string]bool, nights int, rng *rand.Rand) {
	pages := graph.Pages()
	links, starts := graph.Links()
	var free, wanted, lists []string
	for i, url := range pages {
		if !slices.Contains(starts, i) {
			free = append(free, url)
		}
		if len(links[i]) >= listLinks {
			lists = append(lists, url)
		}
	}
	shuffle := func(s []string) { rng.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] }) }
	night := func() int { return 2 + rng.IntN(max(1, nights-2)) }
	all := len(free)
	shuffle(free)
	for _, url := range some(&free, all, appearing) {
		c.appears[url] = night()
	}
	for _, url := range some(&free, all, going) {
		c.goes[url] = night()
	}
	for _, url := range some(&free, all, copying) {
		c.clone(url, clone{night: night()})
	}
	for _, url := range some(&free, all, moving) {
		c.clone(url, clone{night: night(), moves: true})
	}
	for _, url := range free {
		if useful[url] {
			wanted = append(wanted, url)
		}
	}
	n := 0
	for _, url := range pages {
		if useful[url] {
			n++
		}
	}
	for _, url := range some(&wanted, n, rewriting) {
		if len(wanted) > 0 {
			c.rewritten[url] = rewrite{night(), wanted[rng.IntN(len(wanted))]}
		}
	}
	shuffle(lists)
	for _, url := range some(&lists, len(lists), restless) {
		c.restless[url] = true
	}
	c.noteTurns()
}

// some takes a share of n off the front of a list, at least one if there is one.
func some(list *[]string, n int, share float64) []string {
	taken := min(len(*list), max(1, int(math.Round(share*float64(n)))))
	all := (*list)[:taken]
	*list = (*list)[taken:]
	return all
}

// clone gives a page a second address in the same folder, which nothing else has.
func (c *changing) clone(page string, to clone) {
	folder := strings.LastIndexByte(strings.SplitN(page, "?", 2)[0], '/') + 1
	for i := 2; to.url == ""; i++ {
		url, err := weburl.Canonical(page[:folder] + "version" + strconv.Itoa(i) + "-" + page[folder:])
		if err == nil && c.addresses[url] == "" && c.originals[url] == "" {
			to.url = url
		}
	}
	c.copies[page], c.originals[to.url] = to, page
}

// noteTurns notes when pages change: when one that they link to appears, is copied or moves, and when they are rewritten.
func (c *changing) noteTurns() {
	add := func(page string, night int) {
		if !slices.Contains(c.turns[page], night) {
			c.turns[page] = append(c.turns[page], night)
		}
	}
	for page, holders := range c.holders {
		for _, holder := range holders {
			if night, ok := c.appears[page]; ok {
				add(holder, night)
			}
			if to, ok := c.copies[page]; ok {
				add(holder, to.night)
			}
		}
	}
	for page, r := range c.rewritten {
		add(page, r.night)
	}
	for _, nights := range c.turns {
		slices.Sort(nights)
	}
}

// original is the page at a second address, and any other URL as it is.
func (c *changing) original(url string) string {
	if page, ok := c.originals[url]; ok {
		return page
	}
	return url
}

// turn is how often a page has changed by a night. Restlessness is no change.
func (c *changing) turn(url string, night int) (n int) {
	for _, at := range c.turns[c.original(url)] {
		if at <= night {
			n++
		}
	}
	return n
}

// isThere reports whether a page is there in a night.
func (c *changing) isThere(page string, night int) bool {
	gone, goes := c.goes[page]
	return c.appears[page] <= night && (!goes || night < gone)
}

// Fetch answers as the web would in a night.
func (c *changing) Fetch(ctx context.Context, url string, night int) fetch.Response {
	asked := weburl.Document(url)
	page, second := c.originals[asked]
	if second && night < c.copies[page].night {
		return missing(fetch.Response{URL: asked, FinalURL: asked})
	}
	if !second {
		page = asked
	}
	r := c.replay.Fetch(ctx, page)
	if r.Outcome != fetch.OK {
		return r
	}
	page = r.FinalURL
	if !c.isThere(page, night) {
		return missing(r)
	}
	if len(c.turns[page]) > 0 || c.restless[page] {
		r.Packed, r.ETag, r.LastModified = nil, "", ""
		r.Body = c.edition(ctx, r, night)
	}
	switch to := c.copies[page]; {
	case second:
		r.URL, r.FinalURL, r.Redirects = asked, asked, nil
	case to.moves && night >= to.night:
		if page != asked {
			r.Redirects = append(r.Redirects, page)
		}
		r.FinalURL = to.url
	}
	return r
}

// missing is the answer for a page that is not there.
func missing(r fetch.Response) fetch.Response {
	return fetch.Response{URL: r.URL, FinalURL: r.FinalURL, Redirects: r.Redirects, Outcome: fetch.Status, Status: http.StatusNotFound,
		Reason: "the server answered 404 Not Found"}
}

// edition is the text of a page in a night.
func (c *changing) edition(ctx context.Context, r fetch.Response, night int) []byte {
	key := edition{page: r.FinalURL, turn: c.turn(r.FinalURL, night)}
	if c.restless[r.FinalURL] {
		key.night = night
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	body, ok := c.edited[key]
	if !ok {
		body = c.edit(ctx, r, night)
		c.edited[key] = body
	}
	return body
}
