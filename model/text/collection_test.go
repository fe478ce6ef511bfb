package text

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// The documents can be restored from the collection, and its terms are those that occur.
func TestCollectKeepsTheDocuments(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		docs, all := make([]Counts, rng.IntN(20)), map[string]bool{}
		for i := range docs {
			docs[i] = Counts{}
			for range rng.IntN(30) {
				term := fmt.Sprint(rng.IntN(50))
				docs[i][term]++
				all[term] = true
			}
		}
		c := Collect(docs)
		if len(c.Docs) != len(docs) || len(c.Terms) != len(all) || !slices.IsSorted(c.Terms) {
			t.Fatalf("seed %d: %d documents of terms %v, want %d of %d terms", seed, len(c.Docs), c.Terms, len(docs), len(all))
		}
		for i, d := range c.Docs {
			again := Counts{}
			for _, o := range d {
				again[c.Terms[o.Term()]] += o.Times()
			}
			if !slices.IsSorted(d) || len(again) != len(d) || !reflect.DeepEqual(again, docs[i]) {
				t.Fatalf("seed %d: document %v, want %v", seed, again, docs[i])
			}
		}
	}
}

func TestCollectOddCounts(t *testing.T) {
	c := Collect([]Counts{nil, {"none": 0, "less": -3}, {"many": math.MaxInt, "one": 1}})
	if !reflect.DeepEqual(c.Terms, []string{"many", "one"}) || len(c.Docs[0])+len(c.Docs[1]) > 0 {
		t.Fatalf("got %+v", c)
	}
	if many := c.Docs[2][0]; many.Term() != 0 || many.Times() != math.MaxUint32 {
		t.Errorf("term %d occurs %d times", many.Term(), many.Times())
	}
	if c := Collect(nil); len(c.Terms)+len(c.Docs) > 0 {
		t.Errorf("no documents gave %+v", c)
	}
}
