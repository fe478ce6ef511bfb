package crawls

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"nightjar/crawler"
	"nightjar/crawler/clock"
	"nightjar/crawler/frontier"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// stormNights are nights of one topic of which each has a process that is killed several times.
type stormNights struct {
	Store, Server string
	Nights        []stormNight
	Place         string // where the process kills itself, "" for nowhere
	Pass          int    // how often it comes there before
}

type stormNight struct{ Strategy, Second string }

const (
	stormPages   = 60 // a night
	stormVisited = 60 // pages of the session
)

// The places at which a process of TestNightsSurviveKills kills itself.
const (
	killCreated = "the night is created"
	killRereads = "before what was read again is stored"
	killReread  = "what was read again is stored"
	killCommits = "before a commit"
	killCommit  = "after a commit"
	killEnds    = "before the night ends"
	killEnded   = "the night ended"
)

// crawl crawls all nights that are left, as the scheduler does.
func (n *stormNights) crawl(t *testing.T, s *store.Store) {
	t.Helper()
	due := cutShort(t, s)
	here := func(place string) {
		if place != n.Place || len(due) > 0 {
			return
		}
		if n.Pass--; n.Pass < 0 {
			killSelf(t)
		}
	}
	for {
		c, more := n.night(t, s)
		if !more {
			return
		}
		here(killCreated)
		j := &dyingJournal{NewJournal(s.DB, c), here, &due}
		r := mustRunCrawl(t, s, c.ID, crawler.Budget{Pages: 3}, crawlStrategies[c.Strategy](), crawlClient{n.Server}, crawler.Options{
			Journal: j, Budget: crawler.Budget{Pages: stormPages}, LookAgain: true, Starts: c.Options.Starts,
			Visited: Visits(s.DB, c.TopicID),
			Clock:   clock.Func(func() time.Time { return time.Unix(1_900_000_000, 0).AddDate(0, 0, int(c.ID)) }),
		})
		here(killEnds)
		if err := End(t.Context(), s.DB, c.ID, r.StopReason); err != nil {
			t.Fatal(err)
		}
		here(killEnded)
	}
}

// night returns the open night, or creates the next one.
func (n *stormNights) night(t *testing.T, s *store.Store) (c Crawl, more bool) {
	t.Helper()
	open, err := Open(t.Context(), s.DB)
	if err != nil {
		t.Fatal(err)
	}
	if len(open) > 0 {
		return open[0], true
	}
	had := storetest.Count(t, s, "SELECT count(*) FROM crawls WHERE topic_id = 1")
	if had == len(n.Nights) {
		return c, false
	}
	next := n.Nights[had]
	return mustCreateCrawl(t, s, Crawl{TopicID: 1, ModelID: 1, Lasting: true, Strategy: next.Strategy,
		Options: Options{Starts: []string{crawlURL(0), crawlURL(1)}, Second: next.Second, SecondShare: 30}}), true
}

// dyingJournal tells what happens with each commit.
type dyingJournal struct {
	*Journal
	here func(place string)
	due  *[]string // URLs that must be recorded before the process may be killed again
}

func (j *dyingJournal) Commit(ctx context.Context, b *crawler.Batch) error {
	before, after := killCommits, killCommit
	if b.Reread != nil {
		before, after = killRereads, killReread
	}
	j.here(before)
	if err := j.Journal.Commit(ctx, b); err != nil {
		return err
	}
	*j.due = slices.DeleteFunc(*j.due, func(u string) bool {
		return slices.ContainsFunc(b.Fetches, func(f *crawler.Fetch) bool { return f.URL == u })
	})
	j.here(after)
	return nil
}

func killSelf(t *testing.T) {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Error(err)
	}
	select {} // until it takes effect
}

// TestNightsChild is not a test: it is the process that TestNightsSurviveKills starts.
func TestNightsChild(t *testing.T) {
	var n stormNights
	given := os.Getenv("NIGHTJAR_TEST_NIGHTS")
	if given == "" {
		t.Skip("only run as a child process")
	}
	if err := json.Unmarshal([]byte(given), &n); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), n.Store)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	defer http.DefaultClient.CloseIdleConnections()
	n.crawl(t, s)
}

// TestNightsSurviveKills kills processes that crawl the nights of one topic, at each step from the creation of a night to its end,
// and while a strategy that is not that of the night before reads the stored pages again. What the nights record, what waits after
// them and what was learned is what nights without kills leave. No URL is asked for once more than without kills unless one cut its fetch short.
func TestNightsSurviveKills(t *testing.T) {
	if testing.Short() {
		t.Skip("starts 32 processes")
	}
	t.Parallel()
	places := []string{killCommit, killEnds, killEnded, // of the first night
		killCreated, killRereads, killReread, killReread, killCommits, killEnds, killEnded,
		killCreated, killReread, killRereads, killReread, killCommit}
	for name, nights := range map[string][]stormNight{
		"a learner goes on": {{"learner", ""}, {"test", ""}, {"learner", ""}, {"learner", ""}},
		"a second strategy": {{"test", "learner"}, {"learner", "test"}, {"test", "learner"}, {"test", "learner"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calm, calmWeb := newStorm(t, nights)
			calm.Place = ""
			quiet := mustOpen(t, calm.Store)
			calm.crawl(t, quiet)

			stormy, web := newStorm(t, nights)
			random := rand.New(rand.NewPCG(53, uint64(len(name))))
			s := mustOpen(t, stormy.Store)
			doubled := map[string]bool{}
			for _, place := range append(places, "") {
				for _, u := range cutShort(t, s) {
					doubled[u] = true
				}
				stormy.Place, stormy.Pass = place, 0
				if place == killCommit || place == killCommits {
					stormy.Pass = random.IntN(20)
				}
				if killed := stormy.live(t); killed != (place != "") {
					t.Fatalf("killed when %q: %v", place, killed)
				}
			}
			if got, want := fetched(t, s), fetched(t, quiet); len(want) < 4*stormPages || !slices.Equal(got, want) {
				t.Errorf("recorded %d, want %d\n%s", len(got), len(want), cmp.Diff(want, got))
			}
			if got, want := left(t, s), left(t, quiet); len(want.Waiting) < 30 || !reflect.DeepEqual(got, want) {
				t.Errorf("left\n%+v\nwant\n%+v", got, want)
			}
			if n := storetest.Count(t, s, "SELECT count(*) FROM fetches WHERE outcome = 'visited'"); n < stormVisited {
				t.Errorf("%d visited pages were read", n)
			}
			for u, n := range web.asked {
				if more := n - calmWeb.asked[u]; more > 1 || more > 0 && !doubled[u] {
					t.Errorf("%s was asked for %d times, without kills %d times", u, n, calmWeb.asked[u])
				}
			}
			if looks := storetest.Count(t, s, "SELECT count(*) FROM fetches WHERE look IS NOT NULL"); looks < 5 {
				t.Errorf("%d pages were looked at again", looks)
			}
			if err := s.Check(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// newStorm makes a store with a topic that has no crawl, and a web.
func newStorm(t *testing.T, nights []stormNight) (*stormNights, *crawlWeb) {
	t.Helper()
	s, _ := mustStoreWithCrawl(t, Options{})
	storetest.Change(t, s, "DELETE FROM crawls")
	web := &crawlWeb{pages: 400, asked: map[string]int{}}
	server := httptest.NewServer(web)
	t.Cleanup(server.Close)
	m := sessiontest.New(1) // a session of the topic, with pages that are read in two commits
	events := []protocol.Event{m.Start("Hockey")}
	for i := 5; len(events) <= 2*stormVisited; i += 5 {
		if i%17 == 16 || i%13 == 12 { // not found, or led elsewhere
			continue
		}
		v := m.Visit(crawlURL(i), "", protocol.HowTyped, "")
		events = append(events, v, m.Snapshot(v.Page, []byte(web.page(i))))
	}
	sessionstest.Ingest(t, s, append(events, m.Of(protocol.Useful, events[1].Page, ""), m.Event(protocol.Submit))...)
	return &stormNights{Store: s.Path(), Server: server.URL, Nights: nights}, web
}

func mustOpen(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// live runs a process until its end and reports whether it killed itself.
func (n *stormNights) live(t *testing.T) (killed bool) {
	t.Helper()
	given, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestNightsChild$")
	cmd.Env = append(os.Environ(), "NIGHTJAR_TEST_NIGHTS="+string(given))
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = io.Discard, &out
	err = cmd.Run()
	if err != nil && cmd.ProcessState.Exited() {
		t.Fatalf("the process ended by itself: %v\n%s", err, out.String())
	}
	return err != nil
}

// nightsLeft is what nights leave for the next one.
type nightsLeft struct {
	Waiting []frontier.Entry
	Done    []string
	Learned string
	Nights  []string
}

func left(t *testing.T, s *store.Store) (l nightsLeft) {
	t.Helper()
	r, err := Resume(t.Context(), s.DB, int64(storetest.Count(t, s, "SELECT max(id) FROM crawls")))
	if err != nil {
		t.Fatal(err)
	}
	l.Waiting, l.Done, l.Learned = inTurn(mustQueued(t, r)), r.Done, string(r.Learned)
	slices.Sort(l.Done)
	l.Nights, err = db.Query(t.Context(), s.Readers, db.ScanText, `SELECT printf('%d of queue %d: %d pages, %d relevant, %s', id, queue, fetched, relevant, stop_reason)
		FROM crawls ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	return l
}
