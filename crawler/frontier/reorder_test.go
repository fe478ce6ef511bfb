package frontier

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// TestReorderSome checks that reordering in parts, while entries come and go, leads to the same order as Reorder.
func TestReorderSome(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 2))
		parts, whole := New(100, nil), New(100, nil)
		both := func(do func(f *Frontier)) { do(parts); do(whole) }
		for seq := range int64(250) {
			e := randomEntry(r, seq+1)
			both(func(f *Frontier) { f.Add(e) })
		}
		for range 20 {
			both(func(f *Frontier) {
				e, _, _ := f.Pop(0, time.Now())
				f.Release(e.Host)
			})
		}
		value := noted(r.Uint64())
		whole.Reorder(value)
		for rounds := 0; rounds < 2; {
			if parts.ReorderSome(7, value) {
				rounds++
			}
			if seq := r.Int64N(300); rounds == 0 {
				both(func(f *Frontier) { f.Visit(randomEntry(rand.New(rand.NewPCG(seed, uint64(seq))), 0).URL) })
			}
		}
		for {
			a, _, ok := parts.Pop(0, time.Now())
			b, _, okb := whole.Pop(0, time.Now())
			if ok != okb || a.URL != b.URL || a.Priority.Compare(b.Priority) != 0 {
				t.Fatalf("seed %d: %+v, want %+v", seed, a, b)
			}
			if !ok {
				break
			}
			both(func(f *Frontier) { f.Release(a.Host) })
		}
	}
}

// TestEntryRoundTrip checks that Pop returns every field of an entry as Add and Return received it.
func TestEntryRoundTrip(t *testing.T) {
	for _, e := range []Entry{
		{URL: "http://a.test/", Host: "a.test"},
		{URL: "https://a.test", Host: "a.test", Anchor: "äöü", Priority: []int32{1, -2, 3, -4}, Note: []byte{0, 1}},
		{URL: "https://a.test:8443/x?y=z", Host: "a.test:8443", Priority: []int32{7}, Retries: 1, Attempts: 1},
		{URL: "ftp://a.test/", Host: "a.test", Parent: 12, Depth: 3, Seq: 1 << 40},
		{URL: "http://a.test.b.test/", Host: "b.test", Note: make([]byte, 5000)},
	} {
		for _, back := range []bool{false, true} {
			f := New(0, nil)
			e.Seq = max(e.Seq, 1)
			f.Add(e)
			got, _, ok := f.Pop(0, time.Now())
			if back {
				if !f.Return(got) || f.Visited(e.URL) || f.Len() != 1 {
					t.Errorf("Return did not put %s back", e.URL)
				}
				f.Release(e.Host)
				got, _, ok = f.Pop(0, time.Now())
			}
			if !ok || !reflect.DeepEqual(got, e) {
				t.Errorf("got %+v, want %+v", got, e)
			}
		}
	}
}
