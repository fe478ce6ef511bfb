package e2e

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"
)

// mortal is a daemon that is killed and started again, on the same port and data folder.
type mortal struct {
	*daemon
	webAddr string
	cmd     *exec.Cmd
}

// startMortal starts a daemon on an empty data folder; see startDaemon. It may be dead at the end of the test.
func startMortal(t *testing.T, webAddr string) *mortal {
	t.Helper()
	m := &mortal{daemon: &daemon{t: t, data: filepath.Join(t.TempDir(), "data")}, webAddr: webAddr}
	t.Cleanup(m.kill)
	m.login, m.addr = m.start("127.0.0.1:0")
	var err error
	if m.db, err = openData(m.data); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.db.Close() }) // it was only read
	return m
}

// start starts the daemon and waits until it says where it is.
func (m *mortal) start(listen string) (login, addr string) {
	m.t.Helper()
	program, err := built()
	if err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(program, "nightjar"), "serve", "--listen", listen, "--data", m.data, "--resolve", "*.test="+m.webAddr)
	cmd.Env = append(os.Environ(), "HOME="+m.data, "TZ="+noon(time.Now()))
	said := &syncBuffer{}
	cmd.Stdout, cmd.Stderr = said, said
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	m.cmd = cmd
	address := regexp.MustCompile(`(?s)(http://\S+/login\S+).*ws://(\S+)/ws`)
	err = poll(patience, func() error {
		if found := address.FindStringSubmatch(said.String()); found != nil {
			login, addr = found[1], found[2]
			return nil
		}
		return fmt.Errorf("it said %q", said.String())
	})
	if err != nil {
		m.t.Fatalf("the daemon did not say where it is: %v", err)
	}
	return login, addr
}

// kill ends the daemon with SIGKILL.
func (m *mortal) kill() {
	if m.cmd == nil {
		return
	}
	killGroup(m.cmd)
	_ = m.cmd.Wait() // it was killed
	m.cmd = nil
}

// revive starts the daemon again on the same port.
func (m *mortal) revive() {
	m.t.Helper()
	m.login, _ = m.start(m.addr)
}

// syncBuffer is a buffer that a program may write into while a test reads it.
type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// relay stands between the browser and the daemon and cuts connections. The daemon takes only requests that name its own
// port, so the relay puts that in.
type relay struct {
	t  *testing.T
	at string // its own address
	to string

	mu       sync.Mutex
	listener net.Listener // nil while it is shut
	conns    map[net.Conn]bool
	left     int // bytes that still pass, in both directions; below 0 without a limit
}

func startRelay(t *testing.T, to string) *relay {
	t.Helper()
	r := &relay{t: t, at: "127.0.0.1:0", to: to, conns: map[net.Conn]bool{}, left: -1}
	r.block(false)
	t.Cleanup(func() { r.block(true) })
	return r
}

// block cuts, and nothing listens until it is called with false.
func (r *relay) block(shut bool) {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	if shut == (r.listener == nil) {
		return
	}
	if shut {
		_ = r.listener.Close() // nothing more is to be relayed
		r.listener = nil
		r.cutAll()
		return
	}
	l, err := net.Listen("tcp", r.at)
	if err != nil {
		r.t.Fatal(err)
	}
	r.listener, r.at = l, l.Addr().String()
	go r.acceptAll(l)
}

func (r *relay) acceptAll(l net.Listener) {
	for {
		in, err := l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", r.to)
		if err != nil || !r.take(in, out) {
			_ = in.Close() // the daemon is away
			if out != nil {
				_ = out.Close()
			}
			continue
		}
		go r.pass(in, out, true)
		go r.pass(out, in, false)
	}
}

// take notes a connection, unless the relay is shut.
func (r *relay) take(ends ...net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.listener == nil {
		return false
	}
	for _, c := range ends {
		r.conns[c] = true
	}
	return true
}

// pass copies until either end closes or the relay cuts.
func (r *relay) pass(from, to net.Conn, request bool) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		chunk := buffer[:n]
		if request {
			chunk = bytes.ReplaceAll(chunk, []byte("Host: "+r.at+"\r\n"), []byte("Host: "+r.to+"\r\n"))
		}
		allowed := r.allow(len(chunk))
		if _, failed := to.Write(chunk[:allowed]); err != nil || failed != nil {
			return
		}
		if allowed < len(chunk) {
			r.cut()
			return
		}
	}
}

// allow tells how many of n bytes may pass.
func (r *relay) allow(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left < 0 {
		return n
	}
	n = min(n, r.left)
	r.left -= n
	return n
}

// cutAfter cuts all connections after n more bytes.
func (r *relay) cutAfter(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = n
}

// cut ends all connections now; later ones pass without a limit.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cutAll()
}

// cutAll is cut for who holds the lock.
func (r *relay) cutAll() {
	r.left = -1
	for c := range r.conns {
		_ = c.Close() // it may be closed
	}
	clear(r.conns)
}
