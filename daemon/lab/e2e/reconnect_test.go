package e2e

import (
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"nightjar/daemon/lab/demoweb"
)

// TestReconnect kills the daemon and starts it again: the browser connects by itself, and sends what it recorded
// meanwhile. NIGHTJAR_RECONNECTS is how often; the times are printed.
func TestReconnect(t *testing.T) {
	rounds := 1
	if text := os.Getenv("NIGHTJAR_RECONNECTS"); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for name, start := range map[string]start{"chromium": startChromium, "firefox": startFirefox} {
		t.Run(name, func(t *testing.T) { reconnect(t, start, rounds) })
	}
}

func reconnect(t *testing.T, start start, rounds int) {
	web := demoweb.Generate(2)
	addr := serveWeb(t, web)
	d := startMortal(t, addr)
	j := &job{t: t, web: web, d: d.daemon, b: start(t, addr), topic: web.Topic}
	first := &user{t: t, pictures: newPictures("reconnect")}
	j.reader = first.open(j.b)
	j.connect()
	j.begin()
	var took []time.Duration
	for round := range rounds {
		took = append(took, j.restart(d, time.Duration(round%7)*time.Second, round%2 == 0))
	}
	slices.Sort(took)
	t.Logf("connected again after the port answered: median %v, longest %v of %d: %v", took[len(took)/2], took[len(took)-1], len(took), took)
}

// restart kills the daemon, visits a page or not, starts the daemon again after a time, and tells how long the browser took
// after the port answered.
func (j *job) restart(d *mortal, away time.Duration, visit bool) time.Duration {
	j.t.Helper()
	d.kill()
	loads, seen := j.loads(), j.d.text("SELECT max(seen_at) FROM browsers")
	if visit {
		j.reader.address(j.web.Script()[0].URL)
	}
	time.Sleep(away)
	answered := make(chan time.Time, 1)
	go func() {
		for ; ; time.Sleep(2 * time.Millisecond) {
			if c, err := net.Dial("tcp", d.addr); err == nil {
				answered <- time.Now()
				_ = c.Close() // it was only to see whether the port answers
				return
			}
		}
	}()
	d.revive()
	j.d.changes("the browser is connected again", seen, "SELECT max(seen_at) FROM browsers")
	took := time.Since(<-answered)
	if visit {
		j.grows("the visit while the daemon was away is recorded", loads, j.loads)
	}
	return took
}

// changes waits until the database no longer answers what it did.
func (d *daemon) changes(what, was, query string) {
	d.t.Helper()
	err := poll(patience, func() error {
		if d.text(query) == was {
			return fmt.Errorf("still %q", was)
		}
		return nil
	})
	if err != nil {
		d.t.Fatalf("%s: %v", what, err)
	}
}
