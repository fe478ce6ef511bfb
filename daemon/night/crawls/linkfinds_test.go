package crawls

import (
	"slices"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// linking makes a submitted session on Hockey with links to these pages that look useful.
func linking(t *testing.T, s *store.Store, seed uint64, links ...string) (*sessiontest.Maker, sessions.Session) {
	t.Helper()
	m := sessiontest.New(seed)
	events := []protocol.Event{m.Start("Hockey")}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		events = append(events, m.Visit("http://ice.test/"+name, name, protocol.HowTyped, ""))
	}
	events = append(events, m.Of(protocol.Useful, events[1].Page, ""))
	for _, url := range links {
		link := m.Of(protocol.LinkUseful, events[2].Page, "")
		link.URL = url
		events = append(events, link)
	}
	sessionstest.Ingest(t, s, append(events, m.Event(protocol.Submit))...)
	one, err := sessions.ByUUID(t.Context(), s.DB, m.Session)
	if err != nil || one.Status != sessions.Submitted {
		t.Fatalf("%+v, %v", one, err)
	}
	return m, one
}

// fetched is a fetch of a page that the crawl judged not to be relevant.
func fetchedLink(n int, url, final string, outcome fetch.Outcome) *crawler.Fetch {
	f := &crawler.Fetch{N: n, URL: url, FinalURL: final, Title: "Offside", At: time.UnixMilli(int64(n) * 1000), Cost: 1, Done: []string{url, final},
		Response: fetch.Response{Outcome: outcome, FinalURL: final, Reason: "the host does not answer"}}
	if outcome == fetch.OK {
		f.Page, f.Response.Body = &page.Page{URL: final, Title: "Offside"}, []byte("<p>offside")
	}
	return f
}

// linkCrawl creates a crawl of the topic.
func linkCrawl(t *testing.T, s *store.Store, topic int64, o Options) Crawl {
	t.Helper()
	if storetest.Count(t, s, "SELECT count(*) FROM models") == 0 {
		storetest.Must(s.Writer.Exec("INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'', '{}', 0)", topic))(t)
	}
	return mustCreateCrawl(t, s, Crawl{TopicID: topic, ModelID: 1, Strategy: "test", Options: o})
}

// mustBecome checks what became of the links of a session.
func mustBecome(t *testing.T, s *store.Store, uuid string, want ...string) {
	t.Helper()
	one := storetest.Must(sessions.ByUUID(t.Context(), s.DB, uuid))(t)
	links := storetest.Must(sessions.MarkedLinks(t.Context(), s.DB, one))(t)
	var got []string
	for _, l := range links {
		state := l.Became
		if l.Taken {
			state += ", taken back"
		}
		if l.Mark != "" {
			state += ", " + l.Mark
		}
		got = append(got, state)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the links became %q, want %q", got, want)
	}
}

// A crawl fetches the page of a link that looks useful first, and makes it a find that is marked Useful, even when it would
// not have been one. Taking the link back takes the mark back.
func TestCrawlOfLinks(t *testing.T) {
	s := storetest.Open(t)
	m, one := linking(t, s, 1, "http://rules.test/offside", "http://rules.test/gone", "http://ice.test/b", "http://bank.test/x",
		"http://rules.test/login?token=0123456789abcdef0123456789abcdef")
	all := storetest.Must(s.Settings(t.Context()))(t)
	all.NeverRecord = append(all.NeverRecord, "bank.test")
	storetest.OK(t, s.SaveSettings(t.Context(), all))
	links, err := PendingLinks(t.Context(), s.DB, one.TopicID, all.NeverRecord, 10)
	if err != nil || !slices.Equal(links, []string{"http://rules.test/offside", "http://rules.test/gone"}) {
		t.Fatalf("%v, %v", links, err)
	}
	mustBecome(t, s, m.Session, sessions.LinkWaits, sessions.LinkWaits, sessions.LinkVisited, sessions.LinkNever, sessions.LinkSecret)
	crawl := linkCrawl(t, s, one.TopicID, Options{Starts: []string{"http://ice.test/a"}, Links: links})
	if first := crawl.Options.First(); len(first) != 3 || storetest.Count(t, s, "SELECT count(*) FROM frontier") != 3 {
		t.Fatalf("the crawl begins with %v", first)
	}
	made := 0
	j := NewJournal(s.DB, crawl)
	j.OnFind = func(int64) { made++ }
	storetest.OK(t, j.Commit(t.Context(), &crawler.Batch{Fetches: []*crawler.Fetch{
		fetchedLink(1, "http://rules.test/offside", "http://rules.test/en/offside", fetch.OK),
		fetchedLink(2, "http://rules.test/gone", "http://rules.test/gone", fetch.Network),
		fetchedLink(3, "http://ice.test/a", "http://ice.test/a", fetch.OK),
	}}))
	found, err := markedFinds(t.Context(), s.DB, one.TopicID)
	if err != nil || made != 1 || !slices.Equal(found, []string{"+http://rules.test/en/offside"}) {
		t.Fatalf("%d finds made, marked: %+v, %v", made, found, err)
	}
	if news, err := MarksSince(t.Context(), s.DB, one.TopicID, 0); err != nil || len(news) != 1 {
		t.Errorf("a running crawl hears %v, %v", news, err)
	}
	mustBecome(t, s, m.Session, sessions.LinkFound+", useful", sessions.LinkFailed, sessions.LinkVisited, sessions.LinkNever, sessions.LinkSecret)
	if links, err = PendingLinks(t.Context(), s.DB, one.TopicID, all.NeverRecord, 10); err != nil || !slices.Equal(links, []string{"http://rules.test/gone"}) {
		t.Errorf("%v still wait, %v", links, err)
	}

	storetest.OK(t, sessions.SayOfLink(t.Context(), s.DB, m.Session, "http://rules.test/offside", false))
	if found, err := markedFinds(t.Context(), s.DB, one.TopicID); err != nil || len(found) != 0 {
		t.Errorf("after it was taken back, marked: %+v, %v", found, err)
	}
	mustBecome(t, s, m.Session, sessions.LinkFound+", taken back, none", sessions.LinkFailed, sessions.LinkVisited, sessions.LinkNever, sessions.LinkSecret)
}

// What the person marked otherwise stays, a find that was there is marked, and links of open and other sessions do not count.
func TestCrawlOfLinksKeepsMarks(t *testing.T) {
	s := storetest.Open(t)
	m, one := linking(t, s, 1, "http://rules.test/1", "http://rules.test/2", "http://rules.test/3")
	crawl := linkCrawl(t, s, one.TopicID, Options{Starts: []string{"http://ice.test/a"}, Links: []string{"http://rules.test/1", "http://rules.test/2", "http://rules.test/3"}})
	relevant := fetchedLink(1, "http://rules.test/1", "http://rules.test/1", fetch.OK)
	relevant.Relevant = true
	j := NewJournal(s.DB, crawl)
	if err := sessions.SayOfLink(t.Context(), s.DB, m.Session, "http://rules.test/3", false); err != nil { // while the crawl runs
		t.Fatal(err)
	}
	storetest.OK(t, j.Commit(t.Context(), &crawler.Batch{Fetches: []*crawler.Fetch{relevant,
		fetchedLink(2, "http://rules.test/2", "http://rules.test/2", fetch.OK), fetchedLink(3, "http://rules.test/3", "http://rules.test/3", fetch.OK)},
		Undone: []int{2}}))
	mustBecome(t, s, m.Session, sessions.LinkFound+", useful", sessions.LinkFailed, sessions.LinkWaits+", taken back")
	find := int64(storetest.Count(t, s, "SELECT id FROM finds"))
	mustMark(t, s, find, store.MarkNotUseful)
	again := linkCrawl(t, s, one.TopicID, Options{Starts: []string{"http://ice.test/a"}, Links: []string{"http://rules.test/1"}})
	storetest.OK(t, NewJournal(s.DB, again).Commit(t.Context(), &crawler.Batch{Fetches: []*crawler.Fetch{fetchedLink(1, "http://rules.test/1", "http://rules.test/1", fetch.OK)}}))
	mustBecome(t, s, m.Session, sessions.LinkFound+", not-useful", sessions.LinkFailed, sessions.LinkWaits+", taken back")
}
