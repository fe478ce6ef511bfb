package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// mustServe runs a daemon on a free port until the test ends.
func mustServe(t *testing.T) *App {
	t.Helper()
	a, err := Open(t.Context(), Config{Data: t.TempDir(), Listen: "127.0.0.1:0"}, slog.New(slog.DiscardHandler))
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
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := readRunInfo(a.Config.Data); err == nil {
			return a
		}
		if time.Now().After(deadline) {
			t.Fatal("the daemon did not write its run file")
		}
	}
}

// TestControlRefusesStrangers: control requests need the secret and must name the daemon's own address.
func TestControlRefusesStrangers(t *testing.T) {
	a := mustServe(t)
	info, err := readRunInfo(a.Config.Data)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, host, secret string) int {
		req, err := http.NewRequestWithContext(t.Context(), method, "http://"+a.Addr()+"/control/login", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		if secret != "" {
			req.Header.Set("Authorization", "Bearer "+secret)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	if got := ask(http.MethodPost, a.Addr(), info.Secret); got != http.StatusOK {
		t.Fatalf("the right secret gets %d", got)
	}
	_, port, _ := net.SplitHostPort(a.Addr())
	for name, got := range map[string]int{
		"no secret":    ask(http.MethodPost, a.Addr(), ""),
		"wrong secret": ask(http.MethodPost, a.Addr(), strings.Repeat("0", 64)),
		"wrong host":   ask(http.MethodPost, "evil.example:"+port, info.Secret),
		"GET":          ask(http.MethodGet, a.Addr(), info.Secret),
	} {
		if got != http.StatusForbidden {
			t.Errorf("%s: %d, want 403", name, got)
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

// TestDamagedDatabase: a daemon that cannot start on a damaged database names the way out, which works.
func TestDamagedDatabase(t *testing.T) {
	dir := t.TempDir()
	st, err := openStore(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := errors.Join(st.Backup(t.Context(), copied), st.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(database(dir), []byte(strings.Repeat("damaged ", 4096)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), Config{Data: dir, Listen: "127.0.0.1:0"}, slog.New(slog.DiscardHandler))
	if err == nil || !strings.Contains(Hint(err), "nightjar restore BACKUP --data "+dir) {
		t.Fatalf("%v; hint %q", err, Hint(err))
	}
	if _, err := Restore(t.Context(), copied, dir); err != nil {
		t.Fatal(err)
	}
	a, err := Open(t.Context(), Config{Data: dir, Listen: "127.0.0.1:0"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
