package kills

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// crawlPlaces are those that a crawl comes to all the time, ending those that it comes to at its end.
var (
	crawlPlaces = []string{"crawl.before-fetch", "crawl.fetched", "store.journal.packed", "store.journal.committed", "archive.file-begun",
		"archive.before-write", "archive.written", "store.write.before-commit", "store.write.after-commit", atRandom}
	endingPlaces = []string{"crawl.before-end", "archive.file-synced"}
)

// toCrawl makes a data folder with a model and a crawl of a web that has not begun.
func toCrawl(t *testing.T, w *web) (data string) {
	t.Helper()
	data = learned(t, 1, 1)
	withStore(t, data, func(st *store.Store) {
		s := settings.Default()
		s.Delay = delay.Seconds()
		s.OnMains, s.Unmetered = false, false
		about, err := topics.ByName(t.Context(), st.DB, topic)
		if err != nil {
			t.Fatal(err)
		}
		m, err := models.Latest(t.Context(), st.DB, about.ID)
		if err != nil {
			t.Fatal(err)
		}
		if err := st.SaveSettings(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		toCrawlNight(t, st, crawls.Crawl{TopicID: about.ID, ModelID: m.ID, Strategy: "link-value"}, w, 3*w.pages)
	})
	return data
}

// toCrawlNight creates a crawl of a web.
func toCrawlNight(t *testing.T, st *store.Store, c crawls.Crawl, w *web, pages int) {
	t.Helper()
	c.Options = crawls.Options{Starts: []string{w.url(0)}, Budget: settings.Budget{Pages: pages}, Resolve: w.rules}
	if _, err := crawls.Create(t.Context(), st.DB, c); err != nil {
		t.Fatal(err)
	}
}

// crawled lets a crawl go on to its end.
func crawled(t *testing.T, data string, w *web) {
	t.Helper()
	l := mustServe(t, data, w.flags()...)
	waitCrawl(t, data)
	l.stop()
}

func waitCrawl(t *testing.T, data string) {
	t.Helper()
	wait(t, "the crawl", func() bool { return crawlEnded(t, data) })
}

func crawlEnded(t *testing.T, data string) bool {
	t.Helper()
	db := look(t, database(data))
	defer db.Close()
	return count(t, db, "SELECT count(*) FROM crawls WHERE status <> 'ended'") == 0
}

// underWay lists the addresses whose fetch was begun and has no result.
func underWay(t *testing.T, data string) []string {
	t.Helper()
	db := look(t, database(data))
	defer db.Close()
	return lines(t, db, "SELECT url FROM frontier WHERE status = 'queued' AND attempts > 0")
}

// TestCrawling ends the program while it crawls, at many moments of one crawl. In the end every page was read that an
// undisturbed crawl reads, none was asked for more than twice, and more than once only when a kill cut its fetch short; and no
// host was asked sooner than its delay allows, not after a kill either.
func TestCrawling(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	inParts(t, kills(), 3, func(t *testing.T, n, part int) {
		hosts, pages := 40, 240+n*len(crawlPlaces)*45 // a life reads about 20 pages, twice as many on a busy machine
		stormy := newWeb(t, hosts, pages)
		data := toCrawl(t, stormy)
		random := rand.New(rand.NewPCG(3, uint64(part)))
		cut := map[string]bool{}
		ended := 0
		for range n {
			for _, place := range crawlPlaces {
				if crawlEnded(t, data) {
					break
				}
				liveCrawl(t, data, stormy, place, random, cut)
				ended++
				sound(t, database(data))
			}
		}
		noteCut(t, data, cut)
		if ended < n*len(crawlPlaces)*3/4 {
			t.Errorf("the crawl ended after %d kills: make the web larger", ended)
		}
		crawled(t, data, stormy)
		t.Logf("%d kills, %d of %d pages were being fetched", ended, len(cut), pages)
		checkCrawl(t, data, stormy, cut)
		stormy.polite(t, cut)
		db := look(t, database(data))
		defer db.Close()
		if n := count(t, db, "SELECT count(*) FROM fetches WHERE outcome = 'listed'"); n == 0 {
			t.Error("the crawl read no list")
		}
	})
}

// noteCut adds the addresses whose fetch the end of the program cut short to cut, and returns them.
func noteCut(t *testing.T, data string, cut map[string]bool) (now []string) {
	t.Helper()
	now = underWay(t, data)
	for _, url := range now {
		cut[url] = true
	}
	return now
}

// liveCrawl runs the program until it is ended at a place, but not before it has read the pages whose fetches its last end cut
// short: a page is fetched twice at most, so that two ends during its fetch lose it. It adds those pages to cut.
func liveCrawl(t *testing.T, data string, w *web, place string, random *rand.Rand, cut map[string]bool) {
	t.Helper()
	p := at(place, 1+random.IntN(8))
	p.after = filepath.Join(t.TempDir(), "go on")
	due := noteCut(t, data, cut)
	read := func() bool {
		db := look(t, database(data))
		defer db.Close()
		return count(t, db, "SELECT count(*) FROM frontier WHERE status = 'queued' AND attempts > 0 AND url IN (SELECT value FROM json_each(?))", list(due)) == 0
	}
	if place == "archive.file-begun" { // which a life comes to once, with its first page
		for first := true; first || len(due) > 0; first = false { // a stop, too, cuts fetches short that take longer than it waits
			l := mustServe(t, data, w.flags()...)
			wait(t, "the pages that were cut short", read)
			l.stop()
			due = noteCut(t, data, cut)
		}
		p.pass, p.after = 1, ""
	}
	l := serve(t, p, data, w.flags()...)
	if l.ready() && p.after != "" {
		wait(t, "the pages that were cut short", read)
		mustWrite(t, p.after)
	}
	if place == atRandom {
		time.Sleep(time.Duration(random.IntN(1000)) * time.Millisecond)
		l.kill()
	}
	l.diesOr(func() bool { return crawlEnded(t, data) })
}

// list writes texts for json_each.
func list(all []string) string {
	if all == nil {
		return "[]"
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // cannot happen: texts
	}
	return string(text)
}

// checkCrawl checks what a crawl that has ended read of a web.
func checkCrawl(t *testing.T, data string, w *web, cut map[string]bool) {
	t.Helper()
	sound(t, database(data))
	db := look(t, database(data))
	defer db.Close()
	for _, line := range lines(t, db, "SELECT n, url, outcome, reason FROM fetches WHERE outcome NOT IN ('ok', 'listed') ORDER BY n") {
		t.Error("not read: ", line)
	}
	same(t, "pages read", lines(t, db, "SELECT final_url FROM fetches WHERE outcome = 'ok' ORDER BY 1"), w.reached(nil))
	pages, files := w.asked()
	for url, n := range pages {
		if url == "http://"+hostName(restingHost)+w.busy() {
			n-- // it was refused once
		}
		if n > 2 || n > 1 && !cut[url] {
			t.Errorf("%s was asked for %d times; its fetch was cut short: %v", url, n, cut[url])
		}
	}
	most, feeds := 0, 0
	for file, n := range files {
		most = max(most, n)
		if strings.HasSuffix(file, feed) {
			feeds++
		}
	}
	t.Logf("a file about a host was asked for at most %d times, and %d feeds", most, feeds)
	if feeds == 0 {
		t.Error("no feed was read")
	}
	total := count(t, db, "SELECT sum(fetched) FROM crawls")
	if n := count(t, db, "SELECT count(*) FROM fetches WHERE outcome <> 'listed'"); n != total {
		t.Errorf("the crawl counts %d pages, %d are stored", total, n)
	}
	if n := count(t, db, "SELECT count(*) FROM finds f WHERE (SELECT count(*) FROM finds g WHERE g.url = f.url) > 1"); n > 0 {
		t.Errorf("%d finds are there twice", n)
	}
}

// TestEndOfCrawl ends the program when a crawl has read its last page. The next start ends the crawl.
func TestEndOfCrawl(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	rounds(t, kills(), endingPlaces, func(t *testing.T, place string) {
		w := newWeb(t, 6, 6)
		data := toCrawl(t, w)
		serve(t, at(place, 1), data, w.flags()...).dies()
		sound(t, database(data))
		cut := map[string]bool{}
		noteCut(t, data, cut)
		crawled(t, data, w)
		checkCrawl(t, data, w, cut)
		w.polite(t, cut)
	})
}

// TestNights ends the program while two nights of one topic crawl: at the end of the first, and while the second, which has another
// strategy, reads the stored pages again and crawls. Together they read what one undisturbed crawl reads.
func TestNights(t *testing.T) {
	effort.Long(t)
	t.Parallel()
	w := newWeb(t, 12, 72)
	data := toCrawl(t, w)
	cut := map[string]bool{}
	for night, kills := range [][]plan{
		{at("crawl.before-end", 1)},
		{at("store.journal.packed", 1), at("store.journal.committed", 1), at("store.journal.committed", 1), at("store.journal.committed", 9), at("crawl.before-end", 1)},
	} {
		withStore(t, data, func(st *store.Store) {
			about, err := topics.ByName(t.Context(), st.DB, topic)
			if err != nil {
				t.Fatal(err)
			}
			m, err := models.Latest(t.Context(), st.DB, about.ID)
			if err != nil {
				t.Fatal(err)
			}
			if night == 0 { // the night takes the place of the crawl by plan
				if err := crawls.End(t.Context(), st.DB, 1, "not of this test"); err != nil {
					t.Fatal(err)
				}
			}
			toCrawlNight(t, st, crawls.Crawl{TopicID: about.ID, ModelID: m.ID, Lasting: true, Strategy: []string{"link-value", "hmm"}[night]}, w, []int{30, 200}[night])
		})
		for _, p := range kills {
			serve(t, p, data, w.flags()...).dies()
			sound(t, database(data))
			noteCut(t, data, cut)
		}
		crawled(t, data, w)
	}
	checkCrawl(t, data, w, cut)
	w.polite(t, cut)
}
