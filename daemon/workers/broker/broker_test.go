package broker

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"nightjar/crawler/work"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/lab/effort"
	"nightjar/daemon/workers/broker/join"
)

func TestWorkerAsksAndBringsResults(t *testing.T) {
	d := newDesk()
	d.grant = func(_ context.Context, worker string) work.Grant {
		return work.Grant{Tasks: []work.Task{{ID: "t1", URL: "https://a.example/for-" + worker}}}
	}
	r := start(t, func(o *Options, _ *Config) { o.Desk = d })
	c := dial(t, r.invite(t, "attic"))
	if h := wait(t, d.hellos, "no hello"); h.Name != "attic" {
		t.Errorf("hello of %q", h.Name)
	}
	g, err := c.Ask(t.Context(), work.Ask{Free: 3})
	if err != nil || len(g.Tasks) != 1 || g.Tasks[0].URL != "https://a.example/for-attic" {
		t.Fatalf("granted %+v, %v", g, err)
	}
	if err := c.Beat(work.Beat{Running: 1}); err != nil {
		t.Fatal(err)
	}
	if b := wait(t, d.beats, "no beat"); b.Running != 1 {
		t.Errorf("beat %+v", b)
	}
	for i := range 100 {
		if err := c.Publish(t.Context(), fmt.Sprint("t", i), 1, fmt.Append(nil, "result ", i)); err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		wait(t, d.got, "a result did not arrive")
	}
	// The same results again: the stream knows them, and acknowledges without storing.
	for i := range 100 {
		if err := c.Publish(t.Context(), fmt.Sprint("t", i), 1, fmt.Append(nil, "result ", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.Publish(t.Context(), "last", 1, []byte("last")); err != nil {
		t.Fatal(err)
	}
	wait(t, d.got, "the last result did not arrive")
	d.mu.Lock()
	for text, n := range d.arrived {
		if n != 1 {
			t.Errorf("%q arrived %d times", text, n)
		}
	}
	d.mu.Unlock()
	r.Control("attic", work.Control{Do: "drain"})
	if order := wait(t, c.Controls(), "no order"); order.Do != "drain" {
		t.Errorf("order %+v", order)
	}
	if s := r.Status(); !s.On || !s.Answers || s.Problem != "" || s.Ends.Before(time.Now()) || s.Queued > 1 {
		t.Errorf("status %+v", s)
	}
}

func TestRevokedWorkerIsPutOutAndNeverLetIn(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	i := r.invite(t, "attic")
	c := dial(t, i)
	other := dial(t, r.invite(t, "cellar"))
	if err := r.Revoke(t.Context(), "attic"); err != nil {
		t.Fatal(err)
	}
	if name := wait(t, r.desk.left, "nobody left"); name != "attic" {
		t.Errorf("%s left", name)
	}
	// Its program tries once more, and is refused for good.
	wait(t, c.Done(), "the connection of a revoked worker did not end")
	if c.Err() != join.ErrRefused {
		t.Errorf("it ended with %v", c.Err())
	}
	if _, err := join.Dial(t.Context(), join.Options{Invite: i, Log: r.o.Log}); err != join.ErrRefused {
		t.Errorf("a revoked invitation: %v", err)
	}
	if _, err := other.Ask(t.Context(), work.Ask{Free: 1}); err != nil {
		t.Errorf("another worker: %v", err)
	}
	// The old file stays refused when the same name is invited anew.
	fresh := r.invite(t, "attic")
	if _, err := join.Dial(t.Context(), join.Options{Invite: i, Log: r.o.Log}); err != join.ErrRefused {
		t.Errorf("a replaced invitation: %v", err)
	}
	dial(t, fresh)
	// Neither is it let in after a restart.
	r.stop()
	r = again(t, newDesk(), r.o)
	i.Addresses = r.invite(t, "third").Addresses
	if _, err := join.Dial(t.Context(), join.Options{Invite: i, Log: r.o.Log}); err != join.ErrRefused {
		t.Errorf("a replaced invitation after a restart: %v", err)
	}
}

// TestStopAtAnyMoment: a broker that is told to stop while it starts leaves nothing running. That is looked for when all tests are over.
func TestStopAtAnyMoment(t *testing.T) {
	effort.Long(t)
	keys, dir := &roster{keys: map[string]string{}}, t.TempDir()
	start(t, func(o *Options, _ *Config) { o.Dir, o.Roster = dir, keys }).stop() // makes the certificates
	for i := range 60 {
		b := New(Options{
			Dir: dir, Desk: newDesk(), Roster: keys, Log: slog.New(slog.DiscardHandler), Now: time.Now, handshake: time.Second,
			Config: func(context.Context) (Config, error) { return Config{Enabled: true, Listen: "127.0.0.1:0"}, nil },
		})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- b.Run(ctx) }()
		for !b.Status().On {
			runtime.Gosched()
		}
		time.Sleep(time.Duration(i) * 50 * time.Microsecond) // the stream and its consumer are being made
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(dir, leftovers.Broker)); err != nil {
			t.Fatal(err)
		}
	}
}
