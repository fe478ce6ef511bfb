package clock

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestFast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC)
		c := NewFast(start, 60)
		<-c.NewTimer(time.Hour).C
		if got := c.Now().Sub(start); got != time.Hour {
			t.Errorf("after an hour's timer %v have passed", got)
		}
		c.Jump(-2 * time.Hour)
		time.Sleep(time.Second)
		if got := c.Now().Sub(start); got != -time.Hour+time.Minute {
			t.Errorf("set back by two hours and a second later: %v", got)
		}
	})
}

func TestOr(t *testing.T) {
	if Or(nil) == nil || time.Since(Or(nil).Now()).Abs() > time.Minute {
		t.Error("no clock is not the machine's")
	}
}
