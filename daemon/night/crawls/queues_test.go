package crawls

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/daemon/db"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/store/storetest"
)

// nights are the nights of one topic on the made-up web.
type nights struct {
	*testing.T
	s     *store.Store
	c     Crawl // as the next night is created
	web   *crawlWeb
	url   string   // of its server
	asked []string // URLs of all nights, in order
	said  []string // why nights waited
}

func newNights(t *testing.T, strategy string) *nights {
	t.Helper()
	s, c := mustStoreWithCrawl(t, Options{})
	storetest.OK(t, End(t.Context(), s.DB, c.ID, "not of this test"))
	n := &nights{T: t, s: s, web: &crawlWeb{pages: 200, asked: map[string]int{}}}
	n.c = Crawl{TopicID: c.TopicID, ModelID: c.ModelID, Strategy: strategy, Lasting: true, Options: Options{Starts: []string{crawlURL(0)}}}
	server := httptest.NewServer(n.web)
	t.Cleanup(server.Close)
	n.url = server.URL
	return n
}

// open creates the next night.
func (n *nights) open() Crawl {
	n.Helper()
	return mustCreateCrawl(n, n.s, n.c)
}

// crawl lets a night use its budget, in turns, and ends it.
func (n *nights) crawl(c Crawl, b crawler.Budget) crawler.Result {
	n.Helper()
	r := mustRunCrawl(n, n.s, c.ID, crawler.Budget{Pages: 9}, crawlStrategies[c.Strategy](), crawlClient{n.url}, crawler.Options{
		Budget: b, OnFetch: func(f *crawler.Fetch) { n.asked = append(n.asked, f.URL) },
	})
	if err := End(n.Context(), n.s.DB, c.ID, r.StopReason); err != nil {
		n.Fatal(err)
	}
	return r
}

func (n *nights) resume(id int64) *crawler.Resume {
	n.Helper()
	r, err := Resume(n.Context(), n.s.DB, id)
	if err != nil {
		n.Fatal(err)
	}
	return r
}

// onlyOnce fails when a page was requested twice.
func (n *nights) onlyOnce() {
	n.Helper()
	for url, times := range n.web.asked {
		if times > 1 {
			n.Errorf("%s was requested %d times", url, times)
		}
	}
}

// TestNightsAreOneCrawl: nights fetch what one crawl of the same budget fetches, in the same order, and no page twice.
func TestNightsAreOneCrawl(t *testing.T) {
	effort.Long(t)
	for name := range crawlStrategies {
		for _, parts := range [][]int{{100}, {40, 60}, {1, 9, 30, 60}} {
			t.Run(fmt.Sprint(name, parts), func(t *testing.T) {
				one := newNights(t, name)
				one.crawl(one.open(), crawler.Budget{Pages: 100})
				n := newNights(t, name)
				for _, pages := range parts {
					c := n.open()
					if r := n.crawl(c, crawler.Budget{Pages: pages}); r.Fetched != pages {
						t.Errorf("night %d: %d pages, want %d", c.ID, r.Fetched, pages)
					}
				}
				if len(n.asked) < 100 || !slices.Equal(n.asked, one.asked) {
					t.Errorf("nights fetched\n%s\none crawl\n%s", strings.Join(n.asked, " "), strings.Join(one.asked, " "))
				}
				n.onlyOnce()
			})
		}
	}
}

// TestNightsEnd: nights that go on read the whole web once, also with a limit of pages per host, and the night after that has
// no link left.
func TestNightsEnd(t *testing.T) {
	whole := newNights(t, "test")
	whole.crawl(whole.open(), crawler.Budget{})
	n := newNights(t, "test")
	count := 0
	for {
		c := n.open()
		r := n.crawl(c, crawler.Budget{PerHost: 6})
		if said, wait := linksIn(r.StopReason), len(n.waiting(c.ID)); said != wait {
			t.Errorf("night %d ended with %q, and %d links wait", count, r.StopReason, wait)
		}
		if count++; r.Fetched == 0 || count > 20 {
			if r.StopReason != "no links left" {
				t.Errorf("the last night ended with %q", r.StopReason)
			}
			break
		}
	}
	slices.Sort(n.asked)
	slices.Sort(whole.asked)
	if count < 5 || !slices.Equal(n.asked, whole.asked) {
		t.Errorf("%d nights read %d pages, want the %d of one crawl", count, len(n.asked), len(whole.asked))
	}
	n.onlyOnce()
}

// linksIn adds up the links that the end of a night tells of.
func linksIn(reason string) (all int) {
	for _, m := range regexp.MustCompile(`(\d+) (?:links? of|of other)`).FindAllStringSubmatch(reason, -1) {
		n, _ := strconv.Atoi(m[1]) // digits
		all += n
	}
	return all
}

// waiting lists the links that wait, by URL.
func (n *nights) waiting(id int64) []frontier.Entry {
	n.Helper()
	all := mustQueued(n, n.resume(id))
	slices.SortFunc(all, func(a, b frontier.Entry) int { return strings.Compare(a.URL, b.URL) })
	return all
}

// reread has a night read the stored pages again, in turns of one look at the clock, at most that many, and fetches nothing.
func (n *nights) reread(c Crawl, turns int) (whole bool) {
	n.Helper()
	loading, loaded := context.WithCancel(n.Context())
	defer loaded()
	r, err := Resume(loading, n.s.DB, c.ID)
	if err != nil {
		n.Fatal(err)
	}
	crawl, err := crawler.New(refusing{n}, crawlStrategies[c.Strategy](), crawler.Options{Resume: r, Journal: NewJournal(n.s.DB, c),
		MayBegin: func(time.Time) bool { return false }, OnPause: func(why string) { n.said = append(n.said, why) }})
	if err != nil {
		n.Fatal(err)
	}
	loaded() // each turn has a context of its own
	for range turns {
		if _, err := crawl.Run(context.Background(), crawler.Budget{Time: time.Nanosecond}); err != nil {
			n.Fatal(err)
		}
		if n.resume(c.ID).Stored == nil {
			return true
		}
	}
	return false
}

// inTurn lists links in the order in which they were found, without their numbers: links to the ends of redirects, which are known
// when pages are read again, get none.
func inTurn(links []frontier.Entry) []frontier.Entry {
	all := slices.SortedFunc(slices.Values(links), func(a, b frontier.Entry) int { return cmp.Compare(a.Seq, b.Seq) })
	for i := range all {
		all[i].Seq = 0
	}
	return all
}

// TestRereadIsReading: a strategy that reads the stored pages again values the queue as it did when they were fetched, and learns
// the same, also when it is killed on the way.
func TestRereadIsReading(t *testing.T) {
	for name := range crawlStrategies {
		t.Run(name, func(t *testing.T) {
			n := newNights(t, name)
			n.crawl(n.open(), crawler.Budget{Pages: 120})
			c := n.open()
			before, learned := n.waiting(c.ID), n.resume(c.ID).Learned
			storetest.Change(t, n.s, `UPDATE crawls SET valued = 0 WHERE id = ?`, c.ID)
			storetest.Change(t, n.s, `UPDATE frontier SET note = NULL, path = NULL, priority = '[7]' WHERE status = 'queued'`)
			if !n.reread(c, 20) {
				t.Fatal("the pages are not read")
			}
			after := n.waiting(c.ID)
			if got, want := inTurn(after), inTurn(before); name == "test" && !reflect.DeepEqual(got, want) {
				t.Errorf("waiting\n%+v\nwant\n%+v", got, want)
			}
			if len(before) < 30 || !slices.EqualFunc(after, before, func(a, b frontier.Entry) bool { return a.URL == b.URL && len(a.Note) == len(b.Note) }) {
				t.Errorf("%d links wait, want %d", len(after), len(before))
			}
			if again := n.resume(c.ID).Learned; !bytes.Equal(again, learned) {
				t.Errorf("learned %s, want %s", again, learned)
			}
			n.crawl(c, crawler.Budget{})
			n.onlyOnce()
		})
	}
}

// TestGivenUpStays: a link that was given up since its fetches were interrupted is not followed again when a later night finds it on
// a stored page.
func TestGivenUpStays(t *testing.T) {
	n := newNights(t, "test")
	n.crawl(n.open(), crawler.Budget{Pages: 20})
	c := n.open()
	given := n.waiting(c.ID)[0].URL
	storetest.Change(t, n.s, `UPDATE frontier SET attempts = 2 WHERE url = ?`, given) // as after two kills
	n.crawl(c, crawler.Budget{Pages: 20})
	n.c.Strategy = "learner" // which reads the stored pages again
	n.crawl(n.open(), crawler.Budget{})
	if n.web.asked[given] > 0 {
		t.Errorf("%s was asked for", given)
	}
	n.onlyOnce()
}

// TestRereadStops: a crawl that is stopped while it reads the stored pages again says so, not that it failed.
func TestRereadStops(t *testing.T) {
	n := newNights(t, "learner")
	n.crawl(n.open(), crawler.Budget{Pages: 20})
	n.c.Strategy = "test"
	c := n.open()
	r := storetest.Must(Resume(t.Context(), n.s.DB, c.ID))(t)
	ctx, stop := context.WithCancelCause(t.Context())
	crawl := storetest.Must(crawler.New(refusing{n}, crawlStrategies[c.Strategy](), crawler.Options{Resume: r, Journal: NewJournal(n.s.DB, c),
		OnPause: func(string) { stop(crawler.Stop("stopped by you")) }}))(t)
	got, err := crawl.Run(ctx, crawler.Budget{})
	if err != nil || got.End != crawler.Stopped || got.StopReason != "stopped by you" {
		t.Errorf("%v, %q, error %v", got.End, got.StopReason, err)
	}
	if !n.reread(c, 20) {
		t.Error("the next turn does not read the pages")
	}
}

// TestAnotherStrategy: a night with another strategy values what waits anew, and then fetches what is left, each page once. Links
// that no stored page holds come last.
func TestAnotherStrategy(t *testing.T) {
	n := newNights(t, "test")
	n.crawl(n.open(), crawler.Budget{Pages: 60})
	storetest.Change(t, n.s, `INSERT INTO frontier (crawl_id, url, status, priority, seq, depth) SELECT queue, 'http://h1.test/p1001', 'queued', '[2000000000]', 9999, 3 FROM topics`)
	n.c.Strategy = "learner"
	c := n.open()
	if n.resume(c.ID).Stored == nil {
		t.Fatal("the links count as valued")
	}
	if !n.reread(c, 20) {
		t.Fatal("the pages are not read")
	}
	if want := []string{"it reads the pages of earlier nights again: 0 of 60", ""}; !slices.Equal(n.said, want) {
		t.Errorf("it said %q, want %q", n.said, want)
	}
	with, without := 0, 0
	for _, e := range n.waiting(c.ID) {
		if len(e.Note) > 0 {
			with++
		} else {
			without++
		}
	}
	if with < 20 || without != 1 {
		t.Errorf("%d links have notes of the new strategy, %d none, want one", with, without)
	}
	n.crawl(c, crawler.Budget{})
	n.onlyOnce()
	if last := n.asked[len(n.asked)-1]; last != "http://h1.test/p1001" && n.web.asked["http://h1.test/p1001"] != 1 {
		t.Errorf("the link that no page holds was not followed; last %s", last)
	}
	if len(n.web.asked) < 150 {
		t.Errorf("only %d pages were read", len(n.web.asked))
	}
}

// TestStartAnew: a topic that starts anew forgets its queue and the pages kept for it once the night begins, not before; going back
// undoes it until then.
func TestStartAnew(t *testing.T) {
	n := newNights(t, "learner")
	n.crawl(n.open(), crawler.Budget{Pages: 50})
	topic, ctx := n.c.TopicID, t.Context()
	queue := func() TopicQueue {
		t.Helper()
		q := storetest.Must(QueueOf(ctx, n.s.DB, topic))(t)
		return q
	}
	before := queue()
	if before.Read < 40 || before.Waiting < 20 || before.Anew || before.Since.IsZero() {
		t.Errorf("before: %+v", before)
	}
	for _, step := range []struct {
		do   func(context.Context, *db.DB, int64) error
		want bool
	}{{StartAnew, true}, {StartAnew, true}, {GoBack, false}, {GoBack, false}, {StartAnew, true}} {
		storetest.OK(t, step.do(ctx, n.s.DB, topic))
		want := before
		want.Anew = step.want
		if got := queue(); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	contents := storetest.Count(t, n.s, "SELECT count(*) FROM fetches WHERE content_hash IS NOT NULL")
	c := n.open()
	mustReadLinks(n.T, n.s)
	storetest.OK(t, DropQueues(ctx, n.s.DB))
	if left := storetest.Count(t, n.s, "SELECT count(*) FROM fetches WHERE content_hash IS NOT NULL"); left >= contents || left == 0 {
		t.Errorf("%d contents of %d are left, want those on the way to finds", left, contents)
	}
	if got := queue(); got != (TopicQueue{Waiting: 1}) || c.Queue != c.ID {
		t.Errorf("the new queue: %+v of crawl %d", got, c.Queue)
	}
	if err := GoBack(ctx, n.s.DB, topic); err != nil || queue().Waiting != 1 {
		t.Errorf("going back after the night began: %v, %+v", err, queue())
	}
}

// TestOldTexts: the texts of the last pages of a queue are kept, and of older ones those of finds and of the pages that led there.
// Another model then reads what is left.
func TestOldTexts(t *testing.T) {
	n := newNights(t, "learner")
	first := n.open()
	n.crawl(first, crawler.Budget{Pages: 60})
	texts := func(c Crawl, relevant int) int {
		t.Helper()
		return storetest.Count(t, n.s, fmt.Sprintf(`SELECT count(*) FROM fetches WHERE content_hash IS NOT NULL AND crawl_id = %d AND relevant = %d`, c.ID, relevant))
	}
	before, second := texts(first, 0), n.open()
	r := mustRunCrawl(t, n.s, second.ID, crawler.Budget{}, crawlStrategies["learner"](), crawlClient{n.url}, crawler.Options{Budget: crawler.Budget{Pages: 40}})
	storetest.Change(t, n.s, `UPDATE fetches SET n = n + ? WHERE crawl_id = ?`, store.KeptTexts, second.ID)
	mustReadLinks(n.T, n.s)
	storetest.OK(t, End(t.Context(), n.s.DB, second.ID, r.StopReason))
	if old := texts(first, 0); before < 20 || old >= before || texts(first, 1) == 0 || texts(second, 0) < 20 {
		t.Errorf("of the first night %d texts of useless pages, before %d, and %d of others; %d of the second one", old, before, texts(first, 1), texts(second, 0))
	}
	if n := storetest.Count(t, n.s, `SELECT count(*) FROM finds JOIN fetches f ON f.id = fetch_id LEFT JOIN fetches p ON p.id = f.parent_id
		WHERE f.content_hash IS NULL OR p.id IS NOT NULL AND p.content_hash IS NULL`); n > 0 {
		t.Errorf("the texts of %d finds, or of the pages that led there, are gone", n)
	}
	n.c.Strategy = "test"
	n.crawl(n.open(), crawler.Budget{})
	n.onlyOnce()
}

// TestPlansHaveTheirOwn: a crawl by a plan neither takes the topic's queue nor changes it.
func TestPlansHaveTheirOwn(t *testing.T) {
	n := newNights(t, "test")
	n.crawl(n.open(), crawler.Budget{Pages: 30})
	before := storetest.Must(QueueOf(t.Context(), n.s.DB, n.c.TopicID))(t)
	plan := n.c
	plan.Lasting, plan.Options = false, Options{Starts: []string{crawlURL(0)}, Budget: settings.Budget{Pages: 10}}
	if r := n.crawl(mustCreateCrawl(t, n.s, plan), crawler.Budget{Pages: 10}); r.Fetched != 10 {
		t.Errorf("the plan fetched %d pages", r.Fetched)
	}
	if after, err := QueueOf(t.Context(), n.s.DB, n.c.TopicID); err != nil || after != before {
		t.Errorf("after the plan: %+v, %v; want %+v", after, err, before)
	}
}

// refusing fails when it is asked for a page.
type refusing struct{ *nights }

func (refusing) ReadyAt(string) time.Time { return time.Time{} }

func (f refusing) Fetch(_ context.Context, url string) fetch.Response {
	f.Errorf("%s was requested", url)
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Missing}
}
