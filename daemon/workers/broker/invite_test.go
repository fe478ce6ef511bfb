package broker

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/crawler/work"
	"nightjar/daemon/workers/broker/join"
)

// TestInviteWhileTheBrokerOpens: invitations that are made at the very moment when a broker opens for the first time, and makes its
// certificates, are accepted.
func TestInviteWhileTheBrokerOpens(t *testing.T) {
	for i := range 16 {
		inviteWhileOpening(t, time.Duration(i)*300*time.Microsecond)
	}
}

// inviteWhileOpening invites two workers, one of them so long after the broker began to open.
func inviteWhileOpening(t *testing.T, after time.Duration) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Enabled: true, Listen: l.Addr().String()}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	d := newDesk()
	b := New(Options{
		Dir: t.TempDir(), Desk: d, Roster: &roster{keys: map[string]string{}}, Log: slog.New(slog.DiscardHandler), Now: time.Now,
		Config: func(context.Context) (Config, error) { return c, nil },
	})
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	defer wait.Wait()
	defer cancel()
	wait.Go(func() { _ = b.Run(ctx) }) // it always returns nil
	var texts [2][]byte
	var invited sync.WaitGroup
	for n := range texts {
		invited.Go(func() {
			time.Sleep(time.Duration(n) * after)
			var err error
			if texts[n], err = b.Invite(t.Context(), fmt.Sprintf("attic-%d", n)); err != nil {
				t.Error(err)
			}
		})
	}
	invited.Wait()
	<-b.CaughtUp()
	for _, text := range texts {
		i, err := join.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := join.Dial(t.Context(), join.Options{Invite: i, Log: slog.New(slog.DiscardHandler), Pause: 10 * time.Millisecond})
		if err != nil {
			t.Fatalf("an invitation made %v after the start: %v", after, err)
		}
		if w, err := conn.Hello(t.Context(), work.Hello{Version: work.Version}); err != nil || w.Refused != "" {
			t.Errorf("hello of a worker invited %v after the start: %+v, %v", after, w, err)
		}
		conn.Close()
	}
}

// slowRoster answers with the workers that there were before the test lets it go on.
type slowRoster struct {
	*roster
	slow       atomic.Bool
	read, goOn chan struct{}
}

func (r *slowRoster) Keys(ctx context.Context) (map[string]string, error) {
	keys, err := r.roster.Keys(ctx)
	if r.slow.Load() {
		r.read <- struct{}{}
		<-r.goOn
	}
	return keys, err
}

// TestInviteWhileTheRosterIsRead: a worker that is invited while the broker reads who is invited is let in.
func TestInviteWhileTheRosterIsRead(t *testing.T) {
	slow := &slowRoster{roster: &roster{keys: map[string]string{}}, read: make(chan struct{}, 9), goOn: make(chan struct{})}
	r := start(t, func(o *Options, _ *Config) { o.Roster = slow })
	slow.slow.Store(true) // the broker itself may read it once more, or has done so
	read := make(chan struct{})
	go func() {
		defer close(read)
		r.readRoster(t.Context())
	}()
	<-slow.read
	invited := make(chan error, 1)
	go func() {
		_, err := r.Invite(t.Context(), "attic")
		invited <- err
	}()
	select {
	case err := <-invited: // nothing makes it wait
		invited <- err
	case <-time.After(200 * time.Millisecond):
	}
	close(slow.goOn)
	wait(t, read, "the roster was not read")
	if err := wait(t, invited, "nobody was invited"); err != nil {
		t.Fatal(err)
	}
	if names := r.now().embedded.gate.names(); !slices.Equal(names, []string{"attic"}) {
		t.Errorf("let in: %q", names)
	}
}
