package ingest

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session/sessiontest"
	"nightjar/daemon/cli/demo/client"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

const (
	chromeOrigin  = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
	firefoxOrigin = "moz-extension://3f2b8c1e-9d47-4c5a-b6e0-1a2b3c4d5e6f"
)

// trained is a Trainer that records the submitted topics.
type trained struct {
	mu     sync.Mutex
	topics []int64
}

func (t *trained) Submit(topic int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.topics = append(t.topics, topic)
}

func (t *trained) all() []int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]int64(nil), t.topics...)
}

// daemon is a server with a real store, on a free port.
type daemon struct {
	*Server
	addr    string
	path    string // of the database
	store   *store.Store
	trained *trained
}

func newDaemon(tb testing.TB) *daemon {
	tb.Helper()
	path := storetest.Path(tb)
	st := must(store.Open(tb.Context(), path))(tb)
	d := &daemon{path: path, store: st, trained: &trained{}}
	d.Server = New(st, &notify.Bus{}, d.trained, nil, slog.New(slog.NewTextHandler(io.Discard, nil)))
	mux := http.NewServeMux()
	mux.Handle("/ws", d.Handler(func(path string) string { return "http://nightjar-0.localhost:1" + path }))
	web := httptest.NewServer(mux)
	d.addr = web.Listener.Addr().String()
	tb.Cleanup(func() {
		d.Server.Close()
		web.Close()
		if err := st.Close(); err != nil {
			tb.Error(err)
		}
	})
	return d
}

// port returns the daemon's port as text.
func (d *daemon) port() string {
	_, port, _ := net.SplitHostPort(d.addr)
	return port
}

// mustPair pairs a browser and approves it, as the person would.
func (d *daemon) mustPair(tb testing.TB, uuid, origin string) client.Identity {
	tb.Helper()
	d.OpenPairing(2 * time.Minute)
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
	defer cancel()
	who := must(client.Pair(ctx, d.addr, uuid, "Test browser", origin, func(digits string) { d.approve(tb, digits) }))(tb)
	return who
}

// approve waits until a browser is pending and approves it.
func (d *daemon) approve(tb testing.TB, digits string) {
	news, stop := d.bus.Listen()
	defer stop()
	for d.Pairing().Pending == nil {
		select {
		case <-news:
		case <-tb.Context().Done():
			return
		}
	}
	if err := d.Approve(digits); err != nil {
		tb.Error(err)
	}
}

func (d *daemon) mustConnect(tb testing.TB, who client.Identity, o client.Options) *client.Client {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), time.Minute)
	defer cancel()
	c := must(client.Connect(ctx, d.addr, who, o))(tb)
	tb.Cleanup(c.Close)
	return c
}

// within returns a context that ends after d.
func within(tb testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(tb.Context(), d)
	tb.Cleanup(cancel)
	return ctx
}

// maker returns a maker of a session's events in the given browser.
func maker(seed uint64, client string) *sessiontest.Maker {
	m := sessiontest.NewMaker(seed, time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC))
	m.Client = client
	return m
}

// evening makes a session that can be trained: a start, pages with snapshots, one of them useful.
func evening(m *sessiontest.Maker, pages int) []protocol.Event {
	events := []protocol.Event{m.Start("Hockey")}
	from := ""
	for i := range pages {
		v := m.Visit("http://ice.test/"+string(rune('a'+i)), "page", protocol.HowLink, from)
		events = append(events, v, m.Snapshot(v.Page, []byte("<title>p</title><p>text <a href=/b>b</a>")))
		from = v.Page
	}
	return append(events, m.Of(protocol.Useful, from, ""))
}
