package fetch

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"nightjar/crawler/revisit"
)

// TestParseFeeds reads feeds of all kinds, and broken ones: addresses, titles and dates.
func TestParseFeeds(t *testing.T) {
	day := func(y, m, d, hour int) time.Time { return time.Date(y, time.Month(m), d, hour, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		name, body string
		want       []listEntry
	}{
		{"RSS 0.91", `<?xml version="1.0"?><!DOCTYPE rss SYSTEM "http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel><title>All</title>
			<link>http://a.test/</link><image><title>Logo</title><link>http://a.test/logo</link></image><item><title>One</title><link>http://a.test/1</link></item>
			<item><title>Two</title><link>http://a.test/2</link></item><textinput><title>Search</title><link>http://a.test/search</link></textinput></channel></rss>`,
			[]listEntry{{loc: "http://a.test/1", title: "One"}, {loc: "http://a.test/2", title: "Two"}}},
		{"RSS 1.0", `<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:dc="x"><channel rdf:about="http://a.test/rss"><items><rdf:Seq><rdf:li resource="http://a.test/1"/></rdf:Seq></items></channel>
			<item rdf:about="http://a.test/1"><title>One</title><link>http://a.test/1</link><dc:date>2020-11-05T12:00:00Z</dc:date><dc:title>no</dc:title></item></rdf:RDF>`,
			[]listEntry{{loc: "http://a.test/1", title: "One", mod: day(2020, 11, 5, 12)}}},
		{"RSS 2.0", `<rss version="2.0" xmlns:media="x"><channel><atom:link href="http://a.test/feed" rel="self"/><lastBuildDate>Thu, 05 Nov 2020 12:00:00 GMT</lastBuildDate>
			<item><title><![CDATA[Fish &amp; <b>chips</b>]]></title><media:title>no</media:title><link>http://a.test/1</link><pubDate>Thu, 5 Nov 2020 12:00:00 +0100</pubDate>
			<guid isPermaLink="false">17</guid><media:content url="http://a.test/1.jpg"/><comments>http://a.test/1#c</comments></item>
			<item><title>  Two
 lines &amp;amp; more </title><guid>http://a.test/2</guid><pubDate>5 Nov 2019 12:00:00 GMT</pubDate></item><item><title>No link</title></item></channel></rss>`,
			[]listEntry{{loc: "http://a.test/1", title: "Fish & chips", mod: day(2020, 11, 5, 11)}, {loc: "http://a.test/2", title: "Two lines & more", mod: day(2019, 11, 5, 12)}}},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><title>All</title><updated>2021-01-01T00:00:00Z</updated><link href="http://a.test/"/><entry><title type="html">&lt;i&gt;One&lt;/i&gt; more</title>
			<link rel="replies" href="/1/c"/><link href="http://a.test/1"/><id>tag:a.test,2020:1</id><published>2019-01-01T00:00:00Z</published><updated>2020-11-05T12:00:00Z</updated>
			<author><name>x</name></author></entry></feed>`,
			[]listEntry{{loc: "http://a.test/1", title: "One more", mod: day(2020, 11, 5, 12)}}},
		{"Atom with a prefix", `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:entry><a:title>One</a:title><title>no</title><a:link rel='alternate' href='/1'/></a:entry></a:feed>`,
			[]listEntry{{loc: "/1", title: "One"}}},
		{"no date", `<rss><item><link>/1</link><title/><pubDate>yesterday</pubDate></item></rss>`, []listEntry{{loc: "/1"}}},
		{"from the future", `<rss><item><link>/1</link><pubDate>Thu, 05 Nov 2099 12:00:00 GMT</pubDate></item></rss>`, []listEntry{{loc: "/1", mod: day(2099, 11, 5, 12)}}},
		{"cut short", `<rss><channel><item><title>One</title><link>/1</link></item><item><title>Two</title><link>/2`, []listEntry{{loc: "/1", title: "One"}}},
		{"not well formed", `<rss><channel><item><title>One & two < three</title><link>/1</link></channel></item><item><link>/2</link></item>`,
			[]listEntry{{loc: "/1", title: "One & two < three"}, {loc: "/2"}}},
		{"long", `<rss><item><title>` + strings.Repeat("ä", 1000) + `</title><link>/1</link></item></rss>`, []listEntry{{loc: "/1", title: strings.Repeat("ä", maxEntryTitle/2)}}},
		{"a page", `<!doctype html><title>Not found</title><article><title>x</title><link href=/1></article>`, nil},
		{"JSON", `{"version":"https://jsonfeed.org/version/1","items":[]}`, nil},
	} {
		p := newPicker(100, sitemapNow, func(string) bool { return true })
		if err := parseList(asWire(strings.NewReader(c.body)), nil, p); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got := p.picked(false)
		for i := range got {
			if got[i].mod = got[i].mod.UTC(); got[i].mod.IsZero() {
				got[i].mod = time.Time{}
			}
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(listEntry{})); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// feedOf is a feed with an entry for each path.
func feedOf(paths ...string) http.HandlerFunc {
	var b strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&b, "<item><title>Page %s</title><link>%s</link><pubDate>Fri, 05 Nov 1999 12:00:00 GMT</pubDate></item>", path, path) // in a bubble of synctest, the year is 2000
	}
	return xml("<rss><channel>" + b.String() + "</channel></rss>")
}

// TestFeedsAreRead: the feeds that pages name are read with the lists of their host, at once and without the sitemaps if these are not
// due, by the same rules. A later fetcher knows them.
func TestFeedsAreRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory, ctx, page := newNoted(), t.Context(), "http://www.site.example/page"
		w, l := mustStill(t, map[string]http.HandlerFunc{
			"www.site.example/robots.txt":  say("User-agent: *\nDisallow: /shut"),
			"www.site.example/sitemap.xml": urlset("/1", "/2"),
			"www.site.example/rss":         feedOf("/1", "/new?utm_source=x", "http://blog.site.example/3", "http://b.test/never", "/shut/never", "/?access_token=x", "/logout", "/new"),
			"feeds.site.example/atom":      to("/moved", 301), "feeds.site.example/moved": feedOf("http://www.site.example/4"),
		}, LiveOptions{Memory: memory})
		if n := len(l.List(ctx, page).Lists); n != 1 {
			t.Fatalf("%d lists", n)
		}
		before := len(w.all())
		if l.AddFeeds(ctx, page, []string{"http://b.test/rss", "http://www.site.example/rss?access_token=x", "http://www.site.example/logout"}) || l.AddFeeds(ctx, page, nil) {
			t.Error("a feed was added that must not be read")
		}
		if !l.AddFeeds(ctx, page, []string{"http://www.site.example/rss", "http://www.site.example/shut/rss", "http://feeds.site.example/atom", "http://www.site.example/4.xml"}) {
			t.Error("no feed was added")
		}
		if l.AddFeeds(ctx, page, []string{"http://www.site.example/rss"}) || l.AddFeeds(ctx, page, []string{"http://www.site.example/5.xml"}) {
			t.Error("a feed was added twice, or too many were")
		}
		then := time.Date(1999, 11, 5, 12, 0, 0, 0, time.UTC)
		want := []List{
			{"http://www.site.example/rss", true, []ListedPage{{"http://www.site.example/1", "Page /1", then}, {"http://www.site.example/new", "Page /new?utm_source=x", then}, {"http://blog.site.example/3", "Page http://blog.site.example/3", then}}},
			{"http://feeds.site.example/atom", true, []ListedPage{{"http://www.site.example/4", "Page http://www.site.example/4", then}}},
			{"http://www.site.example/sitemap.xml", false, []ListedPage{{URL: "http://www.site.example/1"}, {URL: "http://www.site.example/2"}}},
		}
		_, later := mustStill(t, nil, LiveOptions{Memory: memory})
		for i, f := range []*Live{l, l, later} {
			res := f.List(ctx, page)
			if diff := cmp.Diff(want, res.Lists); diff != "" || res.Outcome != OK {
				t.Errorf("reading %d: %s, %s", i, res.Outcome, diff)
			}
			if len(res.Exchanges) > 0 && (i > 0 || !slices.ContainsFunc(res.Exchanges, func(x Exchange) bool { return x.Purpose == ForFeed })) {
				t.Errorf("reading %d: %+v", i, res.Exchanges)
			}
		}
		asked := "www.site.example/rss feeds.site.example/robots.txt feeds.site.example/atom feeds.site.example/moved"
		if got := strings.Join(w.all()[before:], " "); got != asked {
			t.Errorf("asked for %s, want %s", got, asked)
		}
		if later.AddFeeds(ctx, page, []string{"http://www.site.example/rss"}) {
			t.Error("a later fetcher takes a feed for new")
		}
		if _, off := mustStill(t, nil, LiveOptions{}); off != nil {
			off.options.Sitemaps = false
			if off.AddFeeds(ctx, page, []string{"http://www.site.example/rss"}) {
				t.Error("a feed was added although the settings forbid it")
			}
		}
	})
}

// TestFeedBeforeSitemaps: a feed that is named before the sitemaps were read does not keep them from being read.
func TestFeedBeforeSitemaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, l := mustStill(t, map[string]http.HandlerFunc{"a.test/sitemap.xml": urlset("/1"), "a.test/rss": feedOf("/2")}, LiveOptions{})
		if !l.AddFeeds(t.Context(), "http://a.test/", []string{"http://a.test/rss"}) {
			t.Error("not added")
		}
		res := l.List(t.Context(), "http://a.test/")
		if _, urls := flat(res); strings.Join(urls, " ") != "http://a.test/2 http://a.test/1" || len(w.asked()) != 2 {
			t.Errorf("%q; asked for %q", urls, w.asked())
		}
	})
}

// TestFeedNamedMeanwhile: a feed that is named while the lists of its host are read is not forgotten.
func TestFeedNamedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l *Live
		_, l = mustStill(t, map[string]http.HandlerFunc{"a.test/rss": feedOf("/2"), "a.test/sitemap.xml": func(w http.ResponseWriter, r *http.Request) {
			if !l.AddFeeds(context.Background(), "http://a.test/", []string{"http://a.test/rss"}) {
				t.Error("not added")
			}
			urlset("/1")(w, r)
		}}, LiveOptions{})
		first, second := l.List(t.Context(), "http://a.test/"), l.List(t.Context(), "http://a.test/")
		if len(first.Lists) != 1 || len(second.Lists) != 2 {
			t.Errorf("%+v, then %+v", first.Lists, second.Lists)
		}
	})
}

// TestListsAreReadAgain reads the lists of a host on several days: conditionally, and with what they listed before if they did not
// change or cannot be read. What could not be read is asked for again an hour later, and nothing else is.
func TestListsAreReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory, same := newNoted(), 0
		versioned := func(tag string, then http.HandlerFunc) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if w.Header().Set("ETag", tag); r.Header.Get("If-None-Match") == tag {
					same++
					w.WriteHeader(http.StatusNotModified)
					return
				}
				then(w, r)
			}
		}
		pages := map[string]http.HandlerFunc{
			"a.test/robots.txt": say("Sitemap: /i.xml"), "a.test/i.xml": versioned(`"i"`, index("/1.xml", "/2.xml")),
			"a.test/1.xml": versioned(`"1"`, urlset("/1")), "a.test/2.xml": to("/2b.xml", 302), "a.test/2b.xml": versioned(`"2"`, urlset("/2")),
			"a.test/rss": versioned(`"r"`, feedOf("/r")),
		}
		w, l := mustStill(t, pages, LiveOptions{Memory: memory})
		l.AddFeeds(t.Context(), "http://a.test/", []string{"http://a.test/rss"})
		const every = "/i.xml /rss /1.xml /2.xml /2b.xml"
		asked := 0
		day := func(name string, rest time.Duration, want, asks string, looks revisit.History) {
			t.Helper()
			time.Sleep(rest)
			_, urls := flat(l.List(t.Context(), "http://a.test/"))
			all := w.asked()
			got := strings.ReplaceAll(strings.Join(all[asked:], " "), "a.test", "")
			if asked = len(all); strings.ReplaceAll(strings.Join(urls, " "), "http://a.test", "") != want || got != asks {
				t.Errorf("%s: listed %q, asked for %q; want %q, %q", name, urls, got, want, asks)
			}
			var news []bool
			for _, days := range memory.lists["a.test"].Looks {
				news = append(news, days > 0)
			}
			var wanted []bool
			for _, days := range looks {
				wanted = append(wanted, days > 0)
			}
			if !slices.Equal(news, wanted) {
				t.Errorf("%s: looks %v, want %v", name, news, wanted)
			}
		}
		const dayLong = 24 * time.Hour
		day("first", 0, "/r /1 /2", every, nil)
		day("at once", 0, "/r /1 /2", "", nil)
		day("unchanged", dayLong, "/r /1 /2", every, revisit.History{-1})
		day("not due", dayLong, "/r /1 /2", "", revisit.History{-1})
		pages["a.test/rss"], pages["a.test/1.xml"] = versioned(`"r2"`, feedOf("/r2", "/r")), code(http.StatusInternalServerError)
		day("news, and one fails", dayLong, "/r2 /r /1 /2", every, revisit.History{-1, 1})
		day("soon", time.Minute, "/r2 /r /1 /2", "", revisit.History{-1, 1})
		day("the same day", 2*time.Hour, "/r2 /r /1 /2", "/1.xml", revisit.History{-1, 1})
		pages["a.test/1.xml"] = versioned(`"1b"`, urlset("/1", "/1b"))
		day("it works again", 2*time.Hour, "/r2 /r /1 /1b /2", "/1.xml", revisit.History{-1, 1})
		pages["a.test/2.xml"], pages["a.test/rss"] = code(http.StatusNotFound), code(http.StatusGone)
		day("some are gone", dayLong, "/1 /1b", strings.Replace(every, " /2b.xml", "", 1), revisit.History{-1, 1, -1})
		day("and stay so", 10*dayLong, "/1 /1b", strings.Replace(every, " /2b.xml", "", 1), revisit.History{-1, 1, -1, -1})
		if same != 4+2+2+2 {
			t.Errorf("%d requests were answered with 304", same)
		}
	})
}

// TestListsTogether: those who want the lists of a host at the same moment read them once.
func TestListsTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, l := mustStill(t, map[string]http.HandlerFunc{"a.test/sitemap.xml": urlset("/1")}, LiveOptions{Delay: time.Second})
		var listed atomic.Int32
		for range 5 {
			go func() { listed.Add(int32(len(l.List(context.Background(), "http://a.test/").Lists))) }()
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if res := l.List(ended, "http://a.test/"); res.Outcome != Canceled {
			t.Errorf("%+v", res)
		}
		time.Sleep(time.Minute)
		if listed.Load() != 5 || len(w.all()) != 2 {
			t.Errorf("%d answers; asked for %q", listed.Load(), w.all())
		}
	})
}
