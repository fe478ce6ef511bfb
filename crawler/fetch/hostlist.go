package fetch

import (
	"slices"
	"time"

	"nightjar/crawler/revisit"
	"nightjar/crawler/robots"
	"nightjar/crawler/weburl"
)

// Limits for the lists of a host. The protocol (sitemaps.org/protocol.html) allows files of 50 MiB.
const (
	maxListBytes    = 10 << 20 // bytes of a file, decompressed
	maxSitemapFiles = 5        // sitemaps a host
	maxFeeds        = 3        // feeds a host
	maxListed       = 20_000   // addresses in the sitemaps of a host
	maxFeedPages    = 500      // addresses in a feed
)

const (
	listRest = 6 * time.Hour  // after the lists of a host were read, they are not read again
	listTry  = time.Hour      // after a list could not be read, it is not requested again
	listKeep = 24 * time.Hour // after which lists that could not be read to the end are read from the beginning
)

// ListedPage is a page that a list names.
type ListedPage struct {
	URL     string    `json:"url"`              // canonical
	Title   string    `json:"title,omitempty"`  // of the entry of a feed
	Changed time.Time `json:"changed,omitzero"` // when the page changed last, as the list says; zero if it does not
}

// List is a list of pages that a host publishes: a feed, or all its sitemaps together.
type List struct {
	URL   string // of the feed, or of the first sitemap with addresses
	Feed  bool
	Pages []ListedPage // each once
}

// HostList is what the sitemaps of a host and the feeds that its pages name list.
type HostList struct {
	Host  string          `json:"-"`
	At    time.Time       `json:"-"`               // when they were read last: the begin; or when the first feed was named
	Files []ListFile      `json:"of"`              // in order, each once
	Looks revisit.History `json:"looks,omitempty"` // news: an address that was not there the last time

	next   int        // while it is read: the first file that is left
	before []ListFile // while all is read again: as it was
	since  time.Time  // and when; zero for the first time
}

// ListFile is a sitemap or a feed.
type ListFile struct {
	URL  string `json:"url"`            // canonical
	Site bool   `json:"site,omitempty"` // it may list URLs of the whole site: robots.txt or a page of the host names it
	Feed bool   `json:"feed,omitempty"`
	Read bool   `json:"read"` // false for one that could not be read, and one that was named since

	Tried time.Time `json:"tried,omitzero"` // when it could not be read, otherwise zero

	At           string       `json:"at,omitempty"` // URL that answered, after redirects, and its validators
	ETag         string       `json:"etag,omitempty"`
	LastModified string       `json:"modified,omitempty"`
	Pages        []ListedPage `json:"pages,omitempty"`
	Sitemaps     []string     `json:"sitemaps,omitempty"` // canonical

	seen map[string]bool // URLs that were requested before its host had to rest
	from string          // the target of their redirects
}

// whole reports whether no more files are to be read now.
func (h *HostList) whole(now time.Time) bool {
	for h.next < len(h.Files) && (h.Files[h.next].Read || recent(h.Files[h.next].Tried, now, listTry)) {
		h.next++
	}
	return h.next >= len(h.Files)
}

// read reports whether the host was ever asked for its lists. Without that, it may be known which feeds its pages name.
func (h *HostList) read() bool { return slices.ContainsFunc(h.Files, ListFile.isSitemap) }

func (f ListFile) isSitemap() bool { return !f.Feed }

// due reports whether all lists are to be read again, by the rule for pages that are looked at again: package revisit.
func (h *HostList) due(now time.Time) bool {
	age := now.Sub(h.At)
	if !h.read() || age < -time.Minute {
		return true
	}
	return age >= listRest && revisit.Due(h.Looks.Rate(revisit.Usual(nil)), age.Hours()/24, 0)
}

// begin begins to read all again: the sitemaps on the same site that the robots.txt of the host names, or else /sitemap.xml, and the
// feeds.
func (h *HostList) begin(root string, r *robots.Rules, now time.Time) {
	if h.read() {
		h.since = h.At
	}
	h.Host, h.At, h.next, h.before, h.Files = weburl.Host(root), now, 0, h.Files, nil
	for _, s := range r.Sitemaps {
		if to, err := weburl.Resolve(root, s); err == nil && weburl.Site(to) == weburl.Site(root) {
			h.add(ListFile{URL: weburl.Document(to), Site: true})
		}
	}
	if len(h.Files) == 0 {
		h.add(ListFile{URL: root + "sitemap.xml"})
	}
	for _, f := range h.before {
		if f.Feed {
			h.add(ListFile{URL: f.URL, Site: true, Feed: true})
		}
	}
}

// add adds a file, unless it is there already or too many are, with what an earlier reading found in it. It reports whether it did.
func (h *HostList) add(f ListFile) bool {
	same := func(other ListFile) bool { return other.URL == f.URL }
	most := maxSitemapFiles
	if f.Feed {
		most = maxFeeds
	}
	if slices.ContainsFunc(h.Files, same) || h.count(f.Feed) >= most {
		return false
	}
	if i := slices.IndexFunc(h.before, same); i >= 0 {
		old := h.before[i]
		f.At, f.ETag, f.LastModified, f.Pages, f.Sitemaps = old.At, old.ETag, old.LastModified, old.Pages, old.Sitemaps
	}
	h.Files = append(h.Files, f)
	return true
}

// count counts the feeds, or the sitemaps.
func (h *HostList) count(feeds bool) (n int) {
	for _, f := range h.Files {
		if f.Feed == feeds {
			n++
		}
	}
	return n
}

// end is called once all is read. It counts the look, if it was not the first.
func (h *HostList) end() {
	if h.since.IsZero() || !slices.ContainsFunc(h.Files, func(f ListFile) bool { return f.Read }) {
		return
	}
	known := make(map[string]bool)
	for _, f := range h.before {
		for _, p := range f.Pages {
			known[p.URL] = true
		}
	}
	news := slices.ContainsFunc(h.Files, func(f ListFile) bool {
		return slices.ContainsFunc(f.Pages, func(p ListedPage) bool { return !known[p.URL] })
	})
	h.Looks = h.Looks.Add(h.At.Sub(h.since).Hours()/24, news)
}

// lists are the lists that have addresses: first the feeds, which have the newest ones.
func (h *HostList) lists() (all []List) {
	var sitemaps List
	given := make(map[string]bool)
	for _, f := range h.Files {
		switch {
		case len(f.Pages) == 0:
		case f.Feed:
			all = append(all, List{f.URL, true, f.Pages})
		default:
			if sitemaps.URL == "" {
				sitemaps.URL = f.URL
			}
			for _, p := range f.Pages {
				if !given[p.URL] {
					given[p.URL] = true
					sitemaps.Pages = append(sitemaps.Pages, p)
				}
			}
		}
	}
	if sitemaps.URL != "" {
		all = append(all, sitemaps)
	}
	return all
}

// resolve returns the canonical form of a URL in the file, and whether the file may name it.
func (f *ListFile) resolve(loc string) (string, bool) {
	url, err := weburl.Resolve(f.URL, loc)
	url = weburl.Document(url)
	return url, err == nil && f.mayName(url)
}

// mayName reports whether the file may name a URL: of its own host, or of its site.
func (f *ListFile) mayName(url string) bool {
	return weburl.Host(url) == weburl.Host(f.URL) || f.Site && weburl.Site(url) == weburl.Site(f.URL)
}
