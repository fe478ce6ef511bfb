package broker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/work"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/lab/cluster"
	"nightjar/daemon/workers/broker/join"
)

// TestResultsSurviveTheDaemon: results that were stored and not committed when the daemon ended are committed at once when it is back,
// and before CaughtUp. The worker connects again by itself and is told to say hello.
func TestResultsSurviveTheDaemon(t *testing.T) {
	t.Parallel()
	d := newDesk()
	d.fail = func() error { return context.Canceled }
	r := start(t, func(o *Options, c *Config) {
		o.Desk, c.Listen = d, "127.0.0.1:"+fmt.Sprint(cluster.FreePort(t))
		fixed := *c
		o.Config = func(context.Context) (Config, error) { return fixed, nil }
	})
	c := dial(t, r.invite(t, "attic"))
	for n := range 20 {
		publish(t, c, n, 1)
	}
	r.stop()
	after := newDesk()
	o := r.o
	o.Desk = after
	again(t, after, o)
	after.once(t, 20)
	wait(t, c.Again(), "the worker was not told to say hello again")
	if w, err := c.Hello(t.Context(), work.Hello{Version: work.Version}); err != nil || w.Refused != "" {
		t.Errorf("hello: %+v, %v", w, err)
	}
	publish(t, c, 3, 1) // the stream remembers it
	publish(t, c, 20, 1)
	for got := ""; got != text(20); {
		got = wait(t, after.got, "a result did not arrive")
	}
	after.once(t, 21)
}

// TestStreamLost: a stream whose disk was lost is made anew, and workers go on. What was acknowledged and not committed is lost.
func TestStreamLost(t *testing.T) {
	t.Parallel()
	r := start(t, func(o *Options, c *Config) {
		c.Listen = "127.0.0.1:" + fmt.Sprint(cluster.FreePort(t))
		fixed := *c
		o.Config = func(context.Context) (Config, error) { return fixed, nil }
	})
	c := dial(t, r.invite(t, "attic"))
	publish(t, c, 1, 1)
	wait(t, r.desk.got, "a result did not arrive")
	// While the daemon runs, and while it does not.
	if err := r.now().results.js.DeleteStream(t.Context(), join.Stream); err != nil {
		t.Fatal(err)
	}
	publish(t, c, 2, 1)
	wait(t, r.desk.got, "a result did not arrive after the stream was lost")
	r.stop()
	if err := os.RemoveAll(filepath.Join(r.o.Dir, leftovers.Broker)); err != nil {
		t.Fatal(err)
	}
	r = again(t, r.desk, r.o)
	publish(t, c, 3, 1)
	wait(t, r.desk.got, "a result did not arrive after the disk was lost")
	r.desk.once(t, 3)
}

// TestSettingsSwitchTheBroker: workers can connect while they are switched on, and an erased worker is put out.
func TestSettingsSwitchTheBroker(t *testing.T) {
	t.Parallel()
	configs := make(chan Config, 1)
	configs <- Config{}
	r := start(t, func(o *Options, _ *Config) {
		o.Config = func(context.Context) (Config, error) {
			c := <-configs
			configs <- c
			return c, nil
		}
	})
	if s := r.Status(); s.On || s.Answers {
		t.Errorf("switched off: %+v", s)
	}
	set := func(c Config) {
		<-configs
		configs <- c
		r.Changed()
	}
	on := Config{Enabled: true, Listen: "127.0.0.1:" + fmt.Sprint(cluster.FreePort(t))}
	set(on)
	for !r.Status().Answers {
		time.Sleep(time.Millisecond) // it takes a moment to start
	}
	c := dial(t, r.invite(t, "attic"))
	if err := r.o.Roster.RevokeWorker(t.Context(), "attic"); err != nil { // as when everything is erased
		t.Fatal(err)
	}
	r.Changed()
	wait(t, c.Done(), "a worker that was erased is still connected")
	if err := r.Forget(t.Context()); err != nil {
		t.Error(err)
	}
	second := dial(t, r.invite(t, "cellar"))
	set(Config{})
	wait(t, r.desk.left, "the worker did not leave")
	for second.Err() == nil && r.Status().Answers {
		time.Sleep(time.Millisecond) // the server ends after its connections
	}
	if err := r.Forget(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(r.o.Dir, leftovers.Broker)); !os.IsNotExist(err) {
		t.Errorf("the folder of the stream: %v", err)
	}
	// An address that is taken is a problem that the status tells.
	other := start(t, nil)
	set(Config{Enabled: true, Listen: other.now().address()})
	for r.Status().Problem == "" {
		time.Sleep(time.Millisecond) // the attempt takes a moment
	}
}

// TestInviteNeedsAName: what a person does wrong is said in an error that is the person's.
func TestInviteNeedsAName(t *testing.T) {
	r := start(t, nil)
	r.invite(t, "attic")
	for _, name := range []string{"", "a.b", "*", ">", "attic", "two words", string(make([]byte, 100))} {
		if _, err := r.Invite(t.Context(), name); !errors.Is(err, work.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	cluster := start(t, func(o *Options, _ *Config) {
		o.Config = func(context.Context) (Config, error) { return Config{Servers: []string{"nats://a"}}, nil }
	})
	text, err := cluster.Invite(t.Context(), "attic")
	if err != nil || !strings.Contains(string(text), "--join nats://a --creds attic.creds --name attic") || !strings.Contains(string(text), `"nj.result.attic"`) {
		t.Errorf("with a cluster: %v, %s", err, text)
	}
}
