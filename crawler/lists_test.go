package crawler_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
)

// listing is a web of pages by address whose hosts list some of them.
type listing struct {
	pages map[string]string
	lists map[string][]string // by host
	later map[string]int      // how often a host must rest first, by host
	asked []string

	feeds   map[string][]string           // that pages named, by host
	entries map[string][]fetch.ListedPage // of feeds
}

func (w *listing) Fetch(_ context.Context, url string) fetch.Response {
	w.asked = append(w.asked, url)
	html, ok := w.pages[url]
	if !ok {
		return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Status, Status: 404}
	}
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Status: 200, Body: []byte(html)}
}

func (w *listing) List(_ context.Context, url string) fetch.Response {
	host := weburl.Host(url)
	w.asked = append(w.asked, "list of "+host)
	if w.later[host]--; w.later[host] >= 0 {
		return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Later}
	}
	r := fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK}
	for _, feed := range w.feeds[host] {
		r.Lists = append(r.Lists, fetch.List{URL: feed, Feed: true, Pages: w.entries[feed]})
	}
	if len(w.lists[host]) > 0 {
		sitemaps := fetch.List{URL: weburl.Origin(url) + "/map.xml"}
		for _, page := range w.lists[host] {
			sitemaps.Pages = append(sitemaps.Pages, fetch.ListedPage{URL: page})
		}
		r.Lists = append(r.Lists, sitemaps)
	}
	return r
}

func (w *listing) AddFeeds(_ context.Context, page string, feeds []string) (added bool) {
	host := weburl.Host(page)
	for _, feed := range feeds {
		if !slices.Contains(w.feeds[host], feed) {
			w.feeds[host], added = append(w.feeds[host], feed), true
		}
	}
	return added
}

// leaf makes a page without links.
func (w *listing) leaf(url string) string {
	w.pages[url] = "<title>leaf</title>" + url
	return url
}

func newListing() *listing {
	w := &listing{pages: map[string]string{}, lists: map[string][]string{}, later: map[string]int{},
		feeds: map[string][]string{}, entries: map[string][]fetch.ListedPage{}}
	w.pages["http://a.test/"] = `good good <a href="/one">one</a> <a href="http://b.test/">b</a> <a href="http://c.test/">c</a>`
	w.pages["http://a.test/one"] = "leaf"
	w.pages["http://b.test/"] = "target"
	w.pages["http://c.test/"] = "leaf"
	w.lists["a.test"] = []string{"http://a.test/", "http://a.test/one", w.leaf("http://a.test/target"), "http://a.test/logout", w.leaf("http://a.test/two")}
	w.lists["b.test"] = []string{w.leaf("http://b.test/mine"), w.leaf("http://b.test/last")}
	return w
}

func (w *listing) ReadyAt(string) (at time.Time) { return at }

// knowing is counting that knows which listed addresses are good.
type knowing struct {
	counting
	notes map[string]string // read, by address
}

func (k knowing) List(list string, links []page.Link) (j strategy.Judgement) {
	for _, l := range links {
		good := int32(-1)
		if strings.Contains(l.URL, "target") {
			good = 5
		}
		j.Priorities = append(j.Priorities, strategy.Priority{good})
		j.Notes = append(j.Notes, []byte(list+" "+l.Path))
	}
	return j
}

func (k knowing) Read(ctx context.Context, v strategy.Visit) (strategy.Judgement, error) {
	k.notes[v.URL] = string(v.Note)
	return k.counting.Read(ctx, v)
}

// TestLists: one list is read for two pages, that of the host of the best waiting link. It costs nothing,
// and its addresses wait at what they are worth to the strategy, or last of all.
func TestLists(t *testing.T) {
	notes := map[string]string{}
	for name, c := range map[string]struct {
		s    strategy.Strategy
		want string
	}{
		"a strategy that values lists": {knowing{notes: notes}, "list of a.test, a.test/, a.test/target, list of b.test, a.test/one, b.test/, list of c.test, c.test/, a.test/two, b.test/mine, b.test/last"},
		"another one":                  {counting{}, "list of a.test, a.test/, a.test/one, list of b.test, b.test/, c.test/, a.test/target, a.test/two, b.test/mine, b.test/last"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newListing()
			var fetches []*crawler.Fetch
			r, err := crawler.Run(t.Context(), w, c.s, crawler.Options{Starts: []string{"http://a.test/"}, OnFetch: func(f *crawler.Fetch) { fetches = append(fetches, f) }})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll(strings.Join(w.asked, ", "), "http://", ""); got != c.want {
				t.Errorf("asked for %s;\nwant %s", got, c.want)
			}
			list := fetches[0]
			if list.N != 1 || list.URL != "http://a.test/map.xml" || list.Response.Outcome != fetch.Listed || list.Cost != 0 || list.Page != nil || list.Find() ||
				len(list.Done) != 0 || list.Links != 5 || len(list.Queued) != 3 {
				t.Errorf("the list: %+v", list)
			}
			if r.Fetched != 8 || r.Outcomes[fetch.Listed] != 0 {
				t.Errorf("%d pages, %v", r.Fetched, r.Outcomes)
			}
			found := fetches[slices.IndexFunc(fetches, func(f *crawler.Fetch) bool { return f.URL == "http://a.test/target" })]
			if trail := trailOf(fetches, found); !found.Find() || found.ParentN != 1 || len(trail) != 2 || trail[0].URL != "http://a.test/map.xml" {
				t.Errorf("a listed page: find %v, trail %+v", found.Find(), trail)
			}
		})
	}
	if got := notes["http://a.test/target"]; got != "http://a.test/map.xml list" {
		t.Errorf("the note of a listed page was %q", got)
	}
}

// TestListsLater: a host that must rest first is asked again for its list, and its pages do not wait for that.
func TestListsLater(t *testing.T) {
	w := newListing()
	w.later["a.test"] = 1
	w.pages["http://a.test/"] += ` <a href="/two">two</a>`
	if _, err := crawler.Run(t.Context(), w, knowing{notes: map[string]string{}}, crawler.Options{Starts: []string{"http://a.test/"}}); err != nil {
		t.Fatal(err)
	}
	want := "list of a.test, a.test/, a.test/one, list of b.test, b.test/, c.test/, list of a.test, a.test/target, a.test/two, b.test/mine"
	if got := strings.ReplaceAll(strings.Join(w.asked, ", "), "http://", ""); !strings.HasPrefix(got, want) {
		t.Errorf("asked for %s;\nwant %s, …", got, want)
	}
}

// TestFeeds: a page names a feed, and its host is asked for its lists once more; no more often for the pages that name it again. What it
// lists waits with its titles, and what the lists brought before is not queued again. It is read even if no link is left.
func TestFeeds(t *testing.T) {
	named := func(w *listing, urls ...string) {
		for _, url := range urls {
			w.pages[url] = `<link rel=alternate type=application/rss+xml href=/rss>` + w.pages[url]
		}
		w.entries["http://a.test/rss"] = []fetch.ListedPage{
			{URL: "http://a.test/one", Title: "Known"}, {URL: w.leaf("http://a.test/old"), Changed: time.Unix(1, 0)},
			{URL: w.leaf("http://a.test/new"), Title: "New", Changed: time.Unix(2, 0)}, {URL: w.leaf("http://a.test/target/feed"), Title: "Target"},
		}
	}
	for name, c := range map[string]struct {
		change func(*listing)
		want   string
	}{
		"among links": {func(w *listing) { named(w, "http://a.test/", "http://a.test/one", "http://a.test/two") },
			"list of a.test, a.test/, a.test/target, list of a.test, a.test/target/feed, a.test/one, list of b.test, b.test/, c.test/, a.test/two, a.test/new, a.test/old, b.test/mine, b.test/last"},
		"the last link": {func(w *listing) {
			w.lists = map[string][]string{}
			w.pages["http://a.test/"] = "good good"
			named(w, "http://a.test/")
		}, "list of a.test, a.test/, list of a.test, a.test/target/feed, a.test/new, a.test/old, a.test/one"},
		"nofollow": {func(w *listing) {
			w.lists = map[string][]string{}
			named(w, "http://a.test/")
			w.pages["http://a.test/"] += "<meta name=robots content=nofollow>"
		}, "list of a.test, a.test/"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newListing()
			c.change(w)
			anchors := map[string]string{}
			r, err := crawler.Run(t.Context(), w, knowing{notes: map[string]string{}}, crawler.Options{Starts: []string{"http://a.test/"}, OnFetch: func(f *crawler.Fetch) {
				anchors[f.URL] = f.Anchor
				if f.Response.Outcome == fetch.Listed && (f.Response.Reason == crawler.FeedReason) != (f.URL == "http://a.test/rss") {
					t.Errorf("%s is %q", f.URL, f.Response.Reason)
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll(strings.Join(w.asked, ", "), "http://", ""); got != c.want {
				t.Errorf("asked for %s;\nwant %s", got, c.want)
			}
			if strings.Contains(c.want, "feed") && (anchors["http://a.test/target/feed"] != "Target" || anchors["http://a.test/new"] != "New") {
				t.Errorf("titles %q", anchors)
			}
			if r.End != crawler.NoLinks {
				t.Errorf("it ended: %s", r.StopReason)
			}
		})
	}
}

// TestListsRefused: no list is read of a host that must not be fetched from, or of which no more pages may be.
func TestListsRefused(t *testing.T) {
	w := newListing()
	_, err := crawler.Run(t.Context(), w, counting{}, crawler.Options{
		Starts: []string{"http://a.test/"}, Budget: crawler.Budget{PerHost: 1},
		Refuse: func(url string) bool { return weburl.Host(url) == "b.test" },
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.ReplaceAll(strings.Join(w.asked, ", "), "http://", ""); got != "list of a.test, a.test/, c.test/" {
		t.Errorf("asked for %s", got)
	}
}

// TestListsAgain: a crawl that goes on knows what came from lists. Another strategy values its addresses again.
func TestListsAgain(t *testing.T) {
	list := crawler.PastStep{N: 1, URL: "http://a.test/map.xml", Seen: crawler.Seen{Listed: true, Links: 2}}
	waiting := func(path string, seq int64) frontier.Entry {
		return frontier.Entry{URL: "http://a.test/" + path, Host: "a.test", Seq: seq, Parent: 1, Depth: 1, Priority: strategy.Priority{7}, Note: []byte("old")}
	}
	queue := []frontier.Entry{waiting("two", 1), waiting("target", 2)}
	for name, c := range map[string]struct {
		resume *crawler.Resume
		want   string
		note   string
	}{
		"as it is": {&crawler.Resume{Queued: queue, Steps: []crawler.PastStep{list}, LastN: 1, LastSeq: 2}, "a.test/two, a.test/target", "old"},
		"read again": {&crawler.Resume{Queued: queue, LastN: 1, LastSeq: 2, Stored: func(_ context.Context, n, _ int) ([]crawler.Stored, error) {
			if n > 0 {
				return nil, nil
			}
			return []crawler.Stored{{PastStep: list, Queued: list.URL, Outcome: fetch.Listed}}, nil
		}}, "a.test/target, a.test/two", "http://a.test/map.xml list"},
	} {
		t.Run(name, func(t *testing.T) {
			w, notes := newListing(), map[string]string{}
			var fetches []*crawler.Fetch
			_, err := crawler.Run(t.Context(), w, knowing{notes: notes}, crawler.Options{
				Starts: []string{"http://a.test/"}, Resume: c.resume, OnFetch: func(f *crawler.Fetch) { fetches = append(fetches, f) },
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.ReplaceAll(strings.Join(w.asked, ", "), "http://", ""); !strings.HasPrefix(strings.TrimPrefix(got, "list of a.test, "), c.want) {
				t.Errorf("asked for %s; want %s", got, c.want)
			}
			if notes["http://a.test/target"] != c.note {
				t.Errorf("its note was %q", notes["http://a.test/target"])
			}
			if i := slices.IndexFunc(fetches, func(f *crawler.Fetch) bool { return f.URL == "http://a.test/target" }); fetches[i].Parent != "http://a.test/map.xml" {
				t.Errorf("its parent is %q", fetches[i].Parent)
			}
		})
	}
}

// TestListsLie: of a list whose addresses lead nowhere only some are followed, of one with a few dead addresses all.
func TestListsLie(t *testing.T) {
	for _, c := range []struct{ dead, alive, want int }{{40, 0, 5}, {40, 2, 7}, {4, 0, 4}, {12, 12, 24}} {
		w := newListing()
		w.lists = map[string][]string{}
		for i := range max(c.dead, c.alive) {
			if i < c.alive {
				w.lists["a.test"] = append(w.lists["a.test"], w.leaf(fmt.Sprintf("http://a.test/alive/%d", i)))
			}
			if i < c.dead {
				w.lists["a.test"] = append(w.lists["a.test"], fmt.Sprintf("http://a.test/dead/%d", i))
			}
		}
		r, err := crawler.Run(t.Context(), w, knowing{notes: map[string]string{}}, crawler.Options{Starts: []string{"http://a.test/"}})
		if err != nil {
			t.Fatal(err)
		}
		asked := len(slices.DeleteFunc(w.asked, func(url string) bool { return !strings.Contains(url, "/dead/") && !strings.Contains(url, "/alive/") }))
		if left := r.Refused["in a list of pages that are mostly gone"]; asked != c.want || left != c.dead+c.alive-asked {
			t.Errorf("%d dead and %d others: %d were asked for, %d refused", c.dead, c.alive, asked, left)
		}
	}
}
