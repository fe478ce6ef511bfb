package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/store"
)

// A running daemon takes a backup in, starts again with it on the same address, and keeps what was there.
func TestRestoreIntoRunningDaemon(t *testing.T) {
	call := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := program().Run(t.Context(), &command.Env{Stdout: &out, Stderr: &errs, Getenv: os.Getenv}, args); code != 0 {
			t.Fatalf("%q: %d %s", args, code, &errs)
		}
		return out.String()
	}
	other, dir := t.TempDir(), filepath.Join(t.TempDir(), "data")
	file := filepath.Join(t.TempDir(), "b.nightjar.zip")
	call("import", harbours(t), "--data", other)
	call("backup", file, "--data", other)

	ctx, stop := context.WithCancel(context.Background())
	starts, done := make(chan *app.App, 2), make(chan error, 1)
	go func() {
		done <- app.Serve(ctx, app.Config{Data: dir, Listen: "127.0.0.1:0"}, slog.New(slog.DiscardHandler), func(a *app.App, _ bool) { starts <- a })
	}()
	first := <-starts
	address := first.Addr()
	for deadline := time.Now().Add(time.Minute); !app.Running(dir); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the daemon does not answer")
		}
	}
	if _, err := topics.Create(t.Context(), first.Store.DB, "Of before"); err != nil {
		t.Fatal(err)
	}
	var got backup.Staged
	if err := json.Unmarshal([]byte(call("restore", file, "--data", dir, "--json")), &got); err != nil || got.Sessions != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	second := <-starts
	if second.Addr() != address || second.Restored == nil {
		t.Errorf("the daemon is on %s, was on %s; restored %+v", second.Addr(), address, second.Restored)
	}
	if topic, err := topics.ByName(t.Context(), second.Store.DB, "Harbours"); err != nil {
		t.Errorf("%+v, %v", topic, err)
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(got.OldData); err != nil {
		t.Fatal(err)
	}
	old, err := store.Open(t.Context(), filepath.Join(got.OldData, "nightjar.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if _, err := topics.ByName(t.Context(), old.DB, "Of before"); err != nil {
		t.Errorf("the old data: %v", err)
	}
}
