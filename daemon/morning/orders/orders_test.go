package orders

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/lab/webtest"
	"nightjar/daemon/morning/token"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// crawler stores the crawls that it is told to run.
type crawler struct {
	st    *store.Store
	model int64
	runs  atomic.Int64
}

func (c *crawler) RunNow(ctx context.Context, topic int64, _ int) (int64, error) {
	c.runs.Add(1)
	return crawls.Create(ctx, c.st.DB, crawls.Crawl{TopicID: topic, ModelID: c.model, Strategy: "hmm"})
}

type silent struct{}

func (silent) Marked([]int64, int64) {}

type world struct {
	*Desk
	webtest.Demo
	crawler *crawler
	text    string // a token
	id      int64  // of it
}

func newWorld(t *testing.T, may string, pages int) *world {
	t.Helper()
	file, demo := webtest.Seed(t)
	st := storetest.Must(store.Open(t.Context(), file))(t)
	t.Cleanup(func() { st.Close() })
	keeper := token.NewKeeper(st, time.Now)
	w := &world{Demo: demo, crawler: &crawler{st: st, model: demo.Model}, text: storetest.Must(keeper.Make(t.Context(), "Claude", token.ScopeRead, 0))(t)}
	w.id = storetest.Must(token.All(t.Context(), st.DB))(t)[0].ID
	storetest.OK(t, token.Allow(t.Context(), st.DB, w.id, may, pages))
	w.Desk = &Desk{Store: st, Tokens: keeper, Runner: w.crawler, Echoes: silent{}, Bus: &notify.Bus{}}
	return w
}

func (w *world) want(ctx context.Context, pages int) error {
	_, err := w.Answer(ctx, Ask{Token: w.text, Search: &Search{Topic: w.Topic, Pages: pages}})
	return err
}

// TestAnsweredOnce: of many answers that come together, one counts, and at most one crawl begins.
func TestAnsweredOnce(t *testing.T) {
	w := newWorld(t, token.MayAsk, 100)
	storetest.OK(t, w.want(t.Context(), 10))
	id := storetest.Must(List(t.Context(), w.Store.DB, 1))(t)[0].ID
	var counted atomic.Int64
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			switch err := w.Decide(t.Context(), id, i%2 == 0); {
			case err == nil:
				counted.Add(1)
			case !errors.Is(err, ErrLate):
				t.Error(err)
			}
		})
	}
	all.Wait()
	o := storetest.Must(ByID(t.Context(), w.Store.DB, id))(t)
	if runs := w.crawler.runs.Load(); counted.Load() != 1 || runs > 1 || (o.State == Accepted) != (runs == 1) || (o.CrawlID != 0) != (runs == 1) {
		t.Errorf("%d answers counted, %d crawls, %+v", counted.Load(), runs, o)
	}
}

// TestPagesOfADay: requests that come together get no more pages than the person allows. A search that was declined takes none, and
// after a day there are new ones.
func TestPagesOfADay(t *testing.T) {
	w := newWorld(t, token.MayAsk, 100)
	var got atomic.Int64
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if w.want(t.Context(), 15) == nil {
				got.Add(15)
			}
		})
	}
	all.Wait()
	if got.Load() != 90 {
		t.Errorf("%d pages of 100", got.Load())
	}
	storetest.OK(t, w.Decide(t.Context(), storetest.Must(List(t.Context(), w.Store.DB, 1))(t)[0].ID, false))
	if err := w.want(t.Context(), 25); err != nil {
		t.Errorf("after a no: %v", err)
	}
	if err := w.want(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "0 are left") {
		t.Errorf("%v", err)
	}
	now := time.Now().Add(25 * time.Hour)
	w.Store.Now = func() time.Time { return now }
	storetest.OK(t, w.want(t.Context(), 100))
	now = now.Add(Kept + time.Hour)
	storetest.OK(t, w.want(t.Context(), 100))
	if n := storetest.Count(t, w.Store, `SELECT count(*) FROM orders`); n != 1 {
		t.Errorf("%d orders are kept", n)
	}
}

// TestRevoked: what waits when its token is revoked is withdrawn, and a token that gets its id later has none of its orders.
func TestRevoked(t *testing.T) {
	w := newWorld(t, token.MayAsk, 100)
	storetest.OK(t, w.want(t.Context(), 10))
	storetest.OK(t, token.Revoke(t.Context(), w.Store.DB, w.id))
	o := storetest.Must(List(t.Context(), w.Store.DB, 1))(t)[0]
	if o.State != Withdrawn || o.TokenID != 0 || o.Program != "Claude" || !errors.Is(w.Decide(t.Context(), o.ID, true), ErrLate) || w.crawler.runs.Load() != 0 {
		t.Errorf("%+v", o)
	}
	if err := w.want(t.Context(), 10); !errors.Is(err, token.ErrUnknown) {
		t.Errorf("%v", err)
	}
}

// TestNotAllowed: nothing is done for a token that may only read, nor for more pages than there can be.
func TestNotAllowed(t *testing.T) {
	w := newWorld(t, token.MayNothing, 100)
	for name, ask := range map[string]Ask{"a search": {Search: &Search{w.Topic, 1}}, "a mark": {Mark: &FindMark{1, "useful"}}, "a task": {Task: &TaskID{1}}, "a cancel": {Cancel: &TaskID{1}}, "nothing": {}} {
		ask.Token = w.text
		if _, err := w.Answer(t.Context(), ask); !errors.Is(err, ErrNotAllowed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	storetest.OK(t, token.Allow(t.Context(), w.Store.DB, w.id, token.MayAct, MostPages))
	for _, pages := range []int{-1, 0, MostPages + 1} {
		if err := w.want(t.Context(), pages); !errors.Is(err, errPages) {
			t.Errorf("%d pages: %v", pages, err)
		}
	}
	if n := storetest.Count(t, w.Store, `SELECT count(*) FROM orders`); n != 0 || w.crawler.runs.Load() != 0 {
		t.Errorf("%d orders", n)
	}
}
