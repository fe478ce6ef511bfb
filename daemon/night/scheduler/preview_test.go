package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// mustSee stores that the person visited pages, each with its HTML.
func (w *world) mustSee(t *testing.T, pages map[string]string) {
	t.Helper()
	m := sessiontest.NewMaker(9, evening)
	events := []protocol.Event{m.Start("seen")}
	for url, html := range pages {
		visit := m.Visit(url, "", protocol.HowTyped, "")
		events = append(events, visit, m.Snapshot(visit.Page, []byte(html)))
	}
	w.mustIngest(t, events)
}

// quiet returns options of a scheduler that must not fetch anything.
func quiet(t *testing.T) Options {
	return Options{Fetcher: func(settings.Settings) (fetch.Fetcher, error) {
		t.Error("the preview opened the web")
		return nil, errors.New("no web")
	}}
}

const frontPage = `<title>Front</title><p>portal of hockey</p>
	<a href="/weather">gardening weather</a> <a href="/league">hockey league results season</a> <a href="/cars">shopping cars</a>
	<a href="/out?token=abcdef0123456789">hockey league results season</a> <a href="/logout">hockey league results</a>
	<a rel=nofollow href="/ad">hockey league results season</a>`

// TestPreviewRanks: the links of a stored start page come in the order of the strategy, with reasons, and without those that
// no crawl follows.
func TestPreviewRanks(t *testing.T) {
	for _, strat := range []string{"auto", "hmm", "best-first", "breadth-first"} {
		t.Run(strat, func(t *testing.T) {
			w := mustWorld(t, evening)
			w.mustSettings(t, func(s *settings.Settings) { s.Strategy = strat })
			topic := w.mustTopic(t, "hockey")
			w.mustSee(t, map[string]string{"http://hockey.test/": frontPage})
			s, err := New(w.st, &w.bus, quiet(t))
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.Preview(t.Context(), Previewed{Topic: topic}, 10)
			if err != nil || len(p.Unread) > 0 {
				t.Fatal(p, err)
			}
			var urls []string
			for i, l := range p.Links {
				urls = append(urls, l.URL)
				if l.From != "http://hockey.test/" || l.Anchor == "" {
					t.Errorf("%+v", l)
				}
				if explained := len(l.Why) > 0; explained != (strat == "auto" && i < len(p.Links)-1) { // the last one waits alone
					t.Errorf("%s: %v", l.URL, l.Why)
				}
			}
			if len(urls) != 3 || strat == "auto" && (urls[0] != "http://hockey.test/league" || p.Strategy != "link-value") {
				t.Errorf("%s first follows %q", p.Strategy, urls)
			}
			if first, err := s.Preview(t.Context(), Previewed{Topic: topic}, 1); err != nil || len(first.Links) != 1 || first.Links[0].URL != urls[0] {
				t.Errorf("the first of them: %+v, %v", first.Links, err)
			}
			if n := len(w.fetched()); n > 0 {
				t.Errorf("%d requests", n)
			}
			if crawls, err := crawls.Views(t.Context(), w.st.DB, 10); err != nil || len(crawls) > 0 {
				t.Errorf("%d crawls, %v", len(crawls), err)
			}
		})
	}
}

// TestPreviewIsTheCrawl: the first link that a crawl follows is the first of the preview, when it begins at its start pages, as an
// earlier crawl read them, and when it goes on with the links that an earlier crawl left.
func TestPreviewIsTheCrawl(t *testing.T) {
	for _, share := range []int{0, 1} { // of a second strategy
		t.Run(fmt.Sprint(share), func(t *testing.T) { previewIsTheCrawl(t, share) })
	}
}

func previewIsTheCrawl(t *testing.T, share int) {
	w := mustWorld(t, evening)
	w.mustSettings(t, func(s *settings.Settings) { s.Budget.Pages, s.SecondShare = 8, share })
	topic := w.mustTopic(t, "hockey")
	s, _ := w.start(t, Options{})
	before, err := s.Preview(t.Context(), Previewed{Topic: topic}, 5)
	if err != nil || len(before.Links) > 0 || !slices.Equal(before.Unread, []string{"http://hockey.test/"}) {
		t.Fatalf("before the first crawl: %+v, %v", before, err)
	}
	w.mustRunNow(t, s, topic)
	w.mustEnd(t, topic, 1)
	m, err := models.Latest(t.Context(), w.st.DB, topic)
	if err != nil {
		t.Fatal(err)
	}
	bundle, err := m.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	begin, err := s.Preview(t.Context(), Previewed{Topic: topic, Model: bundle}, 5)
	if err != nil || len(begin.Links) != 5 || len(begin.Unread) > 0 {
		t.Fatalf("from the start page: %+v, %v", begin, err)
	}
	if got := w.fetched()[1]; got != begin.Links[0].URL {
		t.Errorf("the crawl followed %s first, the preview says %+v", got, begin.Links)
	}
	after, err := s.Preview(t.Context(), Previewed{Topic: topic}, 5)
	if err != nil || len(after.Links) != 5 || len(after.Unread) > 0 || after.Links[0].From != "http://hockey.test/" || len(after.Links[0].Why) == 0 {
		t.Fatalf("of the next crawl: %+v, %v", after, err)
	}
	w.mustRunNow(t, s, topic)
	w.mustEnd(t, topic, 2)
	if got := w.fetched()[8]; got != after.Links[0].URL {
		t.Errorf("the second crawl followed %s first, the preview said %+v", got, after.Links[0])
	}
}

// TestPreviewLimits: many start pages with many links, hostile texts, and start pages that are not stored.
func TestPreviewLimits(t *testing.T) {
	w := mustWorld(t, evening)
	topic := w.mustTopic(t, "hockey")
	hostile := `<title><script>alert(1)</script></title><a href="/x">` + "\x00\u202e<b>'\"`" + `</a><a href="javascript:alert(1)">x</a>
		<a href="http://[::1">broken</a><a href="//">none</a>`
	var many strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&many, "<a href=/n%d>number %d</a>\n", i, i)
	}
	pages := map[string]string{"http://hockey.test/": hostile, "http://many.test/": many.String(), "http://empty.test/": ""}
	w.mustSee(t, pages)
	for url := range pages {
		if _, err := startpages.Add(t.Context(), w.st.DB, topic, url); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 60 {
		if _, err := startpages.Add(t.Context(), w.st.DB, topic, fmt.Sprintf("http://new%02d.test/", i)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := New(w.st, &w.bus, quiet(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Preview(t.Context(), Previewed{Topic: topic}, 1_000_000)
	if err != nil || len(p.Links) != previewLinks || len(p.Unread) < 60 {
		t.Errorf("%d links, %d unread, %v", len(p.Links), len(p.Unread), err)
	}
	for _, l := range p.Links {
		if _, err := weburl.Canonical(l.URL); err != nil {
			t.Errorf("%q: %v", l.URL, err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if p, err := s.Preview(ended, Previewed{Topic: topic}, 5); err == nil {
		t.Errorf("nobody waits: %+v", p)
	}
}

// TestPreviewMissing: a topic without a model or start page, and unticked start pages.
func TestPreviewMissing(t *testing.T) {
	w := mustWorld(t, evening)
	s, err := New(w.st, &w.bus, quiet(t))
	if err != nil {
		t.Fatal(err)
	}
	empty, err := topics.Create(t.Context(), w.st.DB, "empty")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Preview(t.Context(), Previewed{Topic: empty.ID}, 5); !errors.Is(err, ErrNoModel) {
		t.Errorf("no model: %v", err)
	}
	topic := w.mustTopic(t, "hockey")
	if err := startpages.Tick(t.Context(), w.st.DB, topic, "http://hockey.test/", false); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Preview(t.Context(), Previewed{Topic: topic}, 5); !errors.Is(err, ErrNoStart) {
		t.Errorf("nothing ticked: %v", err)
	}
	w.mustSee(t, map[string]string{"http://hockey.test/": frontPage})
	p, err := s.Preview(t.Context(), Previewed{Topic: topic, Starts: []string{"http://hockey.test/"}}, 2)
	if err != nil || len(p.Links) != 2 {
		t.Errorf("from a page that is not ticked: %+v, %v", p, err)
	}
	if _, err := s.Preview(t.Context(), Previewed{Topic: empty.ID, Starts: []string{"http://hockey.test/"}}, 2); !errors.Is(err, ErrNoModel) {
		t.Errorf("no model: %v", err)
	}
	if _, _, err := storedPage(t.Context(), w.st.DB, topic, "http://nowhere.test/"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a page that is not stored: %v", err)
	}
}

// TestPreviewSite: the preview as if a site were refused, and as if it were not, whatever it is now.
func TestPreviewSite(t *testing.T) {
	w := mustWorld(t, evening)
	topic := w.mustTopic(t, "hockey")
	w.mustSee(t, map[string]string{"http://hockey.test/": `<title>Front</title><a href="http://sub.bad.test/x">hockey league</a> <a href="/league">hockey results</a>`})
	s, err := New(w.st, &w.bus, quiet(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := models.Latest(t.Context(), w.st.DB, topic)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for refused, want := range map[bool]int{true: 1, false: 2} {
			if p, err := s.Preview(t.Context(), Previewed{Topic: topic, Model: b, As: &Site{"bad.test", refused}}, 10); err != nil || len(p.Links) != want {
				t.Errorf("refused %t: %+v, %v, want %d links", refused, p.Links, err, want)
			}
		}
		if _, err := marks.Refuse(t.Context(), w.st.DB, "bad.test"); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := s.Preview(t.Context(), Previewed{Topic: topic}, 10); err != nil || len(p.Links) != 1 {
		t.Errorf("as it is: %+v, %v", p.Links, err)
	}
}
