package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/base/command"
)

// TestControlRefusesStrangers: the daemon answers a control request only after the other side has proved the secret.
func TestControlRefusesStrangers(t *testing.T) {
	a := mustServe(t)
	info, err := readRunInfo(a.Config.Data)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ URL string }
	if err := Call(t.Context(), a.Config.Data, "/control/login", nil, &answer); err != nil || !strings.Contains(answer.URL, "/login?code=") {
		t.Fatalf("who has the secret gets %q, %v", answer.URL, err)
	}
	request := func(conn net.Conn) string {
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(time.Minute)) // an error shows in the answer
		_, _ = io.WriteString(conn, "POST /control/login HTTP/1.1\r\nHost: "+daemonSide+"\r\nAuthorization: Bearer "+info.Secret+"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
		text, _ := io.ReadAll(conn) // the connection may end in an error
		return string(text)
	}
	for name, config := range map[string]func(*tls.Config){
		"right":                 func(*tls.Config) {},
		"no certificate":        func(c *tls.Config) { c.Certificates = nil },
		"the daemon's own":      func(c *tls.Config) { c.Certificates = mustProve(t, info.Secret, daemonSide, commandSide).Certificates },
		"of another secret":     func(c *tls.Config) { c.Certificates = mustProve(t, newSecret(), commandSide, daemonSide).Certificates },
		"TLS 1.2":               func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS12, tls.VersionTLS12 },
		"name of the other key": func(c *tls.Config) { c.ServerName = commandSide },
	} {
		c := mustProve(t, info.Secret, commandSide, daemonSide)
		config(c)
		got := ""
		if conn, err := tls.Dial("tcp", info.Control, c); err == nil { // in TLS 1.3 a command is refused after its own part is done
			got = request(conn)
		}
		if strings.Contains(got, "code=") != (name == "right") {
			t.Errorf("%s: %q", name, got)
		}
	}
	plain, err := net.Dial("tcp", info.Control)
	if err != nil {
		t.Fatal(err)
	}
	if got := request(plain); strings.Contains(got, "code=") || strings.Contains(got, " 200 ") {
		t.Errorf("without TLS: %q", got)
	}
	res, err := http.Post("http://"+a.Addr()+"/control/login", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusNotFound {
		t.Errorf("the dashboard's port answers control requests: %s", res.Status)
	}
}

func mustProve(t *testing.T, secret, own, other string) *tls.Config {
	t.Helper()
	c, err := proving(secret, own, other)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// heard is a program of a stranger that has the daemon's port and writes down what it is told.
type heard struct {
	net.Listener
	mu   sync.Mutex
	text bytes.Buffer
	n    int // connections
}

// listenInstead serves a port with answer, which gets each connection.
func listenInstead(t *testing.T, answer func(net.Conn)) *heard {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &heard{Listener: l}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			h.mu.Lock()
			h.n++
			h.mu.Unlock()
			open.Go(func() {
				defer conn.Close()
				answer(tapped{conn, h})
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		open.Wait()
	})
	return h
}

func (h *heard) all() (text string, connections int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String(), h.n
}

// tapped is a connection whose other side is written down.
type tapped struct {
	net.Conn
	heard *heard
}

func (c tapped) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.heard.mu.Lock()
	defer c.heard.mu.Unlock()
	c.heard.text.Write(p[:n])
	return n, err
}

// canary is what a command has to say, which a stranger must not hear.
const canary = "canary-7f3a"

// TestCallTrustsNobodyOnThePort: after a daemon died without cleaning up, whoever has its port hears nothing and is not believed.
func TestCallTrustsNobodyOnThePort(t *testing.T) {
	secret := newSecret()
	theirs := mustProve(t, newSecret(), daemonSide, commandSide)
	theirs.ClientAuth = tls.NoClientCert
	yes := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 24\r\n\r\n" + `{"URL":"file:/etc/hosts"}`
	for name, answer := range map[string]func(net.Conn){
		"a web server that accepts everything": func(c net.Conn) {
			_, _ = c.Read(make([]byte, 1<<16))
			_, _ = io.WriteString(c, yes)
		},
		"a TLS server with a certificate of its own": func(c net.Conn) {
			s := tls.Server(c, theirs)
			_, _ = io.WriteString(s, yes)
			text, _ := io.ReadAll(s)
			if len(text) > 0 {
				t.Errorf("it was told %q", text)
			}
		},
		"a server that says nothing and closes": func(c net.Conn) { _, _ = c.Read(make([]byte, 1<<16)) },
		"an echo":                               func(c net.Conn) { _, _ = io.Copy(c, c) },
	} {
		h := listenInstead(t, answer)
		dir := mustLeave(t, runInfo{Listen: h.Addr().String(), Control: h.Addr().String(), Secret: secret, PID: 1})
		var got map[string]any
		err := Call(t.Context(), dir, "/control/import?x="+canary, strings.NewReader(canary), &got)
		if !errors.Is(err, ErrNotRunning) || len(got) > 0 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		text, n := h.all()
		if n != 1 || strings.Contains(text, canary) || strings.Contains(text, secret) || strings.Contains(text, "HTTP") || !strings.HasPrefix(text, "\x16\x03") {
			t.Errorf("%s: it heard %q over %d connections", name, text, n)
		}
	}
}

// mustLeave makes a data folder with the run file of a daemon that was killed.
func mustLeave(t *testing.T, info runInfo) string {
	t.Helper()
	d := &dataDir{path: filepath.Join(t.TempDir(), "data")}
	if err := os.Mkdir(d.path, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := d.writeRunInfo(info); err != nil {
		t.Fatal(err)
	}
	return d.path
}

// underLock writes while it holds a lock.
type underLock struct {
	mu *sync.Mutex
	to io.Writer
}

func (w underLock) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// TestRecordedHandshake: what a daemon once said is worth nothing to who recorded it, and one in between hears nothing.
func TestRecordedHandshake(t *testing.T) {
	a := mustServe(t)
	info, err := readRunInfo(a.Config.Data)
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var heardOf bytes.Buffer
	said := func() []byte {
		mu.Lock()
		defer mu.Unlock()
		return bytes.Clone(heardOf.Bytes())
	}
	daemon := info.Control
	between := listenInstead(t, func(c net.Conn) {
		real, err := net.Dial("tcp", daemon)
		if err != nil {
			t.Error(err)
			return
		}
		defer real.Close()
		go func() { _, _ = io.Copy(real, c) }()
		_, _ = io.Copy(io.MultiWriter(c, underLock{&mu, &heardOf}), real)
	})
	info.Control = between.Addr().String()
	dir := mustLeave(t, info)
	var answer struct{ URL string }
	if err := Call(t.Context(), dir, "/control/login?x="+canary, nil, &answer); err != nil || answer.URL == "" {
		t.Fatalf("through one in between: %q, %v", answer.URL, err)
	}
	between.Close()
	code := answer.URL[strings.Index(answer.URL, "code=")+5:]
	text, _ := between.all()
	for _, secret := range []string{canary, code, info.Secret, "control/login"} {
		if strings.Contains(text, secret) || bytes.Contains(said(), []byte(secret)) {
			t.Errorf("one in between hears %q", secret)
		}
	}
	again := listenInstead(t, func(c net.Conn) {
		_, _ = c.Write(said())
		_, _ = io.Copy(io.Discard, c)
	})
	info.Control = again.Addr().String()
	err = Call(t.Context(), mustLeave(t, info), "/control/import?x="+canary, strings.NewReader(canary), &answer)
	if text, _ := again.all(); !errors.Is(err, ErrNotRunning) || strings.Contains(text, "HTTP") {
		t.Errorf("a recorded handshake: %v; it heard %q", err, text)
	}
}

// TestCallHangs: a daemon that holds its folder but does not prove itself is told from one that is gone.
func TestCallHangs(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	mute := listenInstead(t, func(c net.Conn) {
		_, _ = c.Read(make([]byte, 1))
		cancel()
	})
	path := filepath.Join(t.TempDir(), "data")
	d, err := openDataDir(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.writeRunInfo(runInfo{Control: mute.Addr().String(), Secret: newSecret(), PID: 7}); err != nil {
		t.Fatal(err)
	}
	var got any
	if err := Call(ctx, path, "/control/login", nil, &got); err == nil || errors.Is(err, ErrNotRunning) || !strings.Contains(err.Error(), "process 7") || command.Hint(err) == "" {
		t.Errorf("a daemon that hangs: %v", err)
	}
}

// TestLongAnswer: an answer that does not end does not fill the memory.
func TestLongAnswer(t *testing.T) {
	secret := newSecret()
	config := mustProve(t, secret, daemonSide, commandSide)
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		spaces := bytes.Repeat([]byte(" "), 1<<20)
		for {
			if _, err := w.Write(spaces); err != nil {
				return
			}
		}
	})}
	go func() { _ = server.Serve(l) }() // until it is closed
	defer server.Close()
	var got json.RawMessage
	err = askWithin(t, l.Addr().String(), secret, 4<<20, &got)
	if err == nil || !strings.Contains(err.Error(), "longer than 4 MiB") {
		t.Errorf("got %v", err)
	}
}

// askWithin is Call with another limit of the answer.
func askWithin(t *testing.T, addr, secret string, limit int64, into any) error {
	t.Helper()
	conn, err := reach(t.Context(), runInfo{Control: addr, Secret: secret})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return ask(t.Context(), conn, "/control/login", nil, limit, into)
}
