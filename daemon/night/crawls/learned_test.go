package crawls

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// crawlStrategies makes the strategies of tests by name.
var crawlStrategies = map[string]func() strategy.Strategy{
	"test":    func() strategy.Strategy { return crawlStrategy{} },
	"learner": func() strategy.Strategy { return new(crawlLearner) },
}

// crawlLearner learns from each page something of the links that end in the same digit, such that forgetting any page
// would change the order of what follows. Its notes hold a word of their own.
type crawlLearner struct {
	crawlStrategy
	Worth [10]uint32
}

func digit(url string) int { return int(url[len(url)-1]-'0') % 10 }

func (l *crawlLearner) Read(ctx context.Context, v strategy.Visit) (strategy.Judgement, error) {
	j, err := l.crawlStrategy.Read(ctx, v)
	for _, c := range []byte(v.Page.Text) {
		w := &l.Worth[digit(v.URL)]
		*w = *w*31 + uint32(c)
	}
	for i, link := range v.Page.Links {
		note, err := json.Marshal(map[string]any{"own": j.Priorities[i], "word": "notecanary"})
		if err != nil {
			panic(err)
		}
		j.Notes = append(j.Notes, note)
		j.Priorities[i] = l.Priority(link.URL, note)
	}
	j.Reorder = true
	if !v.Start {
		j.Why = []strategy.Reason{{Name: "digit", Value: float64(digit(v.URL))}, {Name: "way", Value: -0.5}}
	}
	return j, err
}

func (l *crawlLearner) Priority(url string, note []byte) strategy.Priority {
	var n struct{ Own strategy.Priority }
	if err := json.Unmarshal(note, &n); err != nil {
		panic(err)
	}
	return append(strategy.Priority{int32(l.Worth[digit(url)] % 50)}, n.Own...)
}

func (l *crawlLearner) Teach(strategy.Mark) {}
func (l *crawlLearner) Ask(int) []string    { return nil }
func (l *crawlLearner) Snapshot() []byte {
	return fmt.Appendf(nil, `{"Worth":%s,"Word":"statecanary"}`, l.worth())
}
func (l *crawlLearner) Restore(b []byte) error { return json.Unmarshal(b, l) }

func (l *crawlLearner) worth() []byte {
	data, err := json.Marshal(l.Worth)
	if err != nil {
		panic(err)
	}
	return data
}

// mustLearn crawls some pages of the made-up web with the learner, without ending the crawl.
func mustLearn(tb testing.TB, s *store.Store, c Crawl, pages int) (*crawlLearner, []*crawler.Fetch) {
	tb.Helper()
	server := httptest.NewServer(&crawlWeb{pages: 200, asked: map[string]int{}})
	defer server.Close()
	var l crawlLearner
	var all []*crawler.Fetch
	mustRunCrawl(tb, s, c.ID, crawler.Budget{}, &l, crawlClient{server.URL}, crawler.Options{
		Budget: crawler.Budget{Pages: pages}, OnFetch: func(f *crawler.Fetch) { all = append(all, f) },
	})
	return &l, all
}

func mustMark(tb testing.TB, s *store.Store, find int64, mark string) {
	tb.Helper()
	storetest.OK(tb, s.Commit(tb.Context(), func(w *db.Work) { store.PutMarks(w, s.Now(), []int64{find}, mark) }))
}

// TestLearnedIsKept: notes, what was learned and why links were followed come back as they were; what is done keeps no
// note; a crawl that ended keeps nothing of it but the reasons.
func TestLearnedIsKept(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}})
	l, all := mustLearn(t, s, c, 20)
	r := storetest.Must(Resume(t.Context(), s.DB, c.ID))(t)
	if !bytes.Equal(r.Learned, l.Snapshot()) {
		t.Errorf("learned %s, want %s", r.Learned, l.Snapshot())
	}
	notes := map[string][]byte{}
	for _, f := range all {
		for _, e := range f.Queued {
			notes[e.URL] = e.Note
		}
	}
	queued := mustQueued(t, r)
	for _, e := range queued {
		if len(e.Note) == 0 || !bytes.Equal(e.Note, notes[e.URL]) {
			t.Errorf("note of %s is %q, want %q", e.URL, e.Note, notes[e.URL])
		}
	}
	if n := storetest.Count(t, s, "SELECT count(*) FROM frontier WHERE status <> 'queued' AND note IS NOT NULL"); n > 0 || len(queued) < 20 {
		t.Errorf("%d links that need no fetch have notes, %d wait", n, len(queued))
	}
	view, err := ByID(t.Context(), s.DB, c.ID)
	var last time.Time
	for _, f := range all {
		if f.Learned != nil {
			last = f.At.Truncate(time.Millisecond)
		}
	}
	if err != nil || !view.LearnedAt.Equal(last) {
		t.Errorf("learned at %v, %v; want %v", view.LearnedAt, err, last)
	}
	if read := storetest.Count(t, s, "SELECT count(*) FROM fetches WHERE outcome = 'ok'"); view.Learned != read || read < 15 {
		t.Errorf("learned from %d pages, want %d", view.Learned, read)
	}
	for _, f := range all {
		id := int64(storetest.Count(t, s, fmt.Sprint("SELECT id FROM fetches WHERE n = ", f.N)))
		trail, err := finds.Trail(t.Context(), s.DB, id)
		if err != nil || len(trail) == 0 {
			t.Fatal(trail, err)
		}
		if got := trail[len(trail)-1].Why; len(got)+len(f.Judgement.Why) > 0 && !reflect.DeepEqual(got, f.Judgement.Why) {
			t.Errorf("why %s: %v, want %v", f.URL, got, f.Judgement.Why)
		}
	}
	storetest.OK(t, End(t.Context(), s.DB, c.ID, "enough"))
	if n := storetest.Count(t, s, "SELECT (SELECT count(*) FROM learned) + (SELECT count(*) FROM frontier WHERE note IS NOT NULL)"); n > 0 {
		t.Errorf("%d notes and states are left of an ended crawl", n)
	}
}

// TestNoNotes: a strategy without notes leaves none, and a fetch whose strategy cannot say why has no reasons.
func TestNoNotes(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}})
	mustCrawlWeb(t, s, c.ID, 10)
	if n := storetest.Count(t, s, "SELECT count(*) FROM frontier WHERE note IS NOT NULL"); n > 0 {
		t.Errorf("%d notes", n)
	}
	if n := storetest.Count(t, s, "SELECT count(*) FROM fetches WHERE why <> '[]'"); n > 0 {
		t.Errorf("%d fetches have reasons", n)
	}
	if view, err := ByID(t.Context(), s.DB, c.ID); err != nil || !view.LearnedAt.IsZero() || view.Learned != 0 {
		t.Errorf("learned at %v from %d, %v", view.LearnedAt, view.Learned, err)
	}
}

// TestReasonsThatAreNoNumbers: they are left out rather than stop the crawl.
func TestReasonsThatAreNoNumbers(t *testing.T) {
	why := []strategy.Reason{{Name: "a", Value: math.NaN()}, {Name: "b", Value: 1}, {Name: "c", Value: math.Inf(-1)}}
	for _, tt := range []struct {
		why  []strategy.Reason
		want string
	}{{why, `[{"name":"b","value":1}]`}, {why[:1], "[]"}, {nil, "[]"}} {
		if got, err := reasons(tt.why).Value(); err != nil || got != tt.want {
			t.Errorf("%v: %s, %v; want %s", tt.why, got, err, tt.want)
		}
	}
	if !math.IsNaN(why[0].Value) {
		t.Error("the strategy's own list was changed")
	}
}

// TestEraseLearned: erasing a site, a session or what a model knows leaves nothing that was learned from them, on the
// disk either.
func TestEraseLearned(t *testing.T) {
	for name, erase := range map[string]func(*testing.T, *store.Store){
		"a site": func(t *testing.T, s *store.Store) {
			storetest.Must(eraseHost(t.Context(), s, "h1.test"))(t)
		},
		"a model": func(t *testing.T, s *store.Store) {
			storetest.OK(t, models.Forget(t.Context(), s.DB, 1))
		},
		"everything": func(t *testing.T, s *store.Store) {
			storetest.OK(t, erasing.All(t.Context(), s))
			storetest.Grep(t, s, "notecanary")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}})
			mustLearn(t, s, c, 20)
			if n := storetest.Count(t, s, "SELECT count(*) FROM learned"); n != 1 {
				t.Fatalf("%d states are kept", n)
			}
			erase(t, s)
			storetest.Grep(t, s, "statecanary")
		})
	}
}

// TestEraseLinksOfSite: of the links on an erased site's pages to other sites neither anchor nor note nor reason stays.
func TestEraseLinksOfSite(t *testing.T) {
	const ofSite = `FROM frontier JOIN fetches ON fetches.crawl_id = frontier.crawl_id AND n = parent_n WHERE fetches.host = 'h1.test' AND status = 'queued'`
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}})
	mustLearn(t, s, c, 20)
	links := storetest.Must(db.Query(t.Context(), s.Readers, db.ScanText, "SELECT frontier.url "+ofSite))(t)
	children := storetest.Must(db.Query(t.Context(), s.Readers, db.ScanID, `SELECT f.id FROM fetches f JOIN fetches p ON p.id = f.parent_id
		WHERE p.host = 'h1.test' AND f.host <> 'h1.test' AND f.anchor <> '' AND f.why <> '[]'`))(t)
	other := "SELECT count(*) FROM frontier WHERE note IS NOT NULL AND anchor <> ''"
	before := storetest.Count(t, s, other)
	storetest.Must(eraseHost(t.Context(), s, "h1.test"))(t)
	left := 0
	for _, u := range links {
		if weburl.Host(u) == "h1.test" {
			continue
		}
		left++
		if n := storetest.Count(t, s, "SELECT count(*) FROM frontier WHERE url = '"+u+"' AND note IS NULL AND anchor = ''"); n != 1 {
			t.Errorf("%s keeps words of the page that links to it", u)
		}
	}
	for _, id := range children {
		if n := storetest.Count(t, s, fmt.Sprintf("SELECT count(*) FROM fetches WHERE id = %d AND anchor = '' AND why = '[]'", id)); n != 1 {
			t.Errorf("fetch %d keeps words of the page that links to it", id)
		}
	}
	if after := storetest.Count(t, s, other); left < 3 || len(children) == 0 || after == 0 || after >= before {
		t.Errorf("%d links and %d fetches of the site's pages, %d of %d notes left: the test proves little", left, len(children), after, before)
	}
}

// TestLearnedOfErasedModel: a crawl whose model is erased while it runs keeps nothing more of what it learns.
func TestLearnedOfErasedModel(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}})
	storetest.OK(t, models.Forget(t.Context(), s.DB, c.ModelID))
	mustLearn(t, s, c, 5)
	if n := storetest.Count(t, s, "SELECT count(*) FROM learned"); n != 0 {
		t.Errorf("%d states are kept", n)
	}
}

// TestMarksSince: every word on a topic's finds after a given one, in order, and those of the topics it is made of.
func TestMarksSince(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}})
	finds := mustCrawlWeb(t, s, c.ID, 60)
	other := storetest.Must(topics.Create(t.Context(), s.DB, "Curling"))(t)
	ice := storetest.Must(topics.Combine(t.Context(), s.DB, "Ice", []int64{c.TopicID, other.ID}))(t)
	said := []struct {
		find int
		mark string
	}{{0, store.MarkUseful}, {1, store.MarkNotUseful}, {0, store.MarkNone}, {0, store.MarkNotUseful}}
	var want []strategy.Mark
	for _, m := range said {
		mustMark(t, s, finds[m.find], m.mark)
		url := storetest.Must(db.Single[string](t.Context(), s.Readers, `SELECT url FROM finds WHERE id = ?`, finds[m.find]))(t)
		want = append(want, strategy.Mark{URL: url, Useful: m.mark == store.MarkUseful, Gone: m.mark == store.MarkNone})
	}
	for topic, heard := range map[int64]bool{c.TopicID: true, ice.ID: true, other.ID: false} {
		var after int64
		for i := range len(want) + 1 {
			all := storetest.Must(MarksSince(t.Context(), s.DB, topic, after))(t)
			var got []strategy.Mark
			for _, m := range all {
				got = append(got, m.Mark)
			}
			if wanted := want[i:]; heard && !slices.Equal(got, wanted) || !heard && len(got) > 0 {
				t.Errorf("topic %d after %d: %v, want %v", topic, after, got, wanted)
			}
			if len(all) > 0 {
				after = all[0].ID
			}
		}
	}
	plan, err := db.Query(t.Context(), s.Readers, func(row db.Scanner) (string, error) {
		var text string
		var rest [3]int
		return text, row.Scan(&rest[0], &rest[1], &rest[2], &text)
	}, "EXPLAIN QUERY PLAN "+marksSince, c.TopicID, 0)
	if err != nil || !strings.Contains(plan[0], "feedback USING INTEGER PRIMARY KEY (rowid>?)") {
		t.Errorf("asking in vain looks at more than the newest marks: %q, %v", plan, err)
	}
}

// TestLearnerNeedsItsState keeps the learner of these tests honest: without what it learned, it orders differently.
func TestLearnerNeedsItsState(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	fresh, taught := new(crawlLearner), new(crawlLearner)
	for range 20 {
		i := r.IntN(100)
		storetest.Must(taught.Read(t.Context(), strategy.Visit{Start: true, URL: crawlURL(i), Page: &page.Page{Text: fmt.Sprint("page ", i)}}))(t)
	}
	note := []byte(`{"own":[1]}`)
	differ := 0
	for i := range 100 {
		if fresh.Priority(crawlURL(i), note).Compare(taught.Priority(crawlURL(i), note)) != 0 {
			differ++
		}
	}
	if differ < 50 {
		t.Errorf("%d of 100 links are worth something else after learning", differ)
	}
}
