package store

import (
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
)

// TestLedgerByHost: requests of all purposes are added up by host, and hosts that rest say why.
func TestLedgerByHost(t *testing.T) {
	s, c := mustStoreWithCrawl(t, CrawlOptions{Starts: []string{"http://a.test/"}})
	at := time.UnixMilli(1_800_000_000_000)
	x := func(url string, p fetch.Purpose, seconds int, bytes int64, reason string) fetch.Exchange {
		return fetch.Exchange{URL: url, Purpose: p, At: at.Add(time.Duration(seconds) * time.Second), Bytes: bytes, Reason: reason}
	}
	ok(t, s.Journal(c).Commit(t.Context(), &crawler.Batch{
		Exchanges: []fetch.Exchange{
			x("http://b.test/robots.txt", fetch.ForRobots, 1, 10, ""), x("http://b.test/", fetch.ForPage, 3, 100, ""),
			x("http://b.test/1", fetch.ForPage, 2, 50, "timeout"), x("http://a.test/", fetch.ForPage, 0, 7, ""),
		},
		Failing: map[string]crawler.HostFailures{"b.test": {Strikes: 3, Rests: "three failures in a row"}, "c.test": {Strikes: 1}},
	}))
	got, err := s.Ledger(t.Context(), c.ID)
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
