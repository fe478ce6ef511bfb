package crawler_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/weburl"
)

var visitedAt = time.Date(2026, 5, 3, 20, 0, 0, 0, time.UTC)

// visitedWeb has a start page with one link, and pages that the person visited.
func visitedWeb(t *testing.T) (*client, *web, crawler.Visits) {
	t.Helper()
	w := &web{asked: map[string]int{}, pages: map[string]string{
		"a.example/":        `<a href="/list">list</a>`,
		"a.example/list":    `<title>list</title>`,
		"a.example/unread":  `one target`,
		"b.a.example/leaf":  `target <a href="http://c.example/found">found</a>`,
		"a.example/shop":    `target`,
		"c.example/found":   `another target`,
		"c.example/private": `target`,
		"a.example/login":   `target`,
		"a.example/inside":  `target`,
	}}
	copies := map[string]string{}
	page := func(url, html string, also ...string) crawler.Visited {
		copies[url] = html
		return crawler.Visited{URL: url, Also: also, At: visitedAt}
	}
	return mustClient(t, w), w, visits(copies, []crawler.Visited{
		page("http://a.example/", `the start page, which is fetched <a href="/inside">inside</a>`),
		page("http://a.example/list", `good good <a href="/unread">unread</a> <a href="/seen">seen</a> <a href="http://c.example/private">elsewhere</a>
			<a href="/logout">log out</a> <a href="http://mail.a.example/inbox">mail</a>`, "http://a.example/old"),
		page("http://a.example/seen", `target, and good <a href="http://b.a.example/leaf">leaf</a> <a href="/old">old</a>`),
		page("http://a.example/login", `<input type="password"><a href="/inside">inside</a>`),
		page("http://c.example/found", `<a href="http://a.example/inside">inside</a>`),
		{URL: "http://a.example/lost"}, // no copy is left
	})
}

// visits lists pages, and refuses a host.
func visits(copies map[string]string, all []crawler.Visited) crawler.Visits {
	return crawler.Visits{
		List: func(_ context.Context, after, most int) ([]crawler.Visited, error) {
			return all[min(after, len(all)):min(after+most, len(all))], nil
		},
		Copy: func(_ context.Context, url string) ([]byte, error) {
			if html, ok := copies[url]; ok {
				return []byte(html), nil
			}
			return nil, nil
		},
		Refuse: func(url string) bool { return weburl.Host(url) == "mail.a.example" },
	}
}

// TestVisited: pages that the person visited are read before anything is fetched and cost nothing, and what they link to on the sites
// of the start pages is followed, and nothing else that only the person's browsing tells.
func TestVisited(t *testing.T) {
	client, w, visited := visitedWeb(t)
	var fetches []*crawler.Fetch
	r, err := crawler.Run(t.Context(), client, counting{}, crawler.Options{
		Starts: []string{"http://a.example/"}, Visited: visited, Budget: crawler.Budget{Pages: 20},
		OnFetch: func(f *crawler.Fetch) { fetches = append(fetches, f) },
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range fetches {
		got = append(got, fmt.Sprintf("%d %s %s from %q cost %d find %v", f.N, f.FinalURL, f.Response.Outcome, f.Parent, f.Cost, f.Find()))
	}
	want := []string{
		`1 http://a.example/list visited from "" cost 0 find false`,
		`2 http://a.example/seen visited from "http://a.example/list" cost 0 find false`,
		`3 http://a.example/ ok from "" cost 1 find false`,
		`4 http://a.example/unread ok from "http://a.example/list" cost 1 find true`,
		`5 http://b.a.example/leaf ok from "http://a.example/seen" cost 1 find true`,
		`6 http://c.example/found ok from "http://b.a.example/leaf" cost 1 find true`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if r.Fetched != 4 || r.Relevant != 3 || r.Outcomes[fetch.Visited] != 0 {
		t.Errorf("counted %d pages, %d relevant, %v", r.Fetched, r.Relevant, r.Outcomes)
	}
	if len(w.asked) != 4 {
		t.Errorf("asked for %v", w.asked)
	}
	if at := fetches[1].At; !at.Equal(visitedAt) {
		t.Errorf("read at %v, not when it was visited", at)
	}
	if trail := trailOf(fetches, fetches[4]); len(trail) != 3 {
		t.Errorf("the trail has %d steps", len(trail))
	}
}

// TestVisitedAgain: a crawl that goes on reads only visited pages that it does not know, and keeps to what the person now wants of links
// that were queued: their sites must have a start page, and visited pages may be used at all.
func TestVisitedAgain(t *testing.T) {
	for _, c := range []struct {
		name   string
		starts []string
		off    bool
		want   []string // addresses asked for
		news   int      // visited pages read
	}{
		{"goes on", []string{"http://a.example/"}, false, []string{"a.example/", "a.example/unread", "b.a.example/leaf", "c.example/found"}, 1},
		{"another start page", []string{"http://d.example/"}, false, []string{"a.example/"}, 0},
		{"switched off", []string{"http://a.example/"}, true, []string{"a.example/"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, w, visited := visitedWeb(t)
			resume := &crawler.Resume{
				LastN: 1, LastSeq: 3, Done: []string{"http://a.example/list", "http://a.example/old"},
				Steps: []crawler.PastStep{{N: 1, URL: "http://a.example/list", Seen: crawler.Seen{At: visitedAt, Visited: true, Links: 2}}},
				Queued: append(crawler.StartEntries([]string{"http://a.example/"}),
					frontier.Entry{URL: "http://a.example/unread", Host: "a.example", Seq: 2, Parent: 1, Depth: 1, Path: []byte{1}},
					frontier.Entry{URL: "http://a.example/seen", Host: "a.example", Seq: 3, Parent: 1, Depth: 1, Path: []byte{1}}),
			}
			o := crawler.Options{Starts: c.starts, Resume: resume, Budget: crawler.Budget{Pages: 20}, LookAgain: true}
			if !c.off {
				o.Visited = visited
			}
			news := 0
			o.OnFetch = func(f *crawler.Fetch) {
				if f.Response.Outcome == fetch.Visited {
					news++
				}
			}
			if _, err := crawler.Run(t.Context(), client, counting{}, o); err != nil {
				t.Fatal(err)
			}
			var asked []string
			for url := range w.asked {
				asked = append(asked, url)
			}
			if slices.Sort(asked); !slices.Equal(asked, c.want) || news != c.news {
				t.Errorf("asked for %q and read %d visited pages, want %q and %d", asked, news, c.want, c.news)
			}
		})
	}
}

// TestVisitedLook: a visited page that waits to be looked at, or was looked at before, is not requested once visited pages must not be used.
func TestVisitedLook(t *testing.T) {
	for _, off := range []bool{false, true} {
		client, w, visited := visitedWeb(t)
		looked := func(n int, l *crawler.Look) crawler.PastStep {
			return crawler.PastStep{N: n, URL: "http://a.example/list",
				Seen: crawler.Seen{At: visitedAt.AddDate(0, n, 0), Visited: l == nil, Links: 20, Look: l}}
		}
		for name, r := range map[string]*crawler.Resume{
			"waits": {LastN: 1, Steps: []crawler.PastStep{looked(1, nil)}, Done: []string{"http://a.example/"},
				Queued: []frontier.Entry{{URL: "http://a.example/list", Host: "a.example", Seq: 1}}},
			"is due": {LastN: 2, Before: 2, Steps: []crawler.PastStep{looked(1, nil), looked(2, &crawler.Look{})},
				Done: []string{"http://a.example/", "http://a.example/list"}},
		} {
			o := crawler.Options{Starts: []string{"http://a.example/"}, Resume: r, Budget: crawler.Budget{Pages: 20}, LookAgain: true}
			if !off {
				o.Visited = visited
			}
			w.asked = map[string]int{}
			if _, err := crawler.Run(t.Context(), client, counting{}, o); err != nil {
				t.Fatal(err)
			}
			if asked := w.asked["a.example/list"] > 0; asked == off {
				t.Errorf("%s, switched off %v: requested %v", name, off, asked)
			}
		}
	}
}

// TestManyVisited: no more pages are read once 20,000 links were queued, and a turn that ends on the way is no end.
func TestManyVisited(t *testing.T) {
	client, _, _ := visitedWeb(t)
	visited := crawler.Visits{
		List: func(_ context.Context, after, most int) (pages []crawler.Visited, _ error) {
			for n := after; n < after+most; n++ {
				pages = append(pages, crawler.Visited{URL: fmt.Sprintf("http://a.example/page%d", n)})
			}
			return pages, nil
		},
		Copy: func(_ context.Context, url string) (html []byte, _ error) {
			for l := range 300 {
				html = fmt.Appendf(html, `<a href="%s-%d">link</a>`, url, l)
			}
			return html, nil
		},
	}
	read, links := 0, 0
	c, err := crawler.New(client, counting{}, crawler.Options{Starts: []string{"http://a.example/"}, Visited: visited, OnFetch: func(f *crawler.Fetch) {
		if f.Response.Outcome == fetch.Visited {
			read++
			links += len(f.Queued)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	turns := 0
	for links < 20_000 {
		if r := mustRun(t, c, crawler.Budget{Time: time.Nanosecond}); r.End != crawler.Turn || r.Fetched > 0 {
			t.Fatalf("ended by %v after %d pages", r.End, r.Fetched)
		}
		turns++
	}
	if read != 67 || turns != 2 {
		t.Errorf("read %d pages in %d turns, want 67 in 2", read, turns)
	}
	if mustRun(t, c, crawler.Budget{Pages: 1}); c.InFlight() != 1 {
		t.Errorf("%d fetches are in flight", c.InFlight())
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}
