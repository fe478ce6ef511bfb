package frontier

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"nightjar/crawler/strategy"
)

// TestSample: a sample holds waiting entries only, each once, as many as asked for or nearly, and is the same for the same
// random numbers.
func TestSample(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{0, 1, 5, 199, 200, 201, 5000} {
		f := New(0, nil)
		for i := range size {
			f.Add(Entry{URL: fmt.Sprint("http://h.test/", i), Host: "h.test", Priority: strategy.Priority{int32(i)}})
		}
		for range size / 10 {
			f.Remove(fmt.Sprint("http://h.test/", random.IntN(size)))
		}
		draw := func() (urls []string) {
			f.Sample(200, rand.New(rand.NewPCG(5, uint64(size))), func(e *Entry) { urls = append(urls, e.URL) })
			return urls
		}
		got := draw()
		if !slices.Equal(got, draw()) {
			t.Errorf("%d entries: another sample for the same random numbers", size)
		}
		if want := min(f.Len(), 200); len(got) > want || len(got) < want-5 {
			t.Errorf("%d entries: %d sampled", size, len(got))
		}
		seen := map[string]bool{}
		for _, u := range got {
			if seen[u] || !f.Has(u) {
				t.Errorf("%d entries: %s twice, or not waiting", size, u)
			}
			seen[u] = true
		}
	}
}

// TestSampleIsEven: over many samples, every entry comes about as often.
func TestSampleIsEven(t *testing.T) {
	f := New(0, nil)
	for i := range 1000 {
		f.Add(Entry{URL: fmt.Sprint("http://h.test/", i), Host: "h.test"})
	}
	count := map[string]int{}
	random := rand.New(rand.NewPCG(1, 1))
	for range 400 {
		f.Sample(100, random, func(e *Entry) { count[e.URL]++ })
	}
	for url, n := range count {
		if n < 10 || n > 90 { // 40 is expected
			t.Errorf("%s came %d times in 400 samples of a tenth", url, n)
		}
	}
	if len(count) != 1000 {
		t.Errorf("%d of 1000 entries were ever sampled", len(count))
	}
}

// TestPreferred compares with a search through all entries.
func TestPreferred(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		held := map[string]bool{}
		now := time.Unix(1000, 0)
		f := New(0, func(url string) time.Time {
			if held[url[7:8]] {
				return now.Add(time.Hour)
			}
			return time.Time{}
		})
		all := map[string]Entry{}
		for i := range 30 {
			host := string(rune('a' + random.IntN(5)))
			held[host] = random.IntN(2) == 0
			e := Entry{URL: fmt.Sprint("http://", host, "/", i), Host: host, Priority: make(strategy.Priority, random.IntN(4)), Attempts: random.IntN(15) / 14}
			for k := range e.Priority {
				e.Priority[k] = int32(random.IntN(3) - 1)
			}
			f.Add(e)
			all[e.URL], _ = f.Entry(e.URL)
		}
		for {
			e, _, ok := f.Pop(0, now)
			if !ok {
				break
			}
			delete(all, e.URL)
			hosts := map[string]bool{}
			for _, o := range all {
				if o.Before(&e) {
					hosts[o.Host] = true
				}
			}
			if got := f.Preferred(0, &e); got != len(hosts) {
				t.Fatalf("%d hosts have a better link than %+v, want %d", got, e, len(hosts))
			}
			if random.IntN(2) == 0 {
				f.Release(e.Host)
			}
		}
	}
}
