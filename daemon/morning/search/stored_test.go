package search

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/sessions/sessionstest"
	"nightjar/daemon/db"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/db/turns"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// TestSearchScansNoTable: a search, the questions about a page and indexing read no whole table. What waits is read from
// one end of its table.
func TestSearchScansNoTable(t *testing.T) {
	s, all := plans.Record(t, &db.Driver, storetest.Open)
	m := sessiontest.New(1)
	start, v := m.Start("Hockey"), m.Visit("http://ice.test/set", "Ice", protocol.HowTyped, "")
	sessionstest.Ingest(t, s, start, v, m.Snapshot(v.Page, []byte("<title>Ice</title><p>skates")))
	clear(all)
	ctx := t.Context()
	queue, err := Queue(ctx, s.DB, 10)
	if err != nil || len(queue) != 1 {
		t.Fatalf("%v, %v", queue, err)
	}
	storetest.OK(t, Put(ctx, s.DB, []Words{{Source: queue[0], TitleWords: "ice", BodyWords: "skate"}}))
	for _, f := range []Filter{{Text: "ice"}, {Text: "ice -x", Topic: 1, Site: "ice.test", Kind: Visited, Since: time.UnixMilli(1), Until: time.Now()}, {Any: []string{"skate"}, Without: "x"}} {
		if _, _, err := Hits(ctx, s.DB, f); err != nil {
			t.Fatal(err)
		}
	}
	if hits, n, err := Hits(ctx, s.DB, Filter{Text: "ice"}); err != nil || n != 1 || hits[0].Kind != Visited {
		t.Fatalf("%v, %d, %v", hits, n, err)
	}
	if h, err := HistoryOf(ctx, s.DB, "http://ice.test/set"); err != nil || h.Visits != 1 || len(h.Sessions) != 1 || !h.Text {
		t.Fatalf("%+v, %v", h, err)
	}
	if _, _, err := Counts(ctx, s.DB, []string{"ice"}); err != nil {
		t.Fatal(err)
	}
	storetest.Must(Waiting(ctx, s.DB, 10))(t)
	storetest.Must(FindTitle(ctx, s.DB, "ice hockey", 10, true))(t)
	if has, err := Has(ctx, s.DB, "ice"); err != nil || !has {
		t.Fatal(has, err)
	}
	storetest.Must(store.MergeSearch(ctx, s.DB, time.Second))(t)
	if len(all) < 10 {
		t.Fatalf("%d statements ran: the test proves little", len(all))
	}
	for _, text := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(text, "PRAGMA ") || strings.Contains(text, "FROM search_queue") && strings.Contains(text, "LIMIT") {
			continue
		}
		for _, step := range plans.FullScans(t, s.Readers, text, all[text]...) {
			t.Errorf("%s\n\tin %s", step, text)
		}
	}
}

// TestRenewSearch: entries of older rules are queued in steps, the newest first, when no page waits, and each once.
func TestRenewSearch(t *testing.T) {
	s := storetest.Open(t)
	const entries = 2*renewAtOnce + 10
	storetest.Must(s.Writer.Exec(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)
		INSERT INTO search_entries (id, url, title, at) SELECT 2 * i + 1, 'http://a.test/' || i, '', 0 FROM n`, entries))(t)
	var renewed []string
	for _, want := range []int{0, renewAtOnce, renewAtOnce, 10, 0} {
		storetest.OK(t, Renew(t.Context(), s.DB))
		if want > 0 {
			if err := Renew(t.Context(), s.DB); err != nil { // changes nothing while pages wait
				t.Fatal(err)
			}
		}
		queue, err := db.Query(t.Context(), s.Readers, db.ScanText, `SELECT url FROM search_queue ORDER BY id DESC`)
		if err != nil || len(queue) != want {
			t.Fatalf("%d wait, %v; want %d", len(queue), err, want)
		}
		if n, err := Waiting(t.Context(), s.DB, 1_000_000); err != nil || len(renewed) < entries && n < entries-len(renewed) {
			t.Errorf("%d wait in all, %v; want at least %d", n, err, entries-len(renewed))
		}
		renewed = append(renewed, queue...)
		storetest.Must(s.Writer.Exec(`DELETE FROM search_queue`))(t)
	}
	for i, url := range renewed {
		if want := fmt.Sprint("http://a.test/", entries-1-i); url != want {
			t.Fatalf("%d is %s, want %s", i, url, want)
		}
	}
	if n, err := Waiting(t.Context(), s.DB, 10); err != nil || n != 0 || len(renewed) != entries {
		t.Errorf("%d wait, %d renewed, %v", n, len(renewed), err)
	}
}

// TestMatchingOf: reading a part of the lists of words selects what reading all of them does.
func TestMatchingOf(t *testing.T) {
	s := storetest.Open(t)
	rng := rand.New(rand.NewPCG(3, 9))
	some := func(n int) string {
		var all []string
		for range n {
			all = append(all, []string{"tide", "barrag", "ice", "estuari", "mill"}[rng.IntN(5)])
		}
		return strings.Join(all, " ")
	}
	for id := range 300 {
		storetest.Must(s.Writer.Exec(`INSERT INTO search_words (rowid, title, address, body, tags) VALUES (?, ?, 'a test', ?, ?)`,
			id+1, some(2), some(4), []string{"kv", "kf", "kf ku"}[rng.IntN(3)]))(t)
	}
	hits := 0
	for _, expression := range []string{inText + `"tide"`, `(` + inText + `"tide" AND ` + inText + `"barrag") AND tags : ` + tagFound,
		`title : "mill" AND title : "ice"`, `(` + inText + `"estuari") NOT ` + inText + `"ice"`} {
		whole := storetest.Must(matching(t.Context(), s.DB, matcher{}, expression))(t)
		for range 20 {
			var of, want []int64
			for range rng.IntN(64) {
				of = append(of, 1+rng.Int64N(300))
			}
			slices.Sort(of)
			of = slices.Compact(of)
			for _, id := range of {
				if slices.Contains(whole, id) {
					want = append(want, id)
				}
			}
			got, err := matchingOf(t.Context(), s.DB, expression, of)
			slices.Sort(got)
			got = slices.DeleteFunc(got, func(id int64) bool { return !slices.Contains(of, id) })
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s of %v: %v, %v; want %v", expression, of, got, err, want)
			}
			hits += len(want)
		}
	}
	if hits < 100 {
		t.Errorf("%d hits: the test proves little", hits)
	}
}

// TestWordsOfSite: a word of most pages of a host or of its whole site says nothing of one of them; of few pages nothing is said.
func TestWordsOfSite(t *testing.T) {
	s := storetest.Open(t)
	put := func(host string, pages int) {
		t.Helper()
		var all []Words
		for n := range pages {
			url := fmt.Sprintf("http://%s/%d", host, n)
			mustExec(t, s, `INSERT INTO search_queue (url) VALUES (?)`, url)
			body := "encyclopedia nest"
			if n%4 == 0 {
				body = "encyclopedia tidal range"
			}
			all = append(all, Words{Source: Source{QueueID: int64(storetest.Count(t, s, `SELECT max(id) FROM search_queue`)), URL: url, FetchID: 1}, BodyWords: body})
		}
		storetest.OK(t, Put(t.Context(), s.DB, all))
	}
	put("birds.test", 12)
	put("few.test", 7)
	put("a.many.example", 7)
	put("b.many.example", 7)
	for address, want := range map[string][]string{
		"http://birds.test/5": {"Encyclopedia", "nest"}, "http://birds.test:80/": {"Encyclopedia", "nest"}, "http://few.test/1": nil, "http://none.test/": nil, "": nil,
		"http://a.many.example/": {"Encyclopedia", "nest"},
	} {
		got, err := WordsOfSite(t.Context(), s.DB, address, []string{"Encyclopedia", "tidal", "nest", "\"", ""})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
}

// TestNothingIsIndexedDuringImport: pages of an import wait until it has taken effect.
func TestNothingIsIndexedDuringImport(t *testing.T) {
	s := storetest.Open(t)
	mustExec(t, s, `INSERT INTO search_queue (url) VALUES ('http://ice.test/')`)
	for during, want := range map[bool]int{true: 0, false: 1} {
		mustExec(t, s, `DELETE FROM settings`)
		if during {
			storetest.OK(t, s.SetSetting(t.Context(), sessions.ImportKey, map[string]int64{}))
		}
		if queue, err := Queue(t.Context(), s.DB, 10); err != nil || len(queue) != want {
			t.Errorf("during an import %v: %+v, %v", during, queue, err)
		}
	}
}

// TestListHasNoHistory: a list of a host that a crawl read is no page with a history.
func TestListHasNoHistory(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}})
	for url, outcome := range map[string]string{"http://a.test/sitemap.xml": "listed", "http://a.test/": "ok"} {
		mustExec(t, s, `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at) VALUES (?, ?, ?, ?, 'a.test', ?, 1)`, c.ID, len(url), url, url, outcome)
		if h, err := HistoryOf(t.Context(), s.DB, url); err != nil || h.Known() != (outcome == "ok") {
			t.Errorf("history of what is %s: %+v, %v", outcome, h, err)
		}
	}
}

// TestEventsGoBeforeWords: events that wait while the words of pages are being written are stored before the rest of these.
func TestEventsGoBeforeWords(t *testing.T) {
	const pages = 12
	s := storetest.Open(t)
	m := sessiontest.New(1)
	sessionstest.Ingest(t, s, m.Start("Hockey"))
	var words []Words
	for i := range pages {
		url := fmt.Sprintf("http://a.test/%d", i)
		mustExec(t, s, `INSERT INTO search_queue (url) VALUES (?)`, url)
		id := int64(storetest.Count(t, s, `SELECT max(id) FROM search_queue`))
		words = append(words, Words{Source: Source{QueueID: id, URL: url, FetchID: 1}, TitleWords: "ice", BodyWords: "a page"})
	}
	const count = "SELECT count(*) FROM search_entries"
	events, rows := storetest.Count(t, s, "SELECT count(*) FROM events"), -1
	s.Wrote = func(error) { // after each transaction, before the next
		if rows < 0 && storetest.Count(t, s, "SELECT count(*) FROM events") > events {
			rows = storetest.Count(t, s, count)
		}
	}
	waits := func(urgent int) {
		for t.Context().Err() == nil {
			if u, others := s.Waiting(); u >= urgent && others >= 1 {
				return
			}
			runtime.Gosched()
		}
	}
	end := storetest.Must(s.Turn(t.Context(), false))(t)
	var done sync.WaitGroup
	done.Go(func() {
		if err := Put(t.Context(), s.DB, words); err != nil {
			t.Error(err)
		}
	})
	waits(0)
	for i := range turns.MostInRow { // after these, the events come when the other transaction has just begun
		done.Go(func() { storetest.Must(s.Turn(t.Context(), true))(t)() })
		waits(i + 1)
	}
	done.Go(func() { sessionstest.Ingest(t, s, m.Event(protocol.SessionPause)) })
	waits(turns.MostInRow + 1)
	end()
	done.Wait()
	s.Wrote = nil
	if n := storetest.Count(t, s, count); n != pages || rows <= 0 || rows >= pages {
		t.Errorf("%d of %d pages were stored when the events were, want some; %d in the end", rows, pages, n)
	}
}
