package online

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKeys: whatever is set, the answers are those of Go's map, and the order is that of the first setting.
func TestKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for n := range 300 {
		var k Keys[int]
		want, order := map[uint64]int{}, []uint64(nil)
		for i := range n {
			key := rng.Uint64N(uint64(n)) << (rng.IntN(3) * 20)
			if _, known := want[key]; !known {
				order = append(order, key)
			}
			want[key] = i
			k.Set(key, i)
		}
		for range 100 {
			key := rng.Uint64N(uint64(n) + 1)
			v, known := k.Get(key)
			if w, met := want[key]; v != w || known != met || (k.Place(key) >= 0) != met {
				t.Fatalf("key %d: %d, %v; want %d, %v", key, v, known, w, met)
			}
		}
		var got []uint64
		for key, v := range k.All() {
			if got = append(got, key); *v != want[key] || k.Place(key) != len(got)-1 {
				t.Fatalf("key %d: %d, want %d", key, *v, want[key])
			}
		}
		if !slices.Equal(got, order) || k.Len() != len(want) {
			t.Fatalf("keys %v, want %v", got, order)
		}
	}
}
