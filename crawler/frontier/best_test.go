package frontier

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"nightjar/crawler/strategy"
)

// TestBest: the best entries are those that sorting all of them puts first, whatever became of their hosts and priorities,
// and looking at them changes nothing.
func TestBest(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for round := range 30 {
		f := New(400, func(url string) time.Time {
			if len(url)%3 == 0 {
				return time.Unix(1_000_000, 0) // must wait
			}
			return time.Time{}
		})
		for i := range 500 {
			host := fmt.Sprintf("h%d.test", random.IntN(1+round))
			f.Add(Entry{URL: fmt.Sprintf("http://%s/%d", host, i), Host: host, Priority: strategy.Priority{int32(random.IntN(50))}})
		}
		for range random.IntN(20) {
			f.Pop(0, time.Unix(10, 0)) // its host is busy from now on
		}
		f.Reorder(func(e *Entry) strategy.Priority { return strategy.Priority{e.Priority[0] ^ int32(round)} })
		var all []Entry
		f.Sample(1000, random, func(e *Entry) { all = append(all, *e) })
		slices.SortFunc(all, func(a, b Entry) int {
			if a.Before(&b) {
				return -1
			}
			return 1
		})
		for _, n := range []int{0, 1, 100, 1000} {
			var got []string
			f.Best(n, func(e *Entry) { got = append(got, e.URL) })
			want := make([]string, min(n, len(all)))
			for i := range want {
				want[i] = all[i].URL
			}
			if !slices.Equal(got, want) {
				t.Fatalf("round %d: the best %d of %d begin with %v, want %v", round, n, len(all), got[:min(3, len(got))], want[:min(3, len(want))])
			}
		}
		if e, _, ok := f.Pop(0, time.Unix(2_000_000, 0)); ok && cmp.Compare(e.Priority[0], all[0].Priority[0]) > 0 {
			t.Fatalf("round %d: popped a link that was not listed", round)
		}
	}
}
