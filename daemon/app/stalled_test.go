package app

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"nightjar/daemon/base/loopback"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/keep/erasing"
	"nightjar/daemon/keep/trouble"
	"nightjar/daemon/store"
)

// A daemon waits for a disk with room, for a database that it may write and for the program that holds it. It ends when it was
// started wrongly.
func TestWaits(t *testing.T) {
	empty, has := t.TempDir(), t.TempDir()
	if err := os.WriteFile(database(has), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		err  error
		dir  string
		want bool
	}{
		{syscall.ENOSPC, empty, true},
		{syscall.EROFS, has, true},
		{syscall.EACCES, empty, false},
		{&net.OpError{Op: "listen", Err: syscall.EACCES}, has, false},
		{store.ErrNewer, has, false},
		{errInUse, has, false},
	} {
		if got := waits(c.err, trouble.Of(c.err), c.dir); got != c.want {
			t.Errorf("%v: %t", c.err, got)
		}
	}
}

// The page of a daemon that waits says what is wrong under its own addresses, and nothing under others.
func TestStalled(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	hosts, err := loopback.HostsOf(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: stalled(trouble.Trouble{Kind: trouble.Full, Dir: "/x/<b>"}, hosts)}
	go func() { _ = server.Serve(l) }() // ends when it is closed
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for host, want := range map[string]int{l.Addr().String(): http.StatusServiceUnavailable, "evil.test": http.StatusMisdirectedRequest} {
		r, err := http.NewRequest(http.MethodGet, "http://"+l.Addr().String()+"/finds", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		says := strings.Contains(string(text), "The disk is full")
		if err != nil || answer.StatusCode != want || says != (want == http.StatusServiceUnavailable) || strings.Contains(string(text), "<b>") {
			t.Errorf("%s: %d %s, %v", host, answer.StatusCode, text, err)
		}
	}
}

// An erasing of everything that was killed in the middle goes on when the daemon starts.
func TestEraseAllGoesOn(t *testing.T) {
	dir := t.TempDir()
	st, err := store.Open(t.Context(), database(dir))
	if err != nil {
		t.Fatal(err)
	}
	files := []string{"backups/a.nightjar", "before-restore/nightjar.db", "broker/results", "archive/nightjar-20261121030000-00001.warc.gz"}
	for _, file := range files {
		err = errors.Join(err, os.MkdirAll(filepath.Join(dir, filepath.Dir(file)), 0o700), os.WriteFile(filepath.Join(dir, file), []byte("canary"), 0o600))
	}
	_, terr := topics.Create(t.Context(), st.DB, "Canary")
	if err := errors.Join(err, terr, erasing.BeginAll(st.DB), st.Close()); err != nil {
		t.Fatal(err)
	}
	a, err := openOrWait(t.Context(), Config{Data: dir, Listen: "127.0.0.1:0"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if topics, err := topics.List(t.Context(), a.Store.DB); err != nil || len(topics) > 0 || erasing.AllBegun(a.Store.DB) {
		t.Errorf("left: %v, %t, %v", topics, erasing.AllBegun(a.Store.DB), err)
	}
	for _, file := range files {
		if _, err := os.Stat(filepath.Join(dir, file)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", file, err)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "reserve")); err != nil || info.Size() < 1<<20 {
		t.Errorf("no room is reserved: %v", err)
	}
}

// A daemon that waits ends when it is told to.
func TestWaitEnds(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := stall(ctx, "127.0.0.1:0", trouble.Trouble{Kind: trouble.Locked}); err != nil {
		t.Error(err)
	}
}
