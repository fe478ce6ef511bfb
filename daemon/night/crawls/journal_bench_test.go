package crawls

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/store"
)

// BenchmarkJournal commits pages of 25 kB with 16 new links, one in four of which is a find, in batches of several sizes. One
// operation is a page.
func BenchmarkJournal(b *testing.B) {
	for _, size := range []int{1, 5, 16} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			s, c := mustStoreWithCrawl(b, Options{Starts: []string{benchURL(0)}})
			j := NewJournal(s.DB, c)
			made := make([]*crawler.Fetch, b.N)
			for i := range made {
				made[i] = benchFetch(i)
			}
			b.ReportAllocs()
			b.ResetTimer()
			began := devtool.CPUTime()
			for len(made) > 0 {
				n := min(size, len(made))
				batch := &crawler.Batch{Fetches: made[:n], Totals: made[n-1].Totals}
				for _, f := range batch.Fetches {
					batch.Begun = append(batch.Begun, f.Queued[0].URL)
				}
				mustCommit(b, j, batch)
				made = made[n:]
			}
			b.ReportMetric(float64(devtool.CPUTime()-began)/float64(b.N)/1000, "cpu-µs/op")
		})
	}
}

func benchURL(n int) string {
	return fmt.Sprintf("http://host%d.test/section/%d/page-%x.html", n%200, n%17, n*7919)
}

func benchFetch(i int) *crawler.Fetch {
	random := rand.New(rand.NewPCG(1, uint64(i)))
	var html strings.Builder
	for html.Len() < 25_000 {
		fmt.Fprintf(&html, "<p class=%d>word%d and other%d words <a href=/%d>of page</a></p>\n", random.IntN(9), random.IntN(999), random.IntN(99), random.IntN(999))
	}
	url := benchURL(i)
	f := &crawler.Fetch{
		N: i + 1, ParentN: i / 3, URL: url, FinalURL: url, Title: "A page of words", Anchor: "of page", Depth: i % 9, Cost: 1,
		At: time.UnixMilli(int64(i)), TextHash: int64(i + 1), Simhash: random.Uint64(), Done: []string{url}, Page: &page.Page{Title: "A page of words", Text: html.String()[:5000]},
		Response: fetch.Response{Outcome: fetch.OK, Status: 200, Bytes: 7000, Body: []byte(html.String()),
			Exchanges: []fetch.Exchange{{URL: url, Purpose: fetch.ForPage, Status: 200, Bytes: 7000, At: time.UnixMilli(int64(i))}}},
		Judgement: strategy.Judgement{Cluster: -1, Useful: random.Float64(), Why: []strategy.Reason{{Name: "words", Value: 0.5}}},
		Relevant:  i%4 == 0, Place: crawler.Place{File: "nightjar-20260101000000-00001.warc.gz", Offset: int64(i) * 7000},
	}
	for k := range 16 {
		child := benchURL(1_000_000 + i*16 + k)
		f.Queued = append(f.Queued, frontier.Entry{URL: child, Parent: i + 1, Depth: f.Depth + 1, Anchor: "a link with words",
			Priority: strategy.Priority{random.Int32(), random.Int32()}, Seq: int64(i*16 + k), Note: make([]byte, 140)})
	}
	return f
}

// BenchmarkEventSum measures what the sum adds to the storing of an event.
func BenchmarkEventSum(b *testing.B) {
	body := string(bytes.Repeat([]byte("x"), 400))
	for b.Loop() {
		store.EventSum("0190f6c4-0000-7000-8000-000000000000", 1, "visit", "0190f6c4-0000-7000-8000-000000000001", body, nil, "")
	}
}
