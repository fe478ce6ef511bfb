package crawler

import (
	"fmt"
	"slices"

	"nightjar/crawler/neardup"
	"nightjar/crawler/weburl"
)

// A captive portal answers in place of every host, with a redirect or a page (RFC 8910, section 1). The crawl suspects one
// when portalSites sites among the last pages show the same page.
const (
	portalSites = 3
	maxRecent   = 4 // pages compared with the newest
)

// sample identifies a page, to see whether two are the same.
type sample struct {
	url     string // final
	site    string // of the requested URL
	to      string // host that answered, if it belongs to another site; otherwise ""
	body    uint64 // hashes, 0 when not known
	text    int64
	simhash uint64
}

// sampleOf returns the sample of a page.
func sampleOf(r *fetched) sample {
	s := sample{
		url: r.response.FinalURL, site: weburl.Site(r.entry.URL),
		body: r.body, text: r.text, simhash: r.simhash,
	}
	if weburl.Site(s.url) != s.site {
		s.to = weburl.Host(s.url)
	}
	return s
}

// same reports whether two answers show the same page, or the same foreign host.
func (s sample) same(o *sample) bool {
	return s.body != 0 && s.body == o.body || s.text != 0 && s.text == o.text ||
		neardup.SameText(s.simhash, o.simhash) || s.to != "" && s.to == o.to
}

// recent is a recorded page.
type recent struct {
	sample
	f *Fetch
}

// portalled reports whether a portal may have answered; if so, the attempt is withheld or put back.
func (n *network) portalled(r fetched) bool {
	if r.page == nil {
		return false
	}
	s := sampleOf(&r)
	switch {
	case n.portal != nil && s.same(n.portal) && n.waits():
		n.then.putBack(r, r.entry)
		return true
	case n.portal != nil && s.same(n.portal):
		n.caught = append(n.caught, r)
		return true
	case n.doubt != "" || slices.ContainsFunc(n.benign, func(b sample) bool { return s.same(&b) }):
		return false
	}
	sites := map[string]bool{s.site: true}
	for _, p := range n.recent {
		if p.same(&s) {
			sites[p.site] = true
		}
	}
	if len(sites) < portalSites {
		return false
	}
	n.portal, n.caught = &s, []fetched{r}
	n.doubtThat(fmt.Sprintf("%d sites answered with the same page, as on a network that asks for a login first", len(sites)))
	return true
}

// remember stores a recorded page, to compare later pages with.
func (n *network) remember(r *fetched, f *Fetch) {
	s := sampleOf(r)
	if n.recent = append(n.recent, recent{s, f}); len(n.recent) > maxRecent {
		n.recent = slices.Delete(n.recent, 0, 1)
	}
	if n.known = append(n.known, s); len(n.known) > maxKnown {
		n.known = slices.Delete(n.known, 0, 1)
	}
}

// takeBack puts back all attempts that a portal answered, and undoes those already recorded.
func (n *network) takeBack() {
	if n.portal == nil {
		return
	}
	n.known = slices.DeleteFunc(n.known, func(s sample) bool { return s.same(n.portal) })
	for _, p := range n.recent {
		if p.same(n.portal) {
			n.then.undo(p.f)
		}
	}
	for _, r := range n.caught {
		n.then.putBack(r, r.entry)
	}
}
