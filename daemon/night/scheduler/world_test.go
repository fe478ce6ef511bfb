package scheduler

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/store/storetest"
	"nightjar/model"
)

// world is the environment of a scheduler: a store with trained topics, a clock that the test sets and each fetch advances,
// and a web of one host per topic.
type world struct {
	st  *store.Store
	bus notify.Bus

	mu    sync.Mutex
	now   time.Time
	step  time.Duration  // how long a fetch takes
	log   []string       // URLs in the order they were fetched
	pages int            // of each topic's site
	dry   map[string]int // last page of a topic's site that may be what the topic is about; none for no limit
	block map[string]*gate

	restHost  string // that must not be asked from the restFrom-th fetch on
	restFrom  int
	restUntil time.Time

	nth     int // fetch that nthGate holds up, 0 for none
	nthGate *gate
}

// gate holds a fetch up.
type gate struct{ reached, open chan struct{} }

func mustWorld(t *testing.T, start time.Time) *world {
	t.Helper()
	st, err := store.Open(context.Background(), storetest.Path(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	w := &world{st: st, now: start, step: time.Minute, pages: 30, block: map[string]*gate{}}
	st.Now = w.clock
	return w
}

func (w *world) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) set(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = now
}

// hold makes the fetch of a URL wait.
func (w *world) hold(url string) *gate {
	g := &gate{make(chan struct{}), make(chan struct{})}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.block[url] = g
	return g
}

// holdNth makes the n-th fetch wait.
func (w *world) holdNth(n int) *gate {
	w.nth, w.nthGate = n, &gate{make(chan struct{}), make(chan struct{})}
	return w.nthGate
}

func (w *world) fetched() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.log...)
}

// ReadyAt lets every host be contacted at any time, unless it rests.
func (w *world) ReadyAt(url string) time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.restHost != "" && len(w.log) >= w.restFrom && strings.HasPrefix(url, "http://"+w.restHost+"/") {
		return w.restUntil
	}
	return time.Time{}
}

// Fetch serves http://TOPIC.test/N. The front page links to all others; every third is what the topic is about.
func (w *world) Fetch(ctx context.Context, url string) fetch.Response {
	w.mu.Lock()
	w.now = w.now.Add(w.step)
	w.log = append(w.log, url)
	block := w.block[url]
	if len(w.log) == w.nth {
		block = w.nthGate
	}
	pages := w.pages
	w.mu.Unlock()
	if block != nil {
		close(block.reached)
		select {
		case <-block.open:
		case <-ctx.Done():
			return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Canceled}
		}
	}
	topic, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), ".test/")
	var b strings.Builder
	fmt.Fprintf(&b, "<title>%s %s</title>", topic, path)
	n := 0
	fmt.Sscan(path, &n)
	switch {
	case path == "":
		if w.dry[topic] > 0 {
			pages = min(pages, 400) // enough to be given up
		}
		fmt.Fprintf(&b, "<p>portal of %s, with many things</p>", topic)
		for i := 1; i <= pages; i++ {
			fmt.Fprintf(&b, `<a href="/%d">%d</a> `, i, i)
		}
	case n%3 == 0 && (w.dry[topic] == 0 || n <= w.dry[topic]):
		fmt.Fprintf(&b, "<p>%s number%s %s</p>", strings.Repeat(topic+" league results season ", 3), letters(n), own(n))
	default:
		fmt.Fprintf(&b, "<p>gardening weather shopping cars number%s %s</p>", letters(n), own(n))
	}
	body := []byte(b.String())
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.OK, Status: 200, Body: body, Bytes: int64(len(body))}
}

// own returns a dozen words that no other page has: without them, the crawl would take a page for a copy.
func own(n int) string {
	var words []string
	for i := range 12 {
		words = append(words, "q"+letters(n)+letters(i))
	}
	return strings.Join(words, " ")
}

func letters(n int) string { return string([]byte{byte('a' + n/26%26), byte('a' + n%26)}) }

// topic makes a topic with a trained model and a ticked start page.
func (w *world) mustTopic(t *testing.T, name string) int64 {
	t.Helper()
	return w.mustTopicThat(t, name, func(*model.Bundle) {})
}

// mustTopicThat makes a topic whose model is changed before it is stored.
func (w *world) mustTopicThat(t *testing.T, name string, change func(*model.Bundle)) int64 {
	t.Helper()
	ctx := context.Background()
	topic, err := topics.Create(ctx, w.st.DB, name)
	if err != nil {
		t.Fatal(err)
	}
	set := model.TrainingSet{Topic: name, LastEvent: time.Unix(1, 0)}
	for i, text := range []string{"portal of " + name, "gardening weather", "shopping cars", "many things and cars"} {
		set.Pages = append(set.Pages, model.Page{URL: fmt.Sprint("http://old.test/", i), Text: text})
	}
	for i := range 3 {
		set.Pages = append(set.Pages, model.Page{URL: fmt.Sprint("http://old.test/t", i), Target: true,
			Text: strings.Repeat(name+" league results season ", i+1)})
	}
	set.Edges = [][2]int{{0, 1}, {0, 2}, {0, 4}, {1, 2}, {2, 3}, {0, 5}, {0, 6}, {3, 0}}
	bundle, err := model.Train(ctx, set, model.DefaultSettings(), func(model.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	change(bundle)
	if _, err := models.Save(ctx, w.st.DB, w.st.Erasures(), topic.ID, bundle, models.Facts{Facts: bundle.Facts}); err != nil {
		t.Fatal(err)
	}
	if _, err := startpages.Add(ctx, w.st.DB, topic.ID, "http://"+name+".test/"); err != nil {
		t.Fatal(err)
	}
	return topic.ID
}

// exec changes the database behind the store's back.
func (w *world) exec(t *testing.T, text string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(w.st.Path())+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text, args...); err != nil {
		t.Fatal(err)
	}
}

func (w *world) mustSettings(t *testing.T, change func(*settings.Settings)) {
	t.Helper()
	chosen := settings.Default()
	chosen.Night = settings.Window{Enabled: true, Start: "01:00", End: "02:00"}
	chosen.Budget = settings.Budget{}
	change(&chosen)
	if err := w.st.SaveSettings(context.Background(), chosen); err != nil {
		t.Fatal(err)
	}
}

// start runs a scheduler until the test ends or the function it returns is called, which waits for it.
func (w *world) start(t *testing.T, o Options) (s *Scheduler, stop func()) {
	t.Helper()
	o.Workers = 1
	o.Fetcher = func(settings.Settings) (fetch.Fetcher, error) { return w, nil }
	return w.run(t, o)
}

// mustRun runs a scheduler that crawls the live web until the test ends.
func (w *world) mustRun(t *testing.T, o Options) *Scheduler {
	t.Helper()
	s, _ := w.run(t, o)
	return s
}

// mustRunNow starts a crawl.
func (w *world) mustRunNow(t *testing.T, s *Scheduler, topicID int64) int64 {
	t.Helper()
	id, err := s.RunNow(context.Background(), topicID, 0)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (w *world) run(t *testing.T, o Options) (s *Scheduler, stop func()) {
	t.Helper()
	o.Tick = 5 * time.Millisecond // each reads the settings
	if o.Clock == nil {
		o.Clock = clock.Func(w.clock)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s, err := New(w.st, &w.bus, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return s, stop
}

// mustWait waits for news until ok.
func (w *world) mustWait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	news, end := w.bus.Listen()
	defer end()
	late := time.After(3 * time.Minute) // on a busy machine too
	for !ok() {
		select {
		case <-news:
		case <-late:
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

// mustEnd waits for the end of the topic's n-th crawl and returns it. The clock goes on as pages are fetched, so that a night's
// crawl may have begun after it.
func (w *world) mustEnd(t *testing.T, topicID int64, n int) crawls.Crawl {
	t.Helper()
	var last crawls.Crawl
	w.mustWait(t, fmt.Sprintf("the end of crawl %d of topic %d", n, topicID), func() bool {
		views, err := crawls.Views(context.Background(), w.st.DB, 100)
		if err != nil {
			t.Fatal(err)
		}
		views = slices.DeleteFunc(views, func(v crawls.View) bool { return v.TopicID != topicID })
		if len(views) < n || views[len(views)-n].Live() { // the newest comes first
			return false
		}
		last, err = crawls.Get(context.Background(), w.st.DB, views[len(views)-n].ID)
		return err == nil
	})
	return last
}

// mustStartAnew lets the topic's next crawl begin at its start pages.
func (w *world) mustStartAnew(t *testing.T, topic int64) {
	t.Helper()
	if err := crawls.StartAnew(t.Context(), w.st.DB, topic); err != nil {
		t.Fatal(err)
	}
}
