package broker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"nightjar/crawler/work"
	"nightjar/daemon/lab/cluster"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/workers/broker/join"
)

// longTest is the environment variable with the number of results. Without it, the short test loses the leader only.
const longTest = "NIGHTJAR_CLUSTER_RESULTS"

func TestMain(m *testing.M) {
	if !cluster.Serve() {
		goleak.VerifyTestMain(m)
	}
}

// TestClusterLosesServers: results of a worker go through three servers while their leader is killed, then one disk is lost, and then
// all disks are lost. The desk commits each result once; one that the stream had acknowledged can be missing only after the loss of
// all disks, and its task is then given again when its lease is over, which is what the worker here does.
func TestClusterLosesServers(t *testing.T) {
	effort.Long(t)
	t.Parallel() // it waits for elections most of the time
	total, long := 300, os.Getenv(longTest)
	if long != "" {
		if _, err := fmt.Sscan(long, &total); err != nil {
			t.Fatal(err)
		}
	}
	c := cluster.Start(t)
	d := newDesk()
	o := Options{
		Dir: t.TempDir(), Desk: d, Roster: &roster{keys: map[string]string{}}, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), Now: time.Now,
		Config: func(context.Context) (Config, error) { return Config{Enabled: true, Servers: c.Servers()}, nil },
	}
	r := again(t, d, o)
	conn, err := join.Dial(t.Context(), join.Options{Invite: join.Invite{Name: "attic"}, Servers: c.Servers(), Log: o.Log, Pause: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()

	// Each third of the results ends in one loss.
	committed := func() int {
		d.mu.Lock()
		defer d.mu.Unlock()
		return len(d.order)
	}
	var sent int
	third := func(then func()) {
		t.Helper()
		var publishing sync.WaitGroup
		publishing.Go(func() { publishAll(t, conn, sent, sent+total/3) })
		for committed() < sent+total/6 {
			wait(t, d.got, "results do not come in: %+v", r.Status())
		}
		then()
		publishing.Wait()
		sent += total / 3
	}
	all := func(what string) {
		t.Helper()
		deadline := time.After(6 * patience)
		for committed() < sent {
			select {
			case <-d.got:
			case <-deadline:
				t.Fatalf("%s: %d of %d results were committed; %+v", what, committed(), sent, r.Status())
			}
		}
	}
	third(func() {
		n := c.Leader()
		c.Kill(n)
		c.Start(n)
	})
	all("the leader was killed")
	if long == "" {
		d.once(t, sent)
		return
	}
	c.Leader()
	third(func() {
		n := rand.N(3)
		c.Kill(n)
		c.Wipe(n)
		c.Start(n)
	})
	all("a disk was lost")
	third(func() {
		c.WipeAll()
	})
	// The worker's leases run out for what was stored and not committed: it is fetched and sent again.
	for first := sent - total/3; committed() < sent; {
		d.mu.Lock()
		var missing []int
		for n := first; n < sent; n++ {
			if d.arrived[text(n)] == 0 {
				missing = append(missing, n)
			}
		}
		d.mu.Unlock()
		for _, n := range missing {
			publish(t, conn, n, 2)
		}
		settle(d)
	}
	d.once(t, sent)
}

// once checks that n results were committed, each once.
func (d *desk) once(t *testing.T, n int) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	seen := map[string]bool{}
	for _, text := range d.order {
		if seen[text] {
			t.Errorf("%s was committed twice", text)
		}
		seen[text] = true
	}
	if len(seen) != n {
		t.Errorf("%d results were committed, not %d", len(seen), n)
	}
	t.Logf("%d results committed once; %d arrivals in %d batches", len(seen), sum(d.arrived), d.calls)
}

func text(n int) string { return fmt.Sprint("result ", n) }

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// settle waits until no results have come in for a while.
func settle(d *desk) {
	for {
		select {
		case <-d.got:
		case <-time.After(300 * time.Millisecond):
			return
		}
	}
}

// publishAll hands over results with eight at once, as a worker does: each until it is acknowledged.
func publishAll(t *testing.T, c *join.Conn, from, to int) {
	var wait sync.WaitGroup
	next := make(chan int)
	for range 8 {
		wait.Go(func() {
			for n := range next {
				publish(t, c, n, 1)
			}
		})
	}
	for n := from; n < to; n++ {
		next <- n
	}
	close(next)
	wait.Wait()
}

func publish(t *testing.T, c *join.Conn, n, attempt int) {
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		err := c.Publish(ctx, fmt.Sprint("task", n), attempt, []byte(text(n)))
		cancel()
		if err == nil {
			return
		}
		if errors.Is(err, join.ErrTooLarge) || t.Context().Err() != nil {
			t.Error(err)
			return
		}
		time.Sleep(20 * time.Millisecond) // a worker waits longer
	}
}

var _ work.Desk = (*desk)(nil)
