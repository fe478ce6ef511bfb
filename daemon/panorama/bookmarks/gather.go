package bookmarks

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/panorama/reader"
)

// Limits of Gather.
const (
	MaxChosen = 500 // pages that the person chose
	MaxAround = 300 // pages that these link to
	perPage   = 6   // pages around each useful one, at most
	atOnce    = 8   // hosts that are asked at the same time
)

// Chosen is a page that the person saw in the list, and whether it is useful.
type Chosen struct {
	Link
	Useful bool
}

// Page is a page that was fetched.
type Page struct {
	URL       string // after redirects, canonical
	Requested string // before them, "" if equal
	Title     string
	HTML      []byte // packed as in a snapshot; nil for a PDF, whose text is read later
	Truncated bool
	Useful    bool
	At        time.Time // when it was there
	links     []string  // canonical, in document order
}

// Failed is a page that could not be fetched, and why, in words.
type Failed struct{ URL, Reason string }

// Progress says how far Gather is.
type Progress struct {
	Around      bool // the chosen pages are fetched; now those that they link to are
	Done, Total int
}

// Gatherer fetches what the person chose. Set all fields.
type Gatherer struct {
	Fetch  fetch.Fetcher
	Refuse func(url string) string // why a page must not be requested or recorded, in words; "" if it may
	Note   func(Progress)          // called by one goroutine at a time
	Now    func() time.Time
}

// Gather fetches the chosen pages, and for each useful one some pages that it links to. Each page is in the result once, the chosen
// ones first. Pages around that fail are left out silently. The error is that of ctx.
func (g *Gatherer) Gather(ctx context.Context, chosen []Chosen) (pages []*Page, failed []Failed, err error) {
	ctx = fetch.Refusing(ctx, func(url string) bool { return g.Refuse(url) != "" })
	got, failed := g.all(ctx, chosen, false)
	known := map[string]bool{}
	for _, c := range chosen {
		known[c.URL] = true
	}
	for _, p := range got {
		known[p.URL] = true
	}
	more, _ := g.all(ctx, g.around(got, known), true)
	at := map[string]*Page{}
	for _, p := range append(got, more...) {
		if same := at[p.URL]; same != nil {
			same.Useful = same.Useful || p.Useful
			continue
		}
		at[p.URL] = p
		pages = append(pages, p)
	}
	return pages, failed, ctx.Err()
}

// all fetches pages from several hosts at once, and those of a host one after the other, beginning with the hosts that have most: they
// need the longest, since a host is asked again only after a pause. The result is in the order of chosen.
func (g *Gatherer) all(ctx context.Context, chosen []Chosen, around bool) (pages []*Page, failed []Failed) {
	var mu sync.Mutex
	done := 0
	got, reasons := make([]*Page, len(chosen)), make([]string, len(chosen))
	g.Note(Progress{around, 0, len(chosen)})
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, of := range byHost(chosen) {
		group.Go(func() error {
			for _, i := range of {
				got[i], reasons[i] = g.one(ctx, chosen[i])
				mu.Lock()
				done++
				g.Note(Progress{around, done, len(chosen)})
				mu.Unlock()
			}
			return nil
		})
	}
	_ = group.Wait() // always nil
	for i, p := range got {
		if p != nil {
			pages = append(pages, p)
		} else {
			failed = append(failed, Failed{chosen[i].URL, reasons[i]})
		}
	}
	return pages, failed
}

// byHost has for each host the indexes of its pages, the host with most of them first.
func byHost(chosen []Chosen) [][]int {
	of := map[string][]int{}
	for i, c := range chosen {
		host := weburl.Host(c.URL)
		of[host] = append(of[host], i)
	}
	return slices.SortedFunc(maps.Values(of), func(a, b []int) int { return cmp.Or(len(b)-len(a), a[0]-b[0]) })
}

// one fetches a page. It returns why it could not, in words. A PDF is not fetched here: package reader reads those of sessions.
func (g *Gatherer) one(ctx context.Context, c Chosen) (*Page, string) {
	if why := g.Refuse(c.URL); why != "" {
		return nil, why
	}
	if strings.EqualFold(path.Ext(weburl.Document(c.URL)), ".pdf") {
		return &Page{URL: c.URL, Title: c.Title, Useful: c.Useful, At: g.Now()}, ""
	}
	res := reader.Patient(ctx, g.Fetch, c.URL, g.Now)
	if res.Outcome != fetch.OK {
		return nil, res.Reason
	}
	read, err := page.ParseFrom(res.Source(), res.Body)
	switch {
	case err != nil:
		return nil, err.Error()
	case read.PasswordField:
		return nil, "the page has a password field"
	}
	p := &Page{URL: res.FinalURL, Title: read.Title, Useful: c.Useful, At: g.Now()}
	if res.FinalURL != c.URL {
		p.Requested = c.URL
	}
	if p.Title == "" {
		p.Title = c.Title
	}
	for _, link := range read.Links {
		if !link.NoFollow && !read.NoFollow && !res.NoFollow {
			p.links = append(p.links, link.URL)
		}
	}
	html := res.Body
	if p.Truncated = res.Truncated || len(html) > protocol.MaxHTML; len(html) > protocol.MaxHTML {
		html = []byte(strings.ToValidUTF8(string(html[:protocol.MaxHTML]), ""))
	}
	p.HTML = protocol.Pack(html)
	return p, ""
}

// around draws up to perPage links of each useful page, from all over it, that lead to no known page. They become known.
func (g *Gatherer) around(pages []*Page, known map[string]bool) (chosen []Chosen) {
	for _, p := range pages {
		if !p.Useful {
			continue
		}
		fresh := slices.DeleteFunc(slices.Clone(p.links), func(url string) bool { return known[url] || g.Refuse(url) != "" })
		n := min(perPage, len(fresh))
		for i := range n {
			url := fresh[(2*i+1)*len(fresh)/(2*n)]
			if known[url] || len(chosen) == MaxAround {
				continue
			}
			known[url] = true
			chosen = append(chosen, Chosen{Link: Link{URL: url, Title: url}})
		}
	}
	return chosen
}
