//go:build measure

package e2e

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/crawler/warc"
	"nightjar/daemon/lab/recording"
)

// documentation is real pages from the recordings in a folder, served under hosts of their own.
type documentation struct {
	URLs  []string // of the drawn pages
	pages map[string]http.Header
	body  map[string][]byte
}

// readDocumentation draws n pages in equal shares from all recordings docs/*.warc.gz of the folder that NIGHTJAR_CORPORA names.
func readDocumentation(t *testing.T, n int, rng *rand.Rand) *documentation {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv("NIGHTJAR_CORPORA"), "docs", "*.warc.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: set NIGHTJAR_CORPORA to the folder with docs/*.warc.gz (%v)", err)
	}
	d := &documentation{pages: map[string]http.Header{}, body: map[string][]byte{}}
	sites := make([][]string, len(files))
	for i, file := range files {
		sites[i] = d.read(t, file, fmt.Sprintf("docs%d.test", i+1))
		rng.Shuffle(len(sites[i]), func(a, b int) { sites[i][a], sites[i][b] = sites[i][b], sites[i][a] })
	}
	for i := 0; len(d.URLs) < n; i++ {
		site := sites[i%len(sites)]
		d.URLs = append(d.URLs, site[i/len(sites)])
	}
	return d
}

// read adds all answers of a recording under another host, and returns the addresses of its HTML pages.
func (d *documentation) read(t *testing.T, file, host string) (pages []string) {
	t.Helper()
	f, err := recording.OpenFile(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() // only read from
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range warc.NewReader(f, info.Size()).All() {
		if err != nil {
			t.Fatal(err)
		}
		a, err := rec.Answer()
		u, bad := url.Parse(rec.Target())
		if err != nil || bad != nil || a.Status != http.StatusOK {
			continue
		}
		key := host + u.RequestURI()
		d.pages[key], d.body[key] = a.Header, bytes.Clone(a.Body)
		if strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
			pages = append(pages, "http://"+key)
		}
	}
	return pages
}

// serve serves the pages. What they load from elsewhere is forbidden, since it would measure the network.
func (d *documentation) serve(t *testing.T) (addr string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Host + r.URL.RequestURI()
		header, ok := d.pages[key]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", header.Get("Content-Type"))
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Security-Policy", "default-src 'self' 'unsafe-inline' data:")
		_, _ = w.Write(d.body[key]) // the browser may leave
	}))
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

// meter is a TCP proxy before the daemon's socket. It counts the bytes and notes when an acknowledgement passes.
type meter struct {
	addr    string
	sent    atomic.Int64 // bytes from the extension
	mu      sync.Mutex
	lastAck time.Time
}

// newMeter starts a meter before the daemon.
func newMeter(t *testing.T, daemon string) *meter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	m := &meter{addr: l.Addr().String()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go m.pass(c, daemon)
		}
	}()
	return m
}

// pass connects one client with the daemon, which takes only requests that name its own port.
func (m *meter) pass(client net.Conn, daemon string) {
	defer client.Close()
	server, err := net.Dial("tcp", daemon)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		defer server.Close()
		defer client.Close()
		head := make([]byte, 16<<10)
		n, _ := client.Read(head)
		_, _ = server.Write(bytes.ReplaceAll(head[:n], []byte(m.addr), []byte(daemon)))
		_, _ = io.Copy(io.MultiWriter(server, counter{&m.sent}), client)
	}()
	_, _ = io.Copy(io.MultiWriter(client, ackWatch{m}), server)
}

type counter struct{ n *atomic.Int64 }

func (c counter) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}

type ackWatch struct{ m *meter }

func (w ackWatch) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(`"type":"ack"`)) {
		w.m.mu.Lock()
		w.m.lastAck = time.Now()
		w.m.mu.Unlock()
	}
	return len(p), nil
}

// acked returns when the last acknowledgement passed.
func (m *meter) acked() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lastAck
}
