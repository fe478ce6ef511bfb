package store

import (
	"reflect"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
)

// TestLedger: every request is counted to its host and purpose, those of fetches that were put back as well, and what
// a page was and where it is kept is there to be asked for again.
func TestLedger(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/", "http://b.test/"}})
	ctx, j := t.Context(), s.Journal(c)
	at := time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC)
	ask := func(url string, p fetch.Purpose, minute, bytes int, reason string) fetch.Exchange {
		return fetch.Exchange{URL: url, Purpose: p, At: at.Add(time.Duration(minute) * time.Minute), Bytes: int64(bytes), Reason: reason}
	}
	s.Now = func() time.Time { return at }
	mustHosts(t, s, fetch.HostState{Host: "a.test"}, fetch.HostState{Host: "b.test", NotBefore: at.Add(time.Hour), Why: fetch.RestAsked},
		fetch.HostState{Host: "other.test"})
	for _, r := range []fetch.RobotsFile{
		{Origin: "http://a.test", Read: at, Keep: time.Hour, Delay: 7 * time.Second},
		{Origin: "https://b.test", Read: at, Keep: time.Minute, Outcome: fetch.Network, Reason: "no answer"},
	} {
		ok(t, s.Hosts().PutRobots(ctx, r))
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
	ok(t, j.Commit(ctx, &crawler.Batch{Fetches: []*crawler.Fetch{f}, Exchanges: []fetch.Exchange{
		ask("http://a.test/2", fetch.ForPage, 3, 5, "cut short"), ask("http://b.test/", fetch.ForPage, 4, 50, ""),
	}}))
	ledger, err := s.Ledger(ctx, c.ID)
	want := []LedgerHost{
		{"a.test", []LedgerPurpose{
			{fetch.ForPage, 2, 1, 105, at.Add(time.Minute), at.Add(3 * time.Minute), ""},
			{fetch.ForRobots, 1, 0, 10, at, at, ""},
		}, 3, 1, 115, at, at.Add(3 * time.Minute), "", HostAsks{Delay: 7 * time.Second, RobotsUntil: at.Add(time.Hour)}},
		{"b.test", []LedgerPurpose{{fetch.ForPage, 1, 0, 50, at.Add(4 * time.Minute), at.Add(4 * time.Minute), ""}},
			1, 0, 50, at.Add(4 * time.Minute), at.Add(4 * time.Minute), "", HostAsks{NotBefore: at.Add(time.Hour), Why: fetch.RestAsked, RobotsUntil: at.Add(time.Minute), Unread: "no answer"}},
	}
	if err != nil || !reflect.DeepEqual(ledger, want) {
		t.Errorf("ledger %v\n%+v\nwant\n%+v", err, ledger, want)
	}
	known, ok := s.KnownPage(ctx, "http://a.test/")
	if !ok || known.ETag != `"x"` || string(known.Body) != string(body) {
		t.Errorf("known: %+v, %v", known, ok)
	}
	if _, ok := s.KnownPage(ctx, "http://b.test/"); ok {
		t.Error("a page that was never fetched is known")
	}
	var simhash, offset int64
	var file string
	err = s.Readers.QueryRow("SELECT simhash, archive_file, archive_offset FROM fetches").Scan(&simhash, &file, &offset)
	if err != nil || uint64(simhash) != 1<<63 || file != "night.warc.gz" || offset != 77 {
		t.Errorf("simhash %x, kept in %s at %d, %v", uint64(simhash), file, offset, err)
	}
}
