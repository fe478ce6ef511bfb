package frontier

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
)

// BenchmarkMillion fills a frontier with a million entries on 10,000 hosts, as large as those of the strategy
// link-value. It then pops and adds entries alternately, first with every host ready, then with hosts that must be left
// alone for a second after each request. It reports the frontier's memory, the time of pops and the longest call of
// ReorderSome.
func BenchmarkMillion(b *testing.B) {
	const urls, hosts = 1_000_000, 10_000
	for b.Loop() {
		b.StopTimer()
		r := rand.New(rand.NewPCG(1, 1))
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		busy := map[string]time.Time{}
		before := heapMiB()
		f := New(urls, func(url string) time.Time { return busy[weburl.Host(url)] })
		var path []byte
		made := 0
		add := func() {
			if made%50 == 0 {
				path = make([]byte, 33)
			}
			made++
			h := r.IntN(hosts)
			f.Add(Entry{
				URL:  fmt.Sprintf("https://www.host-%d.example/section-%d/an-article-of-some-length-%d.html", h, r.IntN(50), made),
				Host: fmt.Sprintf("www.host-%d.example", h), Anchor: "words of the link",
				Priority: strategy.Priority{r.Int32N(1_000_000)}, Parent: made / 50, Depth: 3, Path: path,
				Note: make([]byte, 34+4*20), // as link-value's, of 20 tokens
			})
		}
		b.StartTimer()
		began := time.Now()
		for range urls {
			add()
		}
		b.ReportMetric(float64(time.Since(began).Nanoseconds())/urls, "ns/add")
		b.ReportMetric(heapMiB()-before, "MiB")
		b.ReportMetric(p99(func() bool {
			e, _, ok := f.Pop(0, now)
			f.Release(e.Host)
			return ok
		}, add), "µs-p99-pop")
		b.ReportMetric(p99(func() bool {
			now = now.Add(100 * time.Microsecond) // 10,000 requests a second
			e, _, ok := f.Pop(0, now)
			if ok {
				busy[e.Host] = now.Add(time.Second)
				f.Release(e.Host)
			}
			return ok
		}, add), "µs-p99-pop-waiting")
		var longest time.Duration
		for end := false; !end; {
			began := time.Now()
			end = f.ReorderSome(5000, func(e *Entry) strategy.Priority { return strategy.Priority{r.Int32N(1_000_000)} })
			longest = max(longest, time.Since(began))
		}
		b.ReportMetric(float64(longest.Milliseconds()), "ms-longest-reorder")
	}
}

// p99 returns the 99th percentile of the time that 100,000 pops take, in µs. It adds an entry after each pop.
func p99(pop func() bool, add func()) float64 {
	var all []time.Duration
	for range 100_000 {
		began := time.Now()
		ok := pop()
		all = append(all, time.Since(began))
		if ok {
			add()
		}
	}
	slices.Sort(all)
	return float64(all[len(all)*99/100].Nanoseconds()) / 1000
}

func heapMiB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}
