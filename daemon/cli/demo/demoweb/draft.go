package demoweb

import (
	"math/rand/v2"
	"slices"
	"strings"
)

// builder makes the sites: it declares all pages, so that they can link to each other, and then renders them.
type builder struct {
	rng   *rand.Rand
	prose writer
	topic field
	sites []*site

	portal       *site
	universities []*university
	museum       *museum
	club         *club
	news         *news
	shops        []*site
	town         *site
}

type site struct {
	host, name string
	look       int // one of the page layouts
	menu       []*draft
	drafts     []*draft
	redirects  map[string]redirect // by path
	disallow   []string
}

// redirect is the target of a path that redirects.
type redirect struct {
	status int
	url    string
}

// draft is a declared page.
type draft struct {
	site      *site
	path      string
	title     string
	about     mix
	parent    *draft // the page above, nil for the front page
	lists     []linkList
	frames    []frameOf // a frameset's frames
	iframe    *draft
	relevant  bool
	forbidden bool
	top       bool // its links replace the whole frameset
}

type linkList struct {
	heading string
	links   []link
}

// link is one link of a page; url is used when to is nil.
type link struct {
	to     *draft
	url    string
	anchor string
}

// frameOf is a frame of a frameset.
type frameOf struct {
	name string
	page *draft
}

// site declares a host and its front page.
func (b *builder) site(host, name string, about mix) *site {
	s := &site{host: host, name: name, look: b.rng.IntN(len(looks)), redirects: make(map[string]redirect)}
	b.sites = append(b.sites, s)
	s.page(nil, "/", name, about)
	return s
}

// page declares a page below parent.
func (s *site) page(parent *draft, path, title string, about mix) *draft {
	d := &draft{site: s, path: path, title: title, about: about, parent: parent}
	s.drafts = append(s.drafts, d)
	return d
}

func (s *site) front() *draft { return s.drafts[0] }

// url is the absolute URL of a path of the site.
func (s *site) url(path string) string { return "http://" + s.host + path }

// url is the page's URL.
func (d *draft) url() string { return d.site.url(d.path) }

// list adds links to pages under a heading, with their titles as anchor texts.
func (d *draft) list(heading string, pages ...*draft) {
	links := make([]link, len(pages))
	for i, p := range pages {
		links[i] = link{to: p, anchor: p.title}
	}
	d.add(heading, links...)
}

// add adds links under a heading. Without one, or with that of the last list, they extend the last list.
func (d *draft) add(heading string, links ...link) {
	last := len(d.lists) - 1
	if last >= 0 && (heading == "" || heading == d.lists[last].heading) {
		d.lists[last].links = append(d.lists[last].links, links...)
		return
	}
	d.lists = append(d.lists, linkList{heading, links})
}

// alias makes path redirect to a page and returns its URL.
func (s *site) alias(path string, status int, to *draft) string {
	s.redirects[path] = redirect{status, to.url()}
	return s.url(path)
}

// keepOut declares a page in an area that robots.txt forbids.
func (s *site) keepOut(area string, parent *draft, path, title string, about mix) *draft {
	if !slices.Contains(s.disallow, area) {
		s.disallow = append(s.disallow, area)
	}
	d := s.page(parent, path, title, about)
	d.forbidden = true
	return d
}

// robots is the site's robots.txt.
func (s *site) robots() string {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, area := range s.disallow {
		b.WriteString("Disallow: " + area + "\n")
	}
	if len(s.disallow) == 0 {
		b.WriteString("Disallow:\n")
	}
	return b.String()
}

// some draws n of all in random order.
func some[T any](rng *rand.Rand, all []T, n int) []T {
	drawn := slices.Clone(all)
	rng.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return drawn[:min(n, len(drawn))]
}

// between draws a number from low to high, both included.
func (b *builder) between(low, high int) int { return low + b.rng.IntN(high-low+1) }

// slug turns a title into a part of a path.
func slug(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r == ' ' || r == '-':
			return '-'
		}
		return -1
	}, strings.ToLower(title))
}
