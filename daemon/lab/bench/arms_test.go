package bench

import (
	"math"
	"reflect"
	"testing"
)

// TestCompareArms: a task is crawled by each strategy alone and by both in turn, whose picks have exactly their shares; the
// same seed gives the same nights, and other draws other ones.
func TestCompareArms(t *testing.T) {
	dir, plan := madeUp(t), ArmsPlan{First: "best-first", Second: "breadth-first", Share: 20, Nights: 2}
	one, err := runner(t, dir).CompareArms(t.Context(), evenings(1), plan, 1)
	if err != nil {
		t.Fatal(err)
	}
	again, err := runner(t, dir).CompareArms(t.Context(), evenings(1), plan, 1)
	if err != nil || !reflect.DeepEqual(one, again) {
		t.Errorf("%+v, again %+v (%v)", one, again, err)
	}
	found := 0
	for _, n := range one.Found {
		found += n
	}
	if one.Alone == 0 || len(one.Found) != 2 || math.Abs(one.Loss-(1-float64(found)/float64(2*one.Alone))) > 1e-9 {
		t.Errorf("%+v", one)
	}
	nights := one.Seen.brought
	for _, n := range nights {
		if all := n.Picks[0] + n.Picks[1]; all < 50 || n.Picks[1] < all/5 || n.Picks[1] > all/5+1 {
			t.Errorf("%v picks", n.Picks)
		}
	}
	if reflect.DeepEqual(nights[0].Finds, nights[1].Finds) {
		t.Error("two nights have the same draws")
	}
	if _, err := runner(t, dir).CompareArms(t.Context(), evenings(1), ArmsPlan{First: "guess", Second: "hmm"}, 1); err == nil {
		t.Error("an unknown strategy is no error")
	}
}
