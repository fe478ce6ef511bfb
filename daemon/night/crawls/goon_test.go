package crawls

import (
	"errors"
	"net/http/httptest"
	"reflect"
	"testing"

	"nightjar/crawler"
	"nightjar/daemon/db"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// mustPromised lists what was promised after the pages of a crawl.
func mustPromised(t *testing.T, s *store.Store, crawlID int64) []float64 {
	t.Helper()
	all := storetest.Must(db.Query(t.Context(), s.Readers, func(row db.Scanner) (x float64, err error) { return x, row.Scan(&x) },
		"SELECT coalesce(promised, -1) FROM fetches WHERE crawl_id = ? ORDER BY n", crawlID))(t)
	return all
}

// TestPromisedAfterRestart: a crawl that was interrupted estimates the same after each page as one that was not.
func TestPromisedAfterRestart(t *testing.T) {
	var all [][]float64
	for _, pieces := range [][]int{{60}, {10, 33, 60}} {
		s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}})
		server := httptest.NewServer(&crawlWeb{pages: 200, asked: map[string]int{}})
		for _, pages := range pieces {
			mustRunCrawl(t, s, c.ID, crawler.Budget{}, crawlStrategy{}, crawlClient{server.URL}, crawler.Options{
				StopBelow: .001, Budget: crawler.Budget{Pages: pages},
			})
		}
		server.Close()
		all = append(all, mustPromised(t, s, c.ID))
	}
	if !reflect.DeepEqual(all[0], all[1]) || len(all[0]) < 60 {
		t.Errorf("in one go %v, interrupted %v", all[0], all[1])
	}
	told := 0
	for _, x := range all[0] {
		if x >= 0 {
			told++
		}
	}
	if told != 6 {
		t.Errorf("%d estimates after 60 pages", told)
	}
}

// TestGoOn: a crawl that ended early keeps its links and what it learned until the topic has another crawl, and can go on until
// then; one that ended otherwise cannot.
func TestGoOn(t *testing.T) {
	s, c := mustStoreWithCrawl(t, Options{Starts: []string{crawlURL(0)}, StopBelow: 1})
	l, _ := mustLearn(t, s, c, 20)
	ctx := t.Context()
	if err := GoOn(ctx, s.DB, c.ID); !errors.Is(err, ErrCannotGoOn) {
		t.Errorf("a crawl that has not ended goes on: %v", err)
	}
	storetest.OK(t, EndEarly(ctx, s.DB, c.ID, "little is left"))
	v, err := ByID(ctx, s.DB, c.ID)
	if err != nil || !v.Early || !v.CanGoOn || v.Live() || v.StopReason != "little is left" {
		t.Fatalf("%+v, %v", v, err)
	}
	storetest.OK(t, GoOn(ctx, s.DB, c.ID))
	c, err = Get(ctx, s.DB, c.ID)
	if err != nil || c.Status != Waiting || c.Early || c.StopReason != "" || !c.EndedAt.IsZero() || c.Options.StopBelow != 0 || c.OfNight() != "" {
		t.Fatalf("%+v, %v", c, err)
	}
	r, err := Resume(ctx, s.DB, c.ID)
	if err != nil || string(r.Learned) != string(l.Snapshot()) || r.Totals.Fetched != 20 || len(r.Harvest) != 20 {
		t.Errorf("goes on with %d pages, %d of them in the harvest, and %d bytes learned: %v", r.Totals.Fetched, len(r.Harvest), len(r.Learned), err)
	}
	storetest.OK(t, EndEarly(ctx, s.DB, c.ID, "little is left"))
	storetest.Must(Create(ctx, s.DB, Crawl{TopicID: c.TopicID, ModelID: c.ModelID, Strategy: "test", Options: Options{Starts: []string{crawlURL(0)}}}))(t)
	if err := GoOn(ctx, s.DB, c.ID); !errors.Is(err, ErrCannotGoOn) {
		t.Errorf("a crawl without links goes on: %v", err)
	}
	storetest.OK(t, DropQueues(ctx, s.DB))
	if n := storetest.Count(t, s, "SELECT count(*) FROM learned"); n != 0 {
		t.Errorf("%d states of ended crawls are kept", n)
	}
}
