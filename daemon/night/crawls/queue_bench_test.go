package crawls

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// BenchmarkNightBegins makes the queue of thirty nights of 300 pages with that many links waiting. It measures how long the next
// night takes from its creation to the first link that it hands out, how long the queue is counted, and how much the heap grows at
// most.
func BenchmarkNightBegins(b *testing.B) {
	for _, links := range []int{50_000, 250_000, 1_000_000} {
		b.Run(fmt.Sprint(links), func(b *testing.B) {
			s, c := longQueue(b, 9000, links)
			for b.Loop() {
				began := time.Now()
				storetest.Must(QueueOf(b.Context(), s.DB, c.TopicID))(b)
				b.ReportMetric(float64(time.Since(began).Microseconds())/1000, "ms/count")
				runtime.GC()
				most := peak(b)
				began = time.Now()
				night := mustCreateCrawl(b, s, c)
				b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms/create")
				r := storetest.Must(Resume(b.Context(), s.DB, night.ID))(b)
				b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms/resume")
				ctx, stop := context.WithCancel(b.Context())
				first := &firstLink{stop: stop}
				crawl := storetest.Must(crawler.New(first, benchLearner{}, crawler.Options{
					Resume: r, Journal: NewJournal(s.DB, night), Trap: trap.New(trap.Options{Pages: 10_000, Starts: night.Options.Starts})}))(b)
				if _, err := crawl.Run(ctx, crawler.Budget{}); err != nil || first.at.IsZero() {
					b.Fatal(first, err)
				}
				b.ReportMetric(float64(first.at.Sub(began).Milliseconds()), "ms/begin")
				b.ReportMetric(most(), "MiB-peak")
				storetest.OK(b, End(b.Context(), s.DB, night.ID, "measured"))
			}
		})
	}
}

// BenchmarkQueueValuedAnew lets a night with another strategy value a queue of a million links anew, and then deletes the queue. It
// measures the longest transaction of each, and that longer than 99 in 100: an event or a mark waits that long at most.
func BenchmarkQueueValuedAnew(b *testing.B) {
	for b.Loop() {
		s, c := longQueue(b, 9000, 1_000_000)
		c.Strategy = "another"
		night := mustCreateCrawl(b, s, c)
		r, err := Resume(b.Context(), s.DB, night.ID)
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		most := peak(b)
		ctx, stop := context.WithCancel(b.Context())
		first, journal := &firstLink{stop: stop}, &timedJournal{Journal: NewJournal(s.DB, night)}
		crawl, err := crawler.New(first, benchLearner{}, crawler.Options{Resume: r, Journal: journal})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := crawl.Run(ctx, crawler.Budget{}); err != nil || first.at.IsZero() {
			b.Fatal(first, err)
		}
		b.ReportMetric(most(), "MiB-peak")
		reportLongest(b, "commit", journal.took)
		if err := End(b.Context(), s.DB, night.ID, "measured"); err != nil {
			b.Fatal(err)
		}
		var took []time.Duration
		for more := true; more; {
			began := time.Now()
			if more, err = dropLinks(b.Context(), s.DB, night.Queue); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(began))
		}
		reportLongest(b, "delete", took)
	}
}

// BenchmarkTopicDeleted deletes a topic with a queue of a million links. It measures how long that takes, and how long an event
// waited meanwhile at most, and longer than 99 in 100 did.
func BenchmarkTopicDeleted(b *testing.B) {
	for b.Loop() {
		s, c := longQueue(b, 9000, 1_000_000)
		deleted := make(chan error)
		began := time.Now()
		go func() {
			err := DropTopicQueues(b.Context(), s.DB, c.TopicID)
			if err == nil {
				_, err = sessions.DeleteTopic(b.Context(), s.DB, c.TopicID)
			}
			deleted <- err
		}()
		var took []time.Duration
		for done := false; !done; {
			select {
			case err := <-deleted:
				if done = true; err != nil {
					b.Fatal(err)
				}
			case <-time.After(5 * time.Millisecond):
				asked := time.Now()
				storetest.OK(b, s.Write(b.Context(), func(*sql.Tx) error { return nil }))
				took = append(took, time.Since(asked))
			}
		}
		b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms/delete")
		reportLongest(b, "wait", took)
	}
}

func reportLongest(b *testing.B, name string, took []time.Duration) {
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)-1].Milliseconds()), "ms/longest-"+name)
	b.ReportMetric(float64(took[len(took)*99/100].Milliseconds()), "ms/p99-"+name)
}

// timedJournal is a Journal that notes how long its commits take.
type timedJournal struct {
	*Journal
	took []time.Duration
}

func (j *timedJournal) Commit(ctx context.Context, b *crawler.Batch) error {
	began := time.Now()
	err := j.Journal.Commit(ctx, b)
	j.took = append(j.took, time.Since(began))
	return err
}

// firstLink is a Fetcher that notes when it is first asked.
type firstLink struct {
	at   time.Time
	stop func()
}

func (f *firstLink) ReadyAt(string) time.Time { return time.Time{} }

func (f *firstLink) Fetch(_ context.Context, url string) fetch.Response {
	if f.at.IsZero() {
		f.at = time.Now()
		f.stop()
	}
	return fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Canceled}
}

// benchLearner values links by their notes.
type benchLearner struct{ crawlStrategy }

func (benchLearner) Priority(_ string, note []byte) strategy.Priority {
	return strategy.Priority{int32(binary.LittleEndian.Uint32(note))}
}
func (benchLearner) Teach(strategy.Mark)  {}
func (benchLearner) Ask(int) []string     { return nil }
func (benchLearner) Snapshot() []byte     { return []byte{1} }
func (benchLearner) Restore([]byte) error { return nil }

// peak watches the heap. The returned function ends that and returns by how many MiB it grew at most.
func peak(b *testing.B) func() float64 {
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	var most atomic.Uint64
	done, ended := make(chan bool), make(chan bool)
	look := func() {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most.Store(max(most.Load(), m.HeapAlloc))
	}
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
				look()
			}
		}
	}()
	return func() float64 {
		close(done)
		<-ended
		look()
		return float64(most.Load()-before.HeapAlloc) / (1 << 20)
	}
}

// longQueue makes a topic whose nights read pages and left links, and returns a crawl as its next night is created. The
// links are on many hosts, and each page that was read has 40 or more of them.
func longQueue(tb testing.TB, pages, links int) (*store.Store, Crawl) {
	tb.Helper()
	s, c := mustStoreWithCrawl(tb, Options{})
	storetest.OK(tb, End(tb.Context(), s.DB, c.ID, "not of this test"))
	c = Crawl{TopicID: c.TopicID, ModelID: c.ModelID, Strategy: "bench", Lasting: true, Options: Options{Starts: []string{"http://h0.test/"}}}
	first := mustCreateCrawl(tb, s, c)
	storetest.OK(tb, End(tb.Context(), s.DB, first.ID, "as if it had run"))
	const numbers = `WITH RECURSIVE i(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ?2) `
	for _, text := range []string{
		numbers + `INSERT INTO fetches (crawl_id, n, url, final_url, host, outcome, http_status, bytes, at, depth, anchor, title, states, cost, text_hash, simhash)
			SELECT ?1, n, 'http://h' || (n % 300) || '.test/read/' || n, 'http://h' || (n % 300) || '.test/read/' || n, 'h' || (n % 300) || '.test',
				'ok', 200, 20000, n, n % 9, 'the words of a link', 'The title of page ' || n, '[0.25,0.5,0.125]', 1, n, random() FROM i`,
		`UPDATE fetches SET parent_id = (SELECT id FROM fetches p WHERE p.crawl_id = ?1 AND p.n = fetches.n / 3) WHERE crawl_id = ?1 AND ?2`,
		numbers + `INSERT INTO frontier (crawl_id, url, status, priority, seq) SELECT ?1, 'http://h' || (n % 300) || '.test/read/' || n, 'done', '[]', n FROM i`,
	} {
		storetest.Change(tb, s, text, first.Queue, pages)
	}
	storetest.Change(tb, s, numbers+`INSERT INTO frontier (crawl_id, url, status, priority, seq, parent_n, depth, anchor, path, note)
		SELECT ?1, 'http://h' || (n * 7919 % 300) || '.test/section-' || (n % 17) || '/an-article-of-some-length-' || n || '.html', 'queued',
			'[' || (random() % 1000000) || ']', n + 9000, (n / 40) % ?3 + 1, 5, 'the words of a link', CAST(printf('%033d', (n / 40) % ?3) AS BLOB), randomblob(114) FROM i`,
		first.Queue, links, pages)
	storetest.Change(tb, s, `UPDATE frontier SET status = 'done' WHERE url = 'http://h0.test/'`)
	storetest.Change(tb, s, `INSERT INTO learned (crawl_id, state) VALUES (?, randomblob(2000000))`, first.Queue)
	storetest.Change(tb, s, `UPDATE crawls SET fetched = ? WHERE id = ?`, pages, first.ID)
	return s, c
}
