package crawls

import (
	"maps"
	"reflect"
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
	"nightjar/daemon/app/wings"
	"nightjar/daemon/db"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/store/storetest"
)

const (
	listedAt = "http://maps.a.test/sitemap.xml" // a list of www.a.test
	pageText = "<p>words of a page"
)

// listedNight is a night of a topic that read two lists. Its pages, as their numbers in fetches:
//
//	1 (start) -> 7 (find)
//	2 (list of three addresses) -> 4 (find) -> 5 -> 6 (find)
//	3 (list of five addresses, on a host of which no page was fetched)
//	8 (visited)
//	9 (looked at again)
type listedNight struct {
	*nights
	c Crawl
}

func newListedNight(t *testing.T) *listedNight {
	t.Helper()
	n := &listedNight{nights: newNights(t, "test")}
	n.nights.c.Options.Starts = []string{"http://www.a.test/"}
	n.c = n.open()
	start, one, deep, find := n.read(1, "http://www.a.test/", 0, 0), n.read(4, "http://www.a.test/1", 2, 1), n.read(5, "http://www.a.test/1/a", 4, 2), n.read(6, "http://www.a.test/1/b", 5, 3)
	linked, visited, look := n.read(7, "http://www.a.test/linked", 1, 1), n.read(8, "http://www.a.test/visited", 0, 0), n.read(9, "http://www.a.test/", 0, 0)
	one.Relevant, find.Relevant, linked.Relevant = true, true, true
	visited.Response.Outcome, visited.Cost = fetch.Visited, 0
	look.Look, look.Response.Reason = &crawler.Look{News: 1, Claimed: true}, crawler.ClaimedReason
	list := n.list(2, listedAt, "http://www.a.test/1", "http://www.a.test/2", "http://www.a.test/3")
	list.Response.Exchanges = []fetch.Exchange{{At: hostNow, URL: listedAt, Purpose: fetch.ForSitemap, Bytes: 7}}
	other := n.list(3, "http://only.test/sitemap.xml")
	other.Links = 5
	mustCommit(t, NewJournal(n.s.DB, n.c), &crawler.Batch{Fetches: []*crawler.Fetch{start, list, other, one}, Totals: crawler.Totals{Fetched: 2, Relevant: 1}})
	mustCommit(t, NewJournal(n.s.DB, n.c), &crawler.Batch{Fetches: []*crawler.Fetch{deep, find, linked, visited, look}, Totals: crawler.Totals{Fetched: 6, Relevant: 3}})
	return n
}

// read is a page that was fetched.
func (n *listedNight) read(number int, url string, parent, depth int) *crawler.Fetch {
	return &crawler.Fetch{N: number, URL: url, FinalURL: url, ParentN: parent, Depth: depth, At: hostNow.Add(time.Duration(number) * time.Second),
		Title: url, Cost: 1, Credit: true, TextHash: int64(100 + number), Simhash: uint64(number), Links: 2, Done: []string{url},
		Page: &page.Page{URL: url, Text: "words"}, Judgement: strategy.Judgement{Cluster: -1, Similarity: 0.5}, Response: fetch.Response{Outcome: fetch.OK, Status: 200, Body: []byte(pageText)}}
}

// list is a list as the crawler records it.
func (n *listedNight) list(number int, url string, urls ...string) *crawler.Fetch {
	f := &crawler.Fetch{N: number, URL: url, FinalURL: url, At: hostNow.Add(time.Duration(number) * time.Second), Links: len(urls), Chance: -1,
		Judgement: strategy.Judgement{Cluster: -1}, Response: fetch.Response{Outcome: fetch.Listed, Bytes: 70}}
	for i, u := range urls {
		f.Queued = append(f.Queued, frontier.Entry{URL: u, Host: weburl.Host(u), Parent: number, Depth: 1, Priority: strategy.Priority{int32(9 - i)}, Seq: int64(10*number + i), Note: []byte("note")})
	}
	return f
}

// id is the id of an attempt.
func (n *listedNight) id(number int) (id int64) {
	n.Helper()
	if err := n.s.Readers.QueryRow(`SELECT f.id FROM fetches f JOIN crawls c ON c.id = f.crawl_id WHERE c.queue = ? AND f.n = ?`, n.c.Queue, number).Scan(&id); err != nil {
		n.Fatal(err)
	}
	return id
}

// trail is the trail of an attempt: numbers of its pages, each after the list that it was in.
func (n *listedNight) trail(number int) string {
	n.Helper()
	steps, err := finds.Trail(n.Context(), n.s.DB, n.id(number))
	if err != nil {
		n.Fatal(err)
	}
	var texts []string
	for _, step := range steps {
		texts = append(texts, strings.TrimSpace(step.List+" "+step.URL))
	}
	return strings.Join(texts, ", ")
}

// TestListedTrails: a list is no page of a trail, and no link is counted from it, also when a later night fetches a page of it.
func TestListedTrails(t *testing.T) {
	n := newListedNight(t)
	storetest.Change(t, n.s, `UPDATE crawls SET status = 'ended'`)
	n.c = n.open()
	late := n.read(10, "http://www.a.test/2", 2, 1)
	late.Relevant = true
	mustCommit(t, NewJournal(n.s.DB, n.c), &crawler.Batch{Fetches: []*crawler.Fetch{late}, Totals: crawler.Totals{Fetched: 1, Relevant: 1}})
	for number, want := range map[int]string{
		4: listedAt + " http://www.a.test/1", 6: listedAt + " http://www.a.test/1, http://www.a.test/1/a, http://www.a.test/1/b",
		7: "http://www.a.test/, http://www.a.test/linked", 10: listedAt + " http://www.a.test/2", 2: "",
	} {
		if got := n.trail(number); got != want {
			t.Errorf("the trail of %d: %s; want %s", number, got, want)
		}
	}
	if text, err := progressOf(t.Context(), n.s.DB, n.c.ID); err != nil || !strings.HasPrefix(text, "looks {Pages:0 News:0 Visited:0 Lists:0 Listed:0}") {
		t.Errorf("of the second night: %s, %v", text, err)
	}
}

// TestListsAreNoPages: what counts the pages or requests of a crawl leaves lists out, and CrawlLooks counts them.
func TestListsAreNoPages(t *testing.T) {
	n := newListedNight(t)
	ctx, id := t.Context(), n.c.ID
	const want = "looks {Pages:1 News:1 Visited:1 Lists:2 Listed:8}, outcomes [{Outcome:ok Status:0 Count:6 Example:}], " +
		"hosts map[www.a.test:{Relevant:3 Outcomes:[{Outcome:ok Status:0 Count:6 Example:}]}], 6 points to {Fetched:6 Relevant:3 Similarity:3 Pages:6}, " +
		"requests map[maps.a.test:1]"
	if text, err := progressOf(ctx, n.s.DB, id); err != nil || text != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
	if q, err := QueueOf(ctx, n.s.DB, n.c.TopicID); err != nil || q.Read != 5 || q.Waiting != 2 {
		t.Errorf("queue: %+v, %v; want 5 pages and 2 links", q, err)
	}
}

// TestListedResume: a crawl that goes on knows the lists of its queue as such, and counts them neither among its pages nor its outcomes.
// So does one that reads the stored pages again.
func TestListedResume(t *testing.T) {
	n := newListedNight(t)
	storetest.Change(t, n.s, `UPDATE crawls SET valued = 1 WHERE id = ?`, n.c.ID)
	r := n.resume(n.c.ID)
	want := crawler.PastStep{N: 2, URL: listedAt,
		Seen: crawler.Seen{At: time.UnixMilli(db.Millis(hostNow.Add(2 * time.Second))), Links: 3, Listed: true}}
	var steps []int
	for _, s := range r.Steps {
		if steps = append(steps, s.N); s.Listed != (s.N == 2 || s.N == 3) {
			t.Errorf("step %d: a list: %v", s.N, s.Listed)
		}
		if s.N == 9 && (s.Look == nil || *s.Look != crawler.Look{News: 1, Claimed: true}) {
			t.Errorf("the look is %+v", s.Look)
		}
		if s.N == 2 && !reflect.DeepEqual(s, want) {
			t.Errorf("the list is %+v, want %+v", s, want)
		}
	}
	if !slices.Equal(steps, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}) || r.LastN != 9 {
		t.Errorf("steps %v, last %d", steps, r.LastN)
	}
	if want := map[fetch.Outcome]int{fetch.OK: 6}; !maps.Equal(r.Outcomes, want) {
		t.Errorf("outcomes %v, want %v", r.Outcomes, want)
	}
	if want := map[string]int{"www.a.test": 6}; !maps.Equal(r.Hosts, want) {
		t.Errorf("hosts %v, want %v", r.Hosts, want)
	}
	if len(r.Texts) != 7 || len(r.Harvest) != 5 || len(r.Past) != 7 || !r.Past[6].Again || r.Past[1].Parent != listedAt {
		t.Errorf("texts %v, harvest %v, past %+v", r.Texts, r.Harvest, r.Past)
	}
	waits := map[string]int{}
	for _, e := range n.waiting(n.c.ID) {
		waits[e.URL] = e.Parent
	}
	if want := map[string]int{"http://www.a.test/2": 2, "http://www.a.test/3": 2}; !maps.Equal(waits, want) {
		t.Errorf("waiting %v, want %v", waits, want)
	}

	storetest.Change(t, n.s, `UPDATE crawls SET valued = 0 WHERE id = ?`, n.c.ID)
	r = n.resume(n.c.ID)
	if len(r.Steps) > 0 || r.Outcomes[fetch.Listed] > 0 || r.Hosts["only.test"] > 0 {
		t.Errorf("to be read again: %+v", r)
	}
	stored, err := r.Stored(t.Context(), 0, 99)
	if err != nil || len(stored) != 9 {
		t.Fatalf("%d stored attempts, %v", len(stored), err)
	}
	for _, a := range stored {
		list := a.N == 2 || a.N == 3
		if a.Listed != list || (a.Outcome == fetch.Listed) != list || (a.HTML == nil) != list {
			t.Errorf("attempt %d: a list: %v, %s, %q", a.N, a.Listed, a.Outcome, a.HTML)
		}
	}
	if got := stored[1]; !reflect.DeepEqual(got.PastStep, want) || got.Queued != listedAt || got.Cost != 0 {
		t.Errorf("the stored list is %+v", got)
	}
}

// TestListedErased: a list on an erased host goes as a page does. The pages in it stay if they are on other hosts, and so do the links
// to them, without what was learned.
func TestListedErased(t *testing.T) {
	n := newListedNight(t)
	plan, err := erasing.PlanFor(t.Context(), n.s.DB, wings.Erasing, "maps.a.test")
	if err != nil || plan.Fetches != 1 || plan.Contacts != 1 || plan.Finds+plan.Frontier > 0 {
		t.Errorf("the plan: %+v, %v", plan, err)
	}
	storetest.Must(eraseHost(t.Context(), n.s, "maps.a.test"))(t)
	storetest.Grep(t, n.s, "maps.a.test")
	if left, err := db.Query(t.Context(), n.s.Readers, db.ScanText, `SELECT url FROM fetches WHERE outcome = 'listed'`); err != nil || !slices.Equal(left, []string{"http://only.test/sitemap.xml"}) {
		t.Errorf("lists %q are left, %v", left, err)
	}
	if got := n.trail(4); got != "http://www.a.test/1" {
		t.Errorf("a trail from the list: %s", got)
	}
	if finds := storetest.Count(t, n.s, `SELECT count(*) FROM finds`); finds != 3 {
		t.Errorf("%d finds", finds)
	}
	var urls []string
	for _, e := range n.waiting(n.c.ID) {
		if urls = append(urls, e.URL); len(e.Note) > 0 {
			t.Errorf("%s has the note %q", e.URL, e.Note)
		}
	}
	if !slices.Equal(urls, []string{"http://www.a.test/2", "http://www.a.test/3"}) {
		t.Errorf("waiting: %q", urls)
	}
	if err := n.s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	storetest.Must(eraseHost(t.Context(), n.s, "a.test"))(t)
	if links := storetest.Count(t, n.s, `SELECT count(*) FROM frontier`); links != 0 {
		t.Errorf("%d links are left", links)
	}
}
