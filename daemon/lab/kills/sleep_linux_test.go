package kills

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"
)

// fetched waits until a crawl has read n pages.
func fetched(t *testing.T, data string, n int) {
	t.Helper()
	wait(t, "the crawl reads pages", func() bool {
		db := look(t, database(data))
		defer db.Close()
		return count(t, db, "SELECT count(*) FROM fetches") >= n
	})
}

// TestSickSleep stops the whole program for some seconds while it crawls and records, as a computer that sleeps does, and lets it go
// on. Every event is stored once, every page is read once, and no host is asked sooner than it wants.
func TestSickSleep(t *testing.T) {
	needSick(t)
	w := newWeb(t, 20, 80)
	data := toCrawl(t, w)
	r := &recorder{browser: newBrowser(), data: data, sessions: 100}
	r.pair(t, data)
	l := mustServe(t, data, w.flags()...)
	ctx, stop := context.WithCancel(t.Context())
	records := make(chan error, 1)
	go func() { records <- r.recordUntil(ctx, l) }()
	fetched(t, data, 10)
	signal := func(s syscall.Signal) {
		if err := syscall.Kill(l.cmd.Process.Pid, s); err != nil {
			t.Fatal(err)
		}
	}
	signal(syscall.SIGSTOP)
	sent := len(r.known())
	time.Sleep(10 * time.Second)
	if now := len(r.known()); now > sent+100 {
		t.Errorf("a program that sleeps acknowledged %d events", now-sent)
	}
	signal(syscall.SIGCONT)
	waitCrawl(t, data)
	stop()
	if err := <-records; err != nil {
		t.Fatal(err)
	}
	r.resend(t, l)
	l.stop()
	r.storedOnce(t)
	checkCrawl(t, data, w, nil)
	w.polite(t, nil)
	t.Logf("%d events, %d of them acknowledged before the sleep", len(r.made), sent)
}

// recordUntil sends an event every 20 ms until ctx ends. It connects again when the connection is lost.
func (r *recorder) recordUntil(ctx context.Context, l *life) error {
	for ctx.Err() == nil {
		c, err := r.connect(l)
		if err != nil {
			if !l.alive() {
				return fmt.Errorf("the program is gone: %w", err)
			}
			continue
		}
		for _, e := range r.waiting() {
			if c.Post(ctx, e) != nil {
				break
			}
		}
		for ctx.Err() == nil && c.Err() == nil {
			e := r.next()
			r.add(e)
			if c.Post(ctx, e) != nil {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		c.Close()
	}
	return nil
}

// resend sends what was not acknowledged.
func (r *recorder) resend(t *testing.T, l *life) {
	t.Helper()
	c, err := r.connect(l)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Send(within(t), r.waiting()...); err != nil {
		t.Fatal(err)
	}
}

// storedOnce checks that each event was acknowledged and is stored once.
func (r *recorder) storedOnce(t *testing.T) {
	t.Helper()
	db := look(t, database(r.data))
	defer db.Close()
	stored := map[string]int{}
	for _, id := range lines(t, db, "SELECT id FROM events") {
		stored[id]++
	}
	for _, e := range r.made {
		if stored[e.ID] != 1 {
			t.Errorf("the event %s is stored %d times", e.ID, stored[e.ID])
		}
	}
	if n := len(r.waiting()); n > 0 || len(r.wrong) > 0 {
		t.Errorf("%d events were not acknowledged; refused: %v", n, r.wrong)
	}
}
