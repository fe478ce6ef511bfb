package broker

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/lab/cluster"
	"nightjar/daemon/workers/broker/join"
)

// damages are what a power cut or a disk does to a file.
var damages = map[string]func(data []byte) []byte{
	"zeroed":  func(data []byte) []byte { clear(data); return data },
	"halved":  func(data []byte) []byte { return data[:len(data)/2] },
	"flipped": func(data []byte) []byte { data[len(data)/2] ^= 0xff; return data },
	"emptied": func([]byte) []byte { return nil },
}

// fixedPort lets a broker that is started again listen where it did.
func fixedPort(t *testing.T) func(*Options, *Config) {
	return func(o *Options, c *Config) {
		fixed := *c
		fixed.Listen = "127.0.0.1:" + fmt.Sprint(cluster.FreePort(t))
		o.Config = func(context.Context) (Config, error) { return fixed, nil }
	}
}

// TestTornFiles: whichever files of the embedded server are damaged while it does not run, it starts, takes results, and stops at once.
func TestTornFiles(t *testing.T) {
	t.Parallel()
	before := start(t, func(o *Options, c *Config) {
		fixedPort(t)(o, c)
		o.Desk.(*desk).fail = func() error { return context.Canceled } // results stay in the stream
	})
	invite := before.invite(t, "attic")
	c := dial(t, invite)
	for n := range 20 {
		publish(t, c, n, 1)
	}
	c.Close()
	before.stop()
	var files []string
	stored := os.DirFS(before.o.Dir)
	if err := fs.WalkDir(stored, leftovers.Broker, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(files) < 7 {
		t.Fatalf("the server stores only %q", files)
	}
	survives := func(t *testing.T, torn []string, damage func([]byte) []byte) {
		o, d := before.o, newDesk()
		o.Dir, o.Desk = t.TempDir(), d
		if err := os.CopyFS(o.Dir, stored); err != nil {
			t.Fatal(err)
		}
		for _, name := range torn {
			data, err := fs.ReadFile(stored, name)
			if err == nil {
				err = os.WriteFile(filepath.Join(o.Dir, name), damage(data), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		r := again(t, d, o) // until the consumer works
		if len(torn) > 1 {
			publish(t, dial(t, invite), 20, 1)
			for got := ""; got != text(20); {
				got = wait(t, d.got, "a new result did not arrive: %+v", r.Status())
			}
		}
		began := time.Now()
		r.stop()
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("it stopped after %s", took)
		}
	}
	for how, damage := range damages {
		for _, name := range files {
			t.Run(how+" "+filepath.Base(name), func(t *testing.T) { survives(t, []string{name}, damage) })
		}
		t.Run(how+" all", func(t *testing.T) { survives(t, files, damage) })
	}
}

// TestUnusableFiles: a server or a stream that cannot be opened, also after some attempts, is made anew.
func TestUnusableFiles(t *testing.T) {
	t.Parallel()
	r := start(t, fixedPort(t))
	c := dial(t, r.invite(t, "attic"))
	inPlaceOf := func(dir string) {
		t.Helper()
		dir = filepath.Join(r.o.Dir, leftovers.Broker, "jetstream", dir)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(dir, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inPlaceOf("$G/streams/" + join.Stream + "/obs")
	_ = r.now().results.js.DeleteConsumer(t.Context(), join.Stream, join.Consumer) // it cannot remove the folder, and is gone
	publish(t, c, 1, 1)
	for got := ""; got != text(1); publish(t, c, 1, 1) { // a worker, too, sends a result again until its task is over
		select {
		case got = <-r.desk.got:
		case <-time.After(100 * time.Millisecond):
		}
	}
	r.stop()
	inPlaceOf("")
	r = again(t, r.desk, r.o)
	publish(t, c, 2, 1)
	wait(t, r.desk.got, "a result did not arrive after the server's folder was no folder")
}
