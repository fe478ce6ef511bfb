package clock

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestFast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC)
		c, began := NewFast(start, 60), time.Now()
		<-c.NewTimer(time.Hour).C
		if got := c.Now().Sub(start); got != time.Hour {
			t.Errorf("after an hour's timer %v have passed", got)
		}
		c.Jump(-2 * time.Hour)
		time.Sleep(time.Second)
		if got := c.Now().Sub(start); got != -time.Hour+time.Minute {
			t.Errorf("set back by two hours and a second later: %v", got)
		}
		if got := Since(c, began); got != time.Hour+time.Minute {
			t.Errorf("%v have passed, however the clock was set", got)
		}
		if got := Since(System, began); got != time.Minute+time.Second {
			t.Errorf("%v have passed", got)
		}
	})
}

func TestOr(t *testing.T) {
	before := time.Now()
	if now := Or(nil).Now(); now.Before(before) || now.After(time.Now()) {
		t.Errorf("%v is not what the machine's clock shows", now)
	}
}
