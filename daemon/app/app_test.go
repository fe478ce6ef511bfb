package app

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"nightjar/daemon/store/storetest"
)

// mustServe runs a daemon on a free port until the test ends. Its database has no rows.
func mustServe(t *testing.T) *App {
	t.Helper()
	dir := t.TempDir()
	storetest.At(t, database(dir))
	a, err := Open(t.Context(), Config{Data: dir, Listen: "127.0.0.1:0"}, slog.New(slog.DiscardHandler))
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
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		if _, err := readRunInfo(a.Config.Data); err == nil {
			return a
		}
		if time.Now().After(deadline) {
			t.Fatal("the daemon did not write its run file")
		}
	}
}

// TestLooksAtTheMachine: the daemon reads the state of its machine. Every machine has a disk.
func TestLooksAtTheMachine(t *testing.T) {
	a := mustServe(t)
	if m := a.Scheduler.Status().Machine; m.Free <= 0 || m.Size < m.Free {
		t.Errorf("%+v", m)
	}
}

// TestFoundOnceReady: other commands find a daemon as soon as it says where it is. A command that came sooner said that none runs.
func TestFoundOnceReady(t *testing.T) {
	dir := t.TempDir()
	storetest.At(t, database(dir))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	found := errors.New("it was never ready")
	err := Serve(ctx, Config{Data: dir, Listen: "127.0.0.1:0"}, slog.New(slog.DiscardHandler), func(*App, bool) {
		_, found = readRunInfo(dir)
		stop()
	})
	if err := errors.Join(err, found); err != nil {
		t.Error(err)
	}
}
