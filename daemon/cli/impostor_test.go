package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/app"
)

// impostor has the ports of a daemon that died, answers every request with success, and writes down what it hears.
type impostor struct {
	mu    sync.Mutex
	heard bytes.Buffer
}

func (i *impostor) Write(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.heard.Write(p)
}

func (i *impostor) all() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.heard.String()
}

// answer reads what is sent first, answers it with success and an address of its own, and reads the rest.
func (i *impostor) answer(conn net.Conn) {
	defer conn.Close()
	buf := make([]byte, 64<<10)
	n, _ := conn.Read(buf)
	_, _ = i.Write(buf[:n]) // never fails
	body := `{"url":"file:///etc/passwd","URL":"file:///etc/passwd","events":13,"sessions":1,"training":"Harbours"}`
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"+body)
	_, _ = io.Copy(i, conn) // until the other side closes
}

// mustDie runs a daemon, ends it as if it had been killed, and gives its ports to an impostor.
func mustDie(t *testing.T, dir string) *impostor {
	t.Helper()
	name := filepath.Join(dir, "daemon.json")
	daemon, err := app.Open(t.Context(), app.Config{Data: dir, Listen: "127.0.0.1:0"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan error, 1)
	go func() { done <- daemon.Run(ctx) }()
	var left []byte
	for deadline := time.Now().Add(time.Minute); len(left) == 0; time.Sleep(5 * time.Millisecond) {
		if left, err = os.ReadFile(name); err != nil && time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	stop()
	if err := errors.Join(<-done, daemon.Close(), os.WriteFile(name, left, 0o600)); err != nil {
		t.Fatal(err)
	}
	i := &impostor{}
	addresses := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindAllString(string(left), -1)
	if len(addresses) == 0 {
		t.Fatalf("no address in %s", left)
	}
	for _, addr := range addresses {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				go i.answer(conn)
			}
		}()
	}
	return i
}

// TestNoCommandTrustsAnImpostor: after a daemon was killed, another user may hold its ports. No command tells it anything or believes
// what it says.
func TestNoCommandTrustsAnImpostor(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // a demonstration elsewhere on the machine would change a hint
	opened := fakeOpener(t)
	dir := t.TempDir()
	file := harbours(t)
	i := mustDie(t, dir)
	saved := filepath.Join(t.TempDir(), "saved.db")
	if code, _, errs := mustRun(t, "backup", "--data", dir, saved); code != 0 {
		t.Fatal(errs)
	}
	for _, c := range []struct {
		args []string
		code int
		says string // on either stream
	}{
		{[]string{"open"}, 1, "no nightjar is running"},
		{[]string{"open", "--print"}, 1, "no nightjar is running"},
		{[]string{"import", file}, 0, "13 events of 1 session"},
		{[]string{"explore", "ontology", "add", file}, 1, ""},
		{[]string{"explore", "ask", "crawl([], 1)"}, 1, ""},
		{[]string{"explore", "groups", "--topic", "Harbours"}, 0, "0 groups"},
		{[]string{"communities", "--topic", "none"}, 1, "none"},
		{[]string{"doctor"}, 1, "No daemon runs"},
		{[]string{"mcp"}, 0, ""},
		{[]string{"restore", saved}, 0, "Restored"},
	} {
		left, err := os.ReadFile(filepath.Join(dir, "daemon.json"))
		if err != nil {
			t.Fatal(err)
		}
		code, out, errs := mustRun(t, append(c.args[:len(c.args):len(c.args)], "--data", dir)...)
		if code != c.code || !strings.Contains(out+errs, c.says) {
			t.Errorf("%v: code %d, %q, %q", c.args, code, out, errs)
		}
		if strings.Contains(out+errs, "passwd") {
			t.Errorf("%v believes the impostor: %q", c.args, out+errs)
		}
		if err := os.WriteFile(filepath.Join(dir, "daemon.json"), left, 0o600); err != nil { // a command may have cleaned up
			t.Fatal(err)
		}
	}
	heard := i.all()
	for _, secret := range []string{"HTTP", "Bearer", "control", "harbour", "Harbours", saved} {
		if strings.Contains(heard, secret) {
			t.Errorf("the impostor heard %q", secret)
		}
	}
	if len(heard) == 0 {
		t.Error("no command asked for the daemon: the test shows nothing")
	}
	if all := opened(); len(all) > 0 {
		t.Errorf("opened %q", all)
	}
}
