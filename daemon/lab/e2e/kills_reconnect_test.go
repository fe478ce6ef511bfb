package e2e

import (
	"fmt"
	"slices"
	"time"
)

// reconnects kills the daemon and starts it again, a number of times: the browser connects by itself and sends what it
// recorded meanwhile. The times that it took after the port answered are printed.
func (k *killer) reconnects(times int) {
	k.t.Helper()
	var took []time.Duration
	for i := range times {
		seen := k.d.text("SELECT max(seen_at) FROM browsers")
		k.relay.block(true)
		k.d.kill()
		if i%2 == 0 {
			k.browse(1)
		}
		k.pause(1 + 500*(i%12))
		k.d.revive()
		k.relay.block(false)
		began := time.Now()
		k.d.changes("the browser is connected again", seen, "SELECT max(seen_at) FROM browsers")
		took = append(took, time.Since(began))
	}
	k.judge("reconnect")
	slices.Sort(took)
	k.t.Logf("connected again %d times after the port answered: median %v, longest %v: %v", times, took[times/2], took[times-1], took)
}

// changes waits until the database no longer answers what it did.
func (d *daemon) changes(what, was, query string) {
	d.t.Helper()
	err := poll(2*patience, func() error {
		if d.text(query) == was {
			return fmt.Errorf("still %q", was)
		}
		return nil
	})
	if err != nil {
		d.t.Fatalf("%s: %v", what, err)
	}
}
