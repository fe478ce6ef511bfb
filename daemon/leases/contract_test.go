package leases

import (
	"context"
	"testing"

	"nightjar/crawler/fetch"
	"nightjar/crawler/work"
	"nightjar/crawler/work/worktest"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// TestContract runs the suite of all dispatchers over leases, with this machine's own hands.
func TestContract(t *testing.T) {
	worktest.Run(t, func(t *testing.T, o fetch.LiveOptions) (work.Dispatcher, fetch.Fetcher) {
		path := storetest.Path(t)
		storetest.Exec(t, path, `INSERT INTO topics (id, name, created_at) VALUES (1, 'Hockey', 0)`)
		storetest.Exec(t, path, `INSERT INTO models (id, topic_id, version, bundle, facts, created_at) VALUES (1, 1, 1, x'00', '{}', 1)`)
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		st, err := store.Open(context.Background(), path)
		must(err)
		id, err := st.CreateCrawl(t.Context(), store.Crawl{TopicID: 1, ModelID: 1, Strategy: "test", Options: store.CrawlOptions{Starts: []string{"http://a.test/"}}})
		must(err)
		l, err := New(context.Background(), st, Options{CompareOne: -1, Hands: func() (*work.Hands, error) {
			return work.NewRemote("", fetch.LiveOptions{UserAgent: o.UserAgent, Resolve: o.Resolve}), nil
		}})
		must(err)
		o.Memory = st.Hosts()
		live := fetch.NewLive(o)
		must(l.Open(context.Background(), live, o.Keep))
		ctx, stop := context.WithCancel(context.Background())
		ended, caught := make(chan struct{}), make(chan struct{})
		close(caught)
		go func() {
			defer close(ended)
			if err := l.Run(ctx, caught); err != nil {
				t.Error(err)
			}
		}()
		c, err := l.Crawl(context.Background(), id)
		must(err)
		t.Cleanup(func() {
			c.Close()
			stop()
			<-ended
			must(live.Close())
			must(st.Close())
		})
		return c, live
	})
}
