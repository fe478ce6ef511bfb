package crawls

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"nightjar/crawler"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/store/storetest"
)

// visitedNights are nights of a topic with a submitted session on two sites of the made-up web.
type visitedNights struct {
	*nights
	session string   // UUID
	loads   []string // of the pages
}

// The pages of the session: two on the site of the start page, one of them under another address, one elsewhere, and a document.
var visitedSession = []int{5, 10, 6, 15}

func newVisitedNights(t *testing.T) *visitedNights {
	t.Helper()
	n := &visitedNights{nights: newNights(t, "test")}
	m := sessiontest.New(1)
	events := []protocol.Event{m.Start("Hockey")}
	n.session = events[0].Session
	for _, i := range visitedSession {
		v := m.Visit(crawlURL(i), "", protocol.HowTyped, "")
		if i == 10 {
			v.Requested = "http://h0.test/short"
		}
		n.loads = append(n.loads, v.Page)
		events = append(events, v, m.Snapshot(v.Page, []byte(n.web.page(i)+`<a href="/only-here/1">1</a><a href="/short">short</a>`)))
	}
	events = append(events, m.Of(protocol.Useful, n.loads[0], ""), m.Event(protocol.Submit))
	sessionstest.Ingest(t, n.s, events...)
	return n
}

// crawlVisited lets a night use its budget and ends it. It returns the visited pages that were read.
func (n *visitedNights) crawlVisited(c Crawl, pages int, off bool) (read []string) {
	n.Helper()
	o := crawler.Options{Starts: c.Options.Starts, Budget: crawler.Budget{Pages: pages}, OnFetch: func(f *crawler.Fetch) {
		if f.Response.Outcome == "visited" {
			read = append(read, f.URL)
		}
	}}
	if !off {
		o.Visited = Visits(n.s.DB, c.TopicID)
	}
	r := mustRunCrawl(n, n.s, c.ID, crawler.Budget{Pages: 9}, crawlStrategies[c.Strategy](), crawlClient{n.url}, o)
	if err := End(n.Context(), n.s.DB, c.ID, r.StopReason); err != nil {
		n.Fatal(err)
	}
	return read
}

func (n *visitedNights) texts(query string, args ...any) []string {
	n.Helper()
	all, err := n.s.Readers.QueryContext(n.Context(), query, args...)
	if err != nil {
		n.Fatal(err)
	}
	defer all.Close()
	var texts []string
	for all.Next() {
		var text string
		if err := all.Scan(&text); err != nil {
			n.Fatal(err)
		}
		texts = append(texts, text)
	}
	return texts
}

// TestVisited: pages of submitted sessions come in the order of the visits, with their copies and other addresses.
func TestVisited(t *testing.T) {
	n := newVisitedNights(t)
	m := sessiontest.New(2)
	start := m.Start("Hockey")
	open := m.Visit("http://h0.test/open", "", protocol.HowTyped, "")
	sessionstest.Ingest(t, n.s, start, open, m.Snapshot(open.Page, []byte("<p>still being recorded</p>")))
	for _, at := range []struct{ after, most int }{{0, 50}, {1, 2}, {4, 9}} {
		got := storetest.Must(visited(t.Context(), n.s.DB, n.c.TopicID, at.after, at.most))(t)
		want := visitedSession[at.after:min(at.after+at.most, len(visitedSession))]
		if len(got) != len(want) {
			t.Fatalf("after %d: %d pages, want %d", at.after, len(got), len(want))
		}
		for i, p := range got {
			also := []string(nil)
			if want[i] == 10 {
				also = []string{"http://h0.test/short"}
			}
			html, err := visitedCopy(t.Context(), n.s.DB, p.URL)
			if err != nil || p.URL != crawlURL(want[i]) || !strings.Contains(string(html), fmt.Sprint("Page ", want[i])) || p.At.IsZero() ||
				!slices.Equal(p.Also, also) && len(p.Also)+len(also) > 0 {
				t.Errorf("page %d is %s, %q at %v; %.20s, %v", want[i], p.URL, p.Also, p.At, html, err)
			}
		}
	}
	if html, err := visitedCopy(t.Context(), n.s.DB, "http://never.test/"); html != nil || err != nil {
		t.Errorf("a page that was never seen: %q, %v", html, err)
	}
}

// TestVisitedNights: the first night reads what the person visited on the sites of the start pages, later nights go on without them, and
// another strategy reads them again. None is requested, and each night counts its own pages only.
func TestVisitedNights(t *testing.T) {
	n := newVisitedNights(t)
	want := []string{crawlURL(5), crawlURL(10), crawlURL(15)}
	if read := n.crawlVisited(n.open(), 20, false); !slices.Equal(read, want) {
		t.Errorf("read %q, want %q", read, want)
	}
	if trail := n.texts(`SELECT f.url FROM fetches f JOIN fetches p ON p.id = f.parent_id WHERE p.outcome = 'visited' AND f.outcome = 'ok'`); len(trail) == 0 {
		t.Errorf("no link of a visited page was followed: %v", n.web.asked)
	}
	if read := n.crawlVisited(n.open(), 20, false); len(read) > 0 {
		t.Errorf("the second night read %q again", read)
	}
	n.c.Strategy = "learner"
	if read := n.crawlVisited(n.open(), 20, false); len(read) > 0 {
		t.Errorf("another strategy reads %q as new", read)
	}
	n.onlyOnce()
	for _, url := range append(want, "http://h0.test/short") {
		if n.web.asked[url] > 0 {
			t.Errorf("%s was requested", url)
		}
	}
	if got := n.texts(`SELECT group_concat(fetched) FROM crawls WHERE queue = (SELECT queue FROM topics WHERE id = ?)`, n.c.TopicID); got[0] != "20,20,20" {
		t.Errorf("the nights used %s pages", got)
	}
	if finds := n.texts(`SELECT url FROM finds`); slices.ContainsFunc(finds, func(url string) bool { return slices.Contains(want, url) }) {
		t.Errorf("visited pages are finds: %q", finds)
	}
	q, err := QueueOf(t.Context(), n.s.DB, n.c.TopicID)
	if read := n.texts(`SELECT count(*) FROM fetches WHERE outcome = 'ok'`); err != nil || fmt.Sprint(q.Read) != read[0] {
		t.Errorf("%d pages read, want %v; %v", q.Read, read, err)
	}
}

// TestVisitedGone: what a session takes along when it is deleted or moved, or its visits are, leaves the queues of its topic, and what a
// crawl found stays.
func TestVisitedGone(t *testing.T) {
	for name, remove := range map[string]func(*visitedNights) error{
		"session deleted": func(n *visitedNights) error {
			one, err := sessions.ByUUID(n.Context(), n.s.DB, n.session)
			if err == nil {
				_, err = sessions.Delete(n.Context(), n.s.DB, one.ID)
			}
			return err
		},
		"session moved": func(n *visitedNights) error {
			m := sessiontest.New(9) // another session, so that moving the first one does not rename the topic
			sessionstest.Ingest(n, n.s, m.Start("Hockey"), m.Event(protocol.SessionPause))
			_, _, err := sessions.Move(n.Context(), n.s.DB, []string{n.session}, "Birds")
			return err
		},
		"visits deleted": func(n *visitedNights) error {
			_, err := sessions.DeleteVisits(n.Context(), n.s.DB, n.session, []string{n.loads[0], n.loads[1], n.loads[3]})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			n := newVisitedNights(t)
			n.crawlVisited(n.open(), 2, false)
			mine := `SELECT url FROM frontier WHERE status = 'queued' AND parent_n IN (SELECT n FROM fetches WHERE outcome = 'visited')`
			if waits := n.texts(mine); len(waits) == 0 {
				t.Fatal("no link of a visited page waits: the test proves nothing")
			}
			fetched := n.texts(`SELECT url FROM fetches WHERE outcome <> 'visited' ORDER BY id`)
			queue := n.texts(`SELECT url FROM frontier WHERE parent_n NOT IN (SELECT n FROM fetches WHERE outcome = 'visited') AND url NOT IN (SELECT url FROM fetches) ORDER BY url`)
			storetest.OK(t, remove(n))
			for what, text := range map[string]string{
				"pages": `SELECT url FROM fetches WHERE outcome = 'visited'`, "links": `SELECT url FROM frontier WHERE url LIKE '%only-here%' AND status = 'queued'
					OR url LIKE '%short%' OR url IN ('` + crawlURL(5) + `', '` + crawlURL(15) + `')`,
			} {
				if left := n.texts(text); len(left) > 0 {
					t.Errorf("%s are left: %q", what, left)
				}
			}
			if now := n.texts(`SELECT url FROM fetches ORDER BY id`); !slices.Equal(now, fetched) {
				t.Errorf("fetches were %q, now %q", fetched, now)
			}
			if now := n.texts(`SELECT url FROM frontier WHERE url NOT IN (SELECT url FROM fetches) ORDER BY url`); !slices.Equal(now, queue) {
				t.Errorf("the queue was %q, now %q", queue, now)
			}
			n.crawlVisited(n.open(), 10, name != "session moved")
		})
	}
}

// TestFollowVisited: nights of a topic follow links on visited pages unless the person wants that not. Other crawls do not.
func TestFollowVisited(t *testing.T) {
	n := newVisitedNights(t)
	night := n.open()
	plan := n.c
	plan.Lasting = false
	own := mustCreateCrawl(t, n.s, plan)
	for i, want := range []bool{true, false, false, true} { // true at first
		changed, err := FollowVisited(t.Context(), n.s.DB, n.c.TopicID, want)
		if err != nil || changed != (i%2 == 1) {
			t.Errorf("set to %v: a change %v, %v", want, changed, err)
		}
		of, err := FollowsVisited(t.Context(), n.s.DB, n.c.TopicID)
		if err != nil || of != want {
			t.Errorf("the topic: %v, want %v; %v", of, want, err)
		}
		for id, want := range map[int64]bool{night.ID: want, own.ID: false} {
			if got, err := Follows(t.Context(), n.s.DB, id); err != nil || got != want {
				t.Errorf("crawl %d: %v, want %v; %v", id, got, want, err)
			}
		}
	}
}
