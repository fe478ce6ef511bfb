package progress_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/daemon/db/dbtest"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/crawls/crawlstest"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// TestCurve compares the running sums with a plain loop.
func TestCurve(t *testing.T) {
	s := storetest.Open(t)
	dbtest.Topics(t, s.DB)
	dbtest.Crawl(t, s.DB, 1, 1, "", 10)
	outcomes := []string{"ok", "status", "robots", "ok", "canceled", "network"}
	var want []progress.CurvePoint
	var last progress.CurvePoint
	const fetches = 250
	for n := 1; n <= fetches; n++ {
		outcome, similarity, relevant := outcomes[n%len(outcomes)], float64(n%7)/8, n%5 == 0 && outcomes[n%len(outcomes)] == "ok"
		storetest.Change(t, s, `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, at, similarity, relevant) VALUES (1, ?, ?, '', 'a.test', ?, 1, ?, ?)`,
			n, fmt.Sprint(n), outcome, similarity, relevant)
		if outcome == "robots" || outcome == "canceled" {
			continue
		}
		last.Fetched++
		if relevant {
			last.Relevant++
		}
		if outcome == "ok" {
			last.Pages++
			last.Similarity += similarity
		}
		want = append(want, last)
	}
	for _, points := range []int{1, 7, 100, 1000} {
		got := storetest.Must(progress.Curve(t.Context(), s.DB, 1, points))(t)
		if len(got) == 0 || len(got) > points+2 || got[len(got)-1] != last {
			t.Errorf("%d points: %d, the last %+v; want %+v", points, len(got), got[len(got)-1], last)
		}
		for _, p := range got {
			if p != want[p.Fetched-1] {
				t.Errorf("%+v, want %+v", p, want[p.Fetched-1])
			}
		}
	}
	if got, err := progress.Curve(t.Context(), s.DB, 2, 10); err != nil || len(got) != 0 {
		t.Errorf("a crawl that fetched nothing: %v, %v", got, err)
	}
	hosts, err := progress.Hosts(t.Context(), s.DB, 1)
	if err != nil || len(hosts) != 1 {
		t.Errorf("hosts %+v, %v; want one", hosts, err)
	}
	for _, h := range hosts {
		pages := 0
		for _, o := range h.Outcomes {
			pages += o.Count
		}
		if pages != fetches || len(h.Outcomes) != 5 || h.Outcomes[0].Outcome != "ok" {
			t.Errorf("outcomes %+v, want five of %d pages, ok first", h.Outcomes, fetches)
		}
	}
}

// TestLedgerByHost: requests of all purposes are added up by host, and hosts that rest say why.
func TestLedgerByHost(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/"}})
	at := time.UnixMilli(1_800_000_000_000)
	x := func(url string, p fetch.Purpose, seconds int, bytes int64, reason string) fetch.Exchange {
		return fetch.Exchange{URL: url, Purpose: p, At: at.Add(time.Duration(seconds) * time.Second), Bytes: bytes, Reason: reason}
	}
	storetest.OK(t, crawls.NewJournal(s.DB, c).Commit(t.Context(), &crawler.Batch{
		Exchanges: []fetch.Exchange{
			x("http://b.test/robots.txt", fetch.ForRobots, 1, 10, ""), x("http://b.test/", fetch.ForPage, 3, 100, ""),
			x("http://b.test/1", fetch.ForPage, 2, 50, "timeout"), x("http://a.test/", fetch.ForPage, 0, 7, ""),
		},
		Failing: map[string]crawler.HostFailures{"b.test": {Strikes: 3, Rests: "three failures in a row"}, "c.test": {Strikes: 1}},
	}))
	got, err := progress.Ledger(t.Context(), s.DB, c.ID)
	if err != nil || len(got) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if a := got[0]; a.Host != "a.test" || a.Requests != 1 || a.Bytes != 7 || a.Rests != "" {
		t.Errorf("%+v", a)
	}
	b := got[1]
	if b.Requests != 3 || b.Failed != 1 || b.Bytes != 160 || b.Rests != "three failures in a row" {
		t.Errorf("%+v", b)
	}
	if !b.First.Equal(at.Add(time.Second)) || !b.Last.Equal(at.Add(3*time.Second)) {
		t.Errorf("from %v to %v", b.First, b.Last)
	}
	if len(b.Purposes) != 2 || b.Purposes[0].Purpose != fetch.ForPage || b.Purposes[0].Requests != 2 {
		t.Errorf("%+v", b.Purposes)
	}
}

// TestLedger: every request is counted to its host and purpose, those of fetches that were put back as well, and what
// a page was and where it is kept is there to be asked for again.
func TestLedger(t *testing.T) {
	s, c := crawlstest.Open(t, crawls.Options{Starts: []string{"http://a.test/", "http://b.test/"}})
	ctx, j := t.Context(), crawls.NewJournal(s.DB, c)
	at := time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC)
	ask := func(url string, p fetch.Purpose, minute, bytes int, reason string) fetch.Exchange {
		return fetch.Exchange{URL: url, Purpose: p, At: at.Add(time.Duration(minute) * time.Minute), Bytes: int64(bytes), Reason: reason}
	}
	s.Now = func() time.Time { return at }
	mustHosts(t, s, fetch.HostState{Host: "a.test"}, fetch.HostState{Host: "b.test", NotBefore: at.Add(time.Hour), Why: fetch.RestAsked},
		fetch.HostState{Host: "other.test"})
	hosts := crawls.NewHostMemory(s.DB)
	for _, r := range []fetch.RobotsFile{
		{Origin: "http://a.test", Read: at, Keep: time.Hour, Delay: 7 * time.Second},
		{Origin: "https://b.test", Read: at, Keep: time.Minute, Outcome: fetch.Network, Reason: "no answer"},
	} {
		storetest.OK(t, hosts.PutRobots(ctx, r))
	}
	body := []byte("<title>A</title>kept")
	f := &crawler.Fetch{
		N: 1, URL: "http://a.test/", FinalURL: "http://a.test/", At: at, Cost: 1, Simhash: 1 << 63, Done: []string{"http://a.test/"},
		Place: crawler.Place{File: "night.warc.gz", Offset: 77},
		Page:  &page.Page{URL: "http://a.test/"},
		Response: fetch.Response{Outcome: fetch.OK, Status: 200, Body: body, ETag: `"x"`, Exchanges: []fetch.Exchange{
			ask("http://a.test/robots.txt", fetch.ForRobots, 0, 10, ""), ask("http://a.test/", fetch.ForPage, 1, 100, ""),
		}},
	}
	storetest.OK(t, j.Commit(ctx, &crawler.Batch{Fetches: []*crawler.Fetch{f}, Exchanges: []fetch.Exchange{
		ask("http://a.test/2", fetch.ForPage, 3, 5, "cut short"), ask("http://b.test/", fetch.ForPage, 4, 50, ""),
	}}))
	ledger, err := progress.Ledger(ctx, s.DB, c.ID)
	want := []progress.LedgerHost{
		{"a.test", []progress.LedgerPurpose{
			{fetch.ForPage, 2, 1, 105, at.Add(time.Minute), at.Add(3 * time.Minute), ""},
			{fetch.ForRobots, 1, 0, 10, at, at, ""},
		}, 3, 1, 115, at, at.Add(3 * time.Minute), "", progress.HostAsks{Delay: 7 * time.Second, RobotsUntil: at.Add(time.Hour)}},
		{"b.test", []progress.LedgerPurpose{{fetch.ForPage, 1, 0, 50, at.Add(4 * time.Minute), at.Add(4 * time.Minute), ""}},
			1, 0, 50, at.Add(4 * time.Minute), at.Add(4 * time.Minute), "", progress.HostAsks{NotBefore: at.Add(time.Hour), Why: fetch.RestAsked, RobotsUntil: at.Add(time.Minute), Unread: "no answer"}},
	}
	if err != nil || !reflect.DeepEqual(ledger, want) {
		t.Errorf("ledger %v\n%+v\nwant\n%+v", err, ledger, want)
	}
	known, ok := crawls.KnownPages(s.DB)(ctx, "http://a.test/")
	if !ok || known.ETag != `"x"` || string(known.Body) != string(body) {
		t.Errorf("known: %+v, %v", known, ok)
	}
	if _, ok := crawls.KnownPages(s.DB)(ctx, "http://b.test/"); ok {
		t.Error("a page that was never fetched is known")
	}
	var simhash, offset int64
	var file string
	err = s.Readers.QueryRow("SELECT simhash, archive_file, archive_offset FROM fetches").Scan(&simhash, &file, &offset)
	if err != nil || uint64(simhash) != 1<<63 || file != "night.warc.gz" || offset != 77 {
		t.Errorf("simhash %x, kept in %s at %d, %v", uint64(simhash), file, offset, err)
	}
}

func mustHosts(t *testing.T, s *store.Store, states ...fetch.HostState) {
	t.Helper()
	hosts := crawls.NewHostMemory(s.DB)
	for _, h := range states {
		storetest.OK(t, hosts.Open(t.Context(), h.Host))
		storetest.OK(t, hosts.Keep(t.Context(), h, true))
	}
}
