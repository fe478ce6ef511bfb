package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/work"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/workers/broker"
	"nightjar/daemon/workers/broker/join"
)

// TestWorkersJoinAndAreRevoked: a worker joins a daemon that was told on the command line to listen for workers, and gets no further
// than its invitation allows.
func TestWorkersJoinAndAreRevoked(t *testing.T) {
	a := mustServeWith(t, Config{WorkerFlags: WorkerFlags{Listen: "127.0.0.1:0"}})
	text, err := a.Broker.Invite(t.Context(), "attic")
	for deadline := time.Now().Add(time.Minute); !a.Broker.Status().Answers; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the broker does not start: %+v", a.Broker.Status())
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Broker.Invite(t.Context(), "attic"); !errors.Is(err, work.ErrName) {
		t.Errorf("a second invitation of the same name: %v", err)
	}
	i, err := join.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	i.Addresses = []string{a.Broker.Status().Address} // the first invitation may be older than the port
	c, err := join.Dial(t.Context(), join.Options{Invite: i, Log: slog.New(slog.DiscardHandler), Pause: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	w, err := c.Hello(t.Context(), work.Hello{Version: work.Version, Parser: page.Version, Parallel: 4, Program: Version, Now: time.Now()})
	if err != nil || w.Refused != "" || w.UserAgent == "" {
		t.Fatalf("welcome %+v, %v", w, err)
	}
	if all := a.Leases.Status().Workers; len(all) != 1 || all[0].State != work.StateReady {
		t.Errorf("workers %+v", all)
	}
	if err := a.Broker.Revoke(t.Context(), "attic"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-c.Done():
	case <-time.After(time.Minute):
		t.Error("a revoked worker is still connected")
	}
	for _, dir := range []string{leftovers.Broker, broker.CertsDir} {
		info, err := os.Stat(filepath.Join(a.Config.Data, dir))
		if err != nil || info.Mode().Perm() != 0o700 || !made(dir) {
			t.Errorf("%s: %v, %v, made %v", dir, info, err, made(dir))
		}
	}
}

// TestCrawlsLeaveTheWorkersPortAlone: a page's link to the address that workers connect to is refused, also where private addresses
// are allowed.
func TestCrawlsLeaveTheWorkersPortAlone(t *testing.T) {
	a := mustServeWith(t, Config{WorkerFlags: WorkerFlags{Listen: "127.0.0.1:0"}, AllowPrivate: []string{"127.0.0.0/8"}})
	for deadline := time.Now().Add(time.Minute); !a.Broker.Status().Answers; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the broker does not start: %+v", a.Broker.Status())
		}
	}
	hands, err := a.Scheduler.Hands(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = hands.Close() }() // nothing is under way
	for _, of := range []string{a.Broker.Status().Address, a.Addr()} {
		r := hands.Do(t.Context(), work.Task{ID: "1", Attempt: 1, URL: "http://" + of + "/"}).Response
		if r.Outcome != fetch.Refused || !strings.Contains(r.Reason, "own address") {
			t.Errorf("%s: %s, %s", of, r.Outcome, r.Reason)
		}
	}
}

// TestSettingsSwitchWorkersOn: without flags the settings decide, at once.
func TestSettingsSwitchWorkersOn(t *testing.T) {
	a := mustServe(t)
	if s := a.Broker.Status(); s.On || a.workersOn(t.Context()) {
		t.Errorf("workers are on from the start: %+v", s)
	}
	s, err := a.Store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.Workers.Enabled, s.Workers.Listen = true, l.Addr().String() // settings name a port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.Store.SaveSettings(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	a.Bus.Tell(notify.News{Kind: "settings"})
	for deadline := time.Now().Add(time.Minute); !a.Broker.Status().Answers; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the broker does not start: %+v", a.Broker.Status())
		}
	}
}

func TestWorkerFlags(t *testing.T) {
	for _, bad := range []WorkerFlags{
		{Broker: "nats://a", Listen: "0.0.0.0:1"}, {Broker: "nats://a", TLS: "x"}, {TLS: "x"}, {Creds: "x"}, {Listen: "4775"}, {Listen: "host:4775"},
		{Broker: "http://a"}, {Broker: "nats://"}, {Broker: "nats://u:p@a"},
	} {
		if err := bad.check(); err == nil {
			t.Errorf("%+v is allowed", bad)
		}
	}
	flags := WorkerFlags{Listen: "0.0.0.0:4775", TLS: "certs"}
	if err := flags.check(); err != nil || !filepath.IsAbs(flags.TLS) {
		t.Errorf("%+v: %v", flags, err)
	}
	chosen := settings.Workers{Broker: "nats://a", Login: "/l", Address: "example.org"}
	if w := flags.over(chosen); !w.Enabled || w.Broker != "" || w.Listen != flags.Listen || w.Address != "example.org" {
		t.Errorf("%+v", w)
	}
	cluster := WorkerFlags{Broker: "nats://b,c", Creds: "/c"}
	if w := cluster.over(chosen); !w.Enabled || len(w.Servers()) != 2 || w.Login != "/c" {
		t.Errorf("%+v", w)
	}
	if w := (WorkerFlags{}).over(chosen); w != chosen {
		t.Errorf("%+v", w)
	}
}

// mustServeWith is mustServe with more of a configuration.
func mustServeWith(t *testing.T, c Config) *App {
	t.Helper()
	c.Data, c.Listen = t.TempDir(), "127.0.0.1:0"
	a, err := Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-done, a.Close()); err != nil {
			t.Errorf("daemon: %v", err)
		}
	})
	return a
}
