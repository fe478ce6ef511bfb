package cli

import (
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/daemon/app"
	"nightjar/daemon/app/apptest"
	"nightjar/daemon/command"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/settings"
	"nightjar/daemon/store"
	"nightjar/model"
)

// quays serves a site with pages about harbours and other pages, most of them compressed. It has redirects, missing pages,
// one page under two addresses, and links in mixed order.
func quays(t *testing.T) string {
	t.Helper()
	const pages = 60
	words := []string{"harbour crane quay", "forest tree moss", "mountain rock snow", "river boat bridge", "harbour ship sail"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := 0
		if r.URL.Path != "/" {
			if _, err := fmt.Sscanf(r.URL.Path, "/place-%d", &n); err != nil || n >= pages || n%13 == 12 {
				http.NotFound(w, r)
				return
			}
		}
		if n%11 == 10 {
			http.Redirect(w, r, fmt.Sprintf("/place-%d", n-1), http.StatusFound)
			return
		}
		text := words[n%len(words)]
		html := fmt.Sprintf("<title>%s %d</title><p>%s of this coast.</p><p>%s</p>", text, n, strings.Repeat(text+" ", 5), prose(n))
		if n%17 == 16 { // the same page again
			html = "<title>copy</title><p>" + strings.Repeat("A page that stands under several addresses about a harbour quay. ", 30)
		}
		for _, to := range []int{n*3 + 1, n*3 + 2, n*5 + 4, n + 1} {
			html += fmt.Sprintf(`<a href="/place-%d">%s %d</a> `, to%pages, words[to%len(words)], to%pages)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if n%3 == 0 {
			fmt.Fprint(w, html)
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, html)
		z.Close()
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// prose returns a different text for each page.
func prose(n int) string {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	var b strings.Builder
	for range 120 {
		for range 2 + rng.IntN(3) {
			b.WriteString([]string{"ka", "lo", "mi", "tu", "re", "sa", "no", "vi"}[rng.IntN(8)])
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// crawlNight has a daemon crawl the site for the topic Harbours with an archive, and marks two finds.
func crawlNight(t *testing.T, dir, at, start string) store.Crawl {
	t.Helper()
	ctx := t.Context()
	daemon := apptest.Serve(t, app.Config{Data: dir, Workers: 1, Resolve: []string{"quays.test=" + at}, FillDisk: true})
	file, err := os.Open(apptest.Harbours(t))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := daemon.Import(ctx, file); err != nil {
		t.Fatal(err)
	}
	apptest.Trained(t, daemon.Store, 1)
	topic, err := daemon.Store.TopicByName(ctx, "Harbours")
	if err != nil {
		t.Fatal(err)
	}
	s := settings.Default()
	s.Delay, s.Strategy, s.OnMains, s.Unmetered, s.Contact = 0, "breadth-first", false, false, "me@example.org"
	s.Budget = settings.Budget{Pages: 45}
	if err := daemon.Store.SaveSettings(ctx, s); err != nil {
		t.Fatal(err)
	}
	if _, err := daemon.Store.AddStart(ctx, topic.ID, start); err != nil {
		t.Fatal(err)
	}
	starts, err := daemon.Store.Starts(ctx, topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range starts {
		if err := daemon.Store.TickStart(ctx, topic.ID, one.URL, one.URL == start); err != nil {
			t.Fatal(err)
		}
	}
	id, err := daemon.Scheduler.RunNow(ctx, topic.ID)
	if err != nil {
		t.Fatal(err)
	}
	var c store.Crawl
	for deadline := time.Now().Add(3 * time.Minute); c.Status != store.CrawlEnded; time.Sleep(20 * time.Millisecond) {
		if c, err = daemon.Store.CrawlByID(ctx, id); err != nil || time.Now().After(deadline) {
			t.Fatalf("the crawl does not end: %+v, %v", c, err)
		}
	}
	waitUntilRead(t, dir)
	finds, err := daemon.Store.FindViews(ctx, store.FindFilter{Limit: 3})
	if err != nil || len(finds) < 3 {
		t.Fatalf("%d finds, %v; %+v", len(finds), err, c)
	}
	for i, mark := range []string{"useful", "useful", "not-useful"} {
		if err := daemon.Store.Mark(ctx, finds[i].ID, mark); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// waitUntilRead waits until the links of all pages are read: until then the database keeps the pages.
func waitUntilRead(t *testing.T, dir string) {
	t.Helper()
	db, err := sql.Open("sqlite", store.FileURL(filepath.Join(dir, "nightjar.db"))+"?mode=ro&_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const unread = "SELECT (SELECT count(*) FROM link_queue) + (SELECT count(*) FROM crawls WHERE unread = 1)"
	for deadline, left := time.Now().Add(3*time.Minute), 1; left > 0; time.Sleep(20 * time.Millisecond) {
		if err := db.QueryRow(unread).Scan(&left); err != nil || time.Now().After(deadline) {
			t.Fatalf("%d pages are not read, %v", left, err)
		}
	}
}

// TestNightReplayed crawls a site over HTTP with a daemon, makes a benchmark of that night, and crawls it again. Both the
// archive and the benchmark give the same pages in the same order.
func TestNightReplayed(t *testing.T) {
	const start = "http://quays.test/"
	dir := t.TempDir()
	c := crawlNight(t, dir, quays(t), start)
	var want []string // page and title, as fetched
	st, err := store.Open(t.Context(), filepath.Join(dir, "nightjar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.NightPages(t.Context(), c.ID, func(p store.NightPage) error {
		want = append(want, p.URL)
		return nil
	}); err != nil || len(want) < 30 {
		t.Fatalf("%d pages, %v", len(want), err)
	}

	out := filepath.Join(t.TempDir(), "night")
	code, text, errs := mustRun(t, "corpus", "night", "--data", dir, "--topic", "harbours", "--out", out, "--json")
	if code != 0 || errs != "" {
		t.Fatalf("corpus night: %d %s %s", code, text, errs)
	}
	var made nightResult
	if err := json.Unmarshal([]byte(text), &made); err != nil || made.Pages != len(want) || made.Lacking != 0 || made.Marked != 2 || made.Relevant != "useful" || len(made.Commands) != 2 {
		t.Errorf("%+v, %v", made, err)
	}
	for _, web := range []string{filepath.Join(out, "night.warc.gz"), filepath.Join(dir, "archive")} {
		if got := again(t, web, filepath.Join(out, "model.bundle"), c); !slices.Equal(got, want) {
			t.Errorf("%s:\n%v, then\n%v", filepath.Base(web), want, got)
		}
	}
	for _, line := range made.Commands {
		args := strings.Fields(line)[1:]
		if args[0] == "bench" {
			continue // it starts processes of the program, which this test is not
		}
		if code, text, errs := mustRun(t, args...); code != 0 || !strings.Contains(text, "breadth-first") {
			t.Errorf("%s: %d %s %s", line, code, text, errs)
		}
	}
	labels, err := corpus.ReadLabels([]string{filepath.Join(out, "labels.tsv")})
	if err != nil || len(labels.With("useful")) != 2 || len(labels.With("not-useful")) != 1 || len(labels.With("judged")) < 3 {
		t.Errorf("labels %v, %v", labels, err)
	}
	if info, err := os.Stat(filepath.Join(out, "night.warc.gz")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}

	// Without the archive, the database still has the pages as long as the topic's queue, and those of the trails as long as the finds.
	if err := os.RemoveAll(filepath.Join(dir, "archive")); err != nil {
		t.Fatal(err)
	}
	code, text, errs = mustRun(t, "corpus", "night", "--data", dir, "--topic", "harbours", "--out", out)
	if code != 0 || strings.Contains(errs, "no longer stored") || !strings.Contains(text, command.Plural(len(want), "page")) {
		t.Errorf("without an archive: %d %s %s", code, text, errs)
	}
	startAnew(t, st, c)
	code, text, errs = mustRun(t, "corpus", "night", "--data", dir, "--topic", "harbours", "--night", c.OfNight(), "--out", out)
	if code != 0 || !strings.Contains(errs, "no longer stored") || !strings.Contains(text, " bench --corpus") {
		t.Errorf("without an archive: %d %s %s", code, text, errs)
	}
	if code, _, errs := mustRun(t, "corpus", "night", "--data", dir, "--topic", "harbours", "--night", "1999-01-01", "--out", out); code != 1 || !strings.Contains(errs, "was not crawled") {
		t.Errorf("a night that never was: %d %s", code, errs)
	}
}

// startAnew begins a crawl of the same topic at its start pages.
func startAnew(t *testing.T, st *store.Store, c store.Crawl) {
	t.Helper()
	if err := st.StartAnew(t.Context(), c.TopicID); err != nil {
		t.Fatal(err)
	}
	c.Lasting = true
	if _, err := st.CreateCrawl(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := st.DropQueues(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// again repeats a crawl of the daemon on a recording and returns the pages in order.
func again(t *testing.T, web, bundle string, c store.Crawl) (pages []string) {
	t.Helper()
	replay, report, err := fetch.OpenReplay([]string{web})
	if err != nil {
		t.Fatal(err)
	}
	defer replay.Close()
	if len(report.Problems) > 0 || report.MissingOriginals > 0 {
		t.Errorf("%s: %v", web, report)
	}
	encoded, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	b, err := model.Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	s, err := strategy.New(t.Context(), c.Strategy, b)
	if err != nil {
		t.Fatal(err)
	}
	_, err = crawler.Run(t.Context(), replay, s, crawler.Options{
		Starts: c.Options.Starts, Budget: crawler.Budget{Pages: c.Totals.Fetched}, Workers: 1,
		OnFetch: func(f *crawler.Fetch) {
			if f.Response.Outcome == fetch.OK {
				pages = append(pages, f.FinalURL)
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}
