package settings

import (
	"reflect"
	"testing"
)

func TestChangesCanBeUndone(t *testing.T) {
	was := Default()
	now := was
	now.Night.Enabled, now.Delay, now.Budget.Minutes, now.Strategy = true, 4, 90, "hmm"
	now.NeverRecord = []string{"bank.test"}
	now.Resolve = []string{"*.test=127.0.0.1:80"}
	changes := Changes(was, now)
	if len(changes) != 6 {
		t.Fatalf("%+v", changes)
	}
	kept := append([]string{}, now.NeverRecord...)
	for _, c := range changes {
		if !c.Holds(now) || c.Holds(was) {
			t.Errorf("%s: holds %t, and before %t", c.Field, c.Holds(now), c.Holds(was))
		}
		next, err := c.Undo(now)
		if err != nil || c.Holds(next) {
			t.Errorf("%s: %v", c.Field, err)
		}
		if left := Changes(was, next); len(left) != len(Changes(was, now))-1 {
			t.Errorf("%s undone leaves %+v", c.Field, left)
		}
		if !reflect.DeepEqual(now.NeverRecord, append(kept, now.NeverRecord[len(kept):]...)) {
			t.Errorf("%s: the undo wrote into %v", c.Field, now.NeverRecord)
		}
		now = next
		kept = append([]string{}, now.NeverRecord...)
	}
	if left := Changes(was, now); len(left) != 0 {
		t.Errorf("left %+v", left)
	}
}
