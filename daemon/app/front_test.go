package app

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"nightjar/daemon/browse/socket"
	"nightjar/daemon/cli/demo/client"
)

// extensionOrigin is one that Chromium gives to extensions.
const extensionOrigin = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"

// mustPair pairs a browser with a daemon and approves it, as the person would.
func mustPair(t *testing.T, a *App) client.Identity {
	t.Helper()
	a.Ingest.OpenPairing(2 * time.Minute)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	news, stop := a.Bus.Listen()
	defer stop()
	who, err := client.Pair(ctx, a.Addr(), "0198c9d2-0000-7000-8000-000000000001", "Test browser", extensionOrigin, func(digits string) {
		for a.Ingest.Pairing().Pending == nil {
			select {
			case <-news:
			case <-ctx.Done():
				return
			}
		}
		if err := a.Ingest.Approve(digits); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return who
}

// TestSilenceKeepsNobodyOut: while 100 sockets that say nothing, and 600 connections that do not even ask for one, are kept open and
// opened again, a paired browser gets in each time and the dashboard answers.
func TestSilenceKeepsNobodyOut(t *testing.T) {
	a := mustServe(t)
	who := mustPair(t, a)
	ctx, stop := context.WithCancel(t.Context())
	var flood sync.WaitGroup
	defer flood.Wait()
	defer stop()
	var opened atomic.Int64
	for range 100 {
		flood.Go(func() { beSilent(ctx, a.Addr(), &opened) })
	}
	for range maxWaiting + 88 {
		flood.Go(func() { sayNothing(ctx, a.Addr()) })
	}
	for opened.Load() < 100 {
		time.Sleep(time.Millisecond)
	}
	const tries = 50
	for n := range tries {
		within, cancel := context.WithTimeout(ctx, time.Minute)
		c, err := client.Connect(within, a.Addr(), who, client.Options{})
		cancel()
		if err != nil {
			t.Fatalf("try %d of %d: %v", n+1, tries, err)
		}
		c.Close()
	}
	if got := askRaw(t, a, "GET / HTTP/1.1", "Host: "+a.Addr()); !strings.Contains(got, " 200 ") {
		t.Errorf("the dashboard's port: %q", got)
	}
}

// beSilent keeps a socket open that says nothing, and opens it again when it is closed.
func beSilent(ctx context.Context, addr string, opened *atomic.Int64) {
	for ctx.Err() == nil {
		ws, err := socket.Dial(ctx, nil, addr, extensionOrigin)
		if err != nil {
			continue
		}
		opened.Add(1)
		_, _ = ws.Read(ctx) // until it is closed
		ws.Drop()
	}
}

// sayNothing keeps a connection open that sends nothing, and opens it again when it is closed.
func sayNothing(ctx context.Context, addr string) {
	for ctx.Err() == nil {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			continue
		}
		stop := context.AfterFunc(ctx, func() { conn.Close() })
		_, _ = conn.Read(make([]byte, 1)) // until it is closed
		stop()
		conn.Close()
	}
}

// askRaw sends a request head, byte for byte, and returns the status line of the answer, "" if there is none.
func askRaw(t *testing.T, a *App, lines ...string) string {
	t.Helper()
	return askAt(t, a.Addr(), lines...)
}

// askAt is askRaw for an address.
func askAt(t *testing.T, addr string, lines ...string) string {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Minute)) // an error shows in the answer
	fmt.Fprint(conn, strings.Join(append(lines, "Connection: close", "", ""), "\r\n"))
	status, _ := bufio.NewReader(conn).ReadString('\n') // the same
	return strings.TrimSpace(status)
}

// TestFront: whatever the form of a request's target, who names another host gets nothing but 421, and no target is answered with
// a redirect, which would name a path of ours.
func TestFront(t *testing.T) {
	a := mustServe(t)
	_, port, _ := net.SplitHostPort(a.Addr())
	targets := []string{
		"GET /", "GET /ws", "GET //ws", "GET /./ws", "GET /%2e/ws", "GET /%2e/", "GET /ws/", "GET /ws/..", "GET /x/../ws", "GET /%77s", "GET ///", "GET /ws?x",
		"GET //evil.example/ws", "GET /control/login", "POST /control/login", "POST //control/login", "GET /api/v1/finds", "GET //api/v1/finds", "GET /feed/finds.atom",
		"GET /static/x/y", "GET /login?code=x", "POST /login", "GET /events", "HEAD /", "OPTIONS /", "OPTIONS *", "TRACE /", "DELETE /ws", "PUT /",
		"CONNECT evil.example:443", "CONNECT 127.0.0.1:P", "CONNECT /", "GET http://evil.example/", "GET http://127.0.0.1:P/", "GET https://127.0.0.1:P/ws", "GET ws://127.0.0.1:P/ws",
	}
	hosts := []string{"", "evil.example", "evil.example:P", "127.0.0.1", "localhost", "127.0.0.1:1", "LOCALHOST.:P", "localhost.:P", "127.1:P", "[::ffff:127.0.0.1]:P",
		"0.0.0.0:P", "nightjar-" + strings.Repeat("0", 32) + ".localhost:P", "x@127.0.0.1:P", "127.0.0.1:P,evil.example"}
	upgrade := []string{"Origin: " + extensionOrigin, "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="}
	for _, target := range targets {
		for _, host := range hosts {
			got := askRaw(t, a, append([]string{strings.ReplaceAll(target, "P", port) + " HTTP/1.1", "Host: " + strings.ReplaceAll(host, "P", port)}, upgrade...)...)
			if !strings.Contains(got, " 421 ") && !strings.Contains(got, " 400 ") {
				t.Errorf("%s with Host %q: %q", target, host, got)
			}
		}
		target = strings.ReplaceAll(target, "P", port)
		got := askRaw(t, a, append([]string{target + " HTTP/1.1", "Host: " + a.Addr()}, upgrade...)...)
		if strings.Contains(got, " 30") || strings.Contains(got, " 101 ") && !strings.Contains(target, "/ws") || got == "" {
			t.Errorf("%s: %q", target, got)
		}
		if path := strings.TrimPrefix(target, "GET "); strings.Contains(got, " 101 ") && path != "/ws" && path != "/ws?x" && path != "/%77s" {
			t.Errorf("%s is the socket", target)
		}
		if _, form, _ := strings.Cut(target, " "); !strings.HasPrefix(form, "/") && !strings.Contains(got, " 421 ") && !strings.Contains(got, " 400 ") {
			t.Errorf("%s: %q", target, got)
		}
	}
}

// TestHosts: the daemon answers under its loopback addresses and localhost, in any case, and on both loopback interfaces where the
// system has both; a Host that only resembles one gets 421 on each.
func TestHosts(t *testing.T) {
	a := mustServe(t)
	_, port, _ := net.SplitHostPort(a.Addr())
	both := len(a.browsers) == 2
	if probe, err := net.Listen("tcp", "[::1]:0"); err == nil {
		probe.Close()
		if !both {
			t.Fatal("it does not listen on ::1")
		}
	}
	for host, want := range map[string]string{
		"127.0.0.1:P": "200", "localhost:P": "200", "LOCALHOST:P": "200", "LocalHost:P": "200", "[::1]:P": map[bool]string{true: "200", false: "421"}[both],
		"[::1]": "421", "[::1]:1": "421", "[0:0:0:0:0:0:0:1]:P": "421", "[::1%lo]:P": "4", "::1:P": "4", "[::ffff:127.0.0.1]:P": "421", "[::]:P": "421",
		"localhost.evil.com:P": "421", "LOCALHOST.evil.com:P": "421", "localhost.:P": "421", "LOCALHOST.:P": "421", "localho\u017ft:P": "4",
		"user@localhost:P": "4", "LOCALHOST:P,evil.com": "4", "localhost": "421", "LOCALHOST": "421", "127.0.0.2:P": "421",
	} {
		for _, addr := range addresses(a.browsers) {
			got := askAt(t, addr, "GET / HTTP/1.1", "Host: "+strings.ReplaceAll(host, "P", port))
			if !strings.HasPrefix(got, "HTTP/1.1 "+want) {
				t.Errorf("Host %q at %s: %q, want %s", host, addr, got, want)
			}
		}
	}
	for _, addr := range addresses(a.browsers) {
		for _, two := range [][]string{{"Host: localhost:" + port, "Host: evil.com"}, {"Host: evil.com", "Host: LOCALHOST:" + port}} {
			if got := askAt(t, addr, append([]string{"GET / HTTP/1.1"}, two...)...); !strings.HasPrefix(got, "HTTP/1.1 4") {
				t.Errorf("%v at %s: %q", two, addr, got)
			}
		}
	}
}

// TestWaitingRoom: of too many connections that wait, the one that has waited longest is closed, if it has waited for a moment, and
// none that is being answered.
func TestWaitingRoom(t *testing.T) {
	room := newWaitingRoom()
	now := time.Now()
	room.now = func() time.Time { return now }
	conns := make([]*closable, maxFresh+3)
	for i := range conns {
		conns[i] = &closable{}
	}
	check := func(when string, closed ...int) {
		t.Helper()
		for i, c := range conns {
			if want := slices.Contains(closed, i); c.closed != want {
				t.Fatalf("%s: connection %d: closed %v", when, i, c.closed)
			}
		}
	}
	for i := range maxWaiting {
		room.changed(conns[i], http.StateNew)
		now = now.Add(time.Microsecond)
	}
	room.changed(conns[0], http.StateActive)
	room.changed(conns[1], http.StateActive)
	room.changed(conns[1], http.StateIdle) // it was answered, and waits again
	room.changed(conns[2], http.StateHijacked)
	room.changed(conns[maxWaiting], http.StateNew)
	room.changed(conns[maxWaiting+1], http.StateNew)
	room.changed(conns[maxWaiting+2], http.StateNew)
	check("no one has waited for long")
	now = now.Add(grace)
	room.changed(conns[maxWaiting+3], http.StateNew)
	check("after a moment", 3)
	for i := maxWaiting + 4; i < maxFresh+3; i++ {
		room.changed(conns[i], http.StateNew)
	}
	if len(room.since) > maxFresh {
		t.Errorf("%d wait", len(room.since))
	}
	if conns[0].closed || conns[2].closed || !conns[4].closed {
		t.Error("in a flood, one that is answered was closed, or the oldest was not")
	}
}

type closable struct {
	net.Conn
	closed bool
}

func (c *closable) Close() error {
	c.closed = true
	return nil
}

// TestSlowBody: a body that stalls ends its request and its connection, whoever sends it and whatever is asked for.
func TestSlowBody(t *testing.T) {
	a := mustServe(t)
	server := httptest.NewServer(a.front(50 * time.Millisecond))
	defer server.Close()
	for _, host := range []string{"evil.example", a.Addr()} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(time.Minute)) // an error shows below
		fmt.Fprintf(conn, "POST /login HTTP/1.1\r\nHost: %s\r\nContent-Length: 100\r\n\r\nx", host)
		if text, err := io.ReadAll(conn); err != nil {
			t.Errorf("%s: the connection is still open after %q: %v", host, text, err)
		}
	}
}

// timed is an answer that notes the deadlines for what is read.
type timed struct {
	http.ResponseWriter
	deadlines []time.Time
}

func (w *timed) SetReadDeadline(at time.Time) error {
	w.deadlines = append(w.deadlines, at)
	return http.NewResponseController(w.ResponseWriter).SetReadDeadline(at)
}

// TestTimeOfABody: the time of a body ends with the body: the handler may take longer, and nothing cancels it.
func TestTimeOfABody(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		noted, began := &timed{ResponseWriter: w}, time.Now()
		timeBody(noted, r, time.Minute)
		text, err := io.ReadAll(r.Body)
		if err != nil || r.Context().Err() != nil {
			t.Errorf("%v, %v", err, r.Context().Err())
		}
		if d := noted.deadlines; len(d) != 2 || d[0].Before(began.Add(time.Minute)) || !d[1].IsZero() {
			t.Errorf("deadlines %v", d)
		}
		_, _ = w.Write(text) // an error shows in the answer
	}))
	defer server.Close()
	for range 2 { // over the same connection
		res, err := http.Post(server.URL, "text/plain", strings.NewReader("a form"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || string(text) != "a form" {
			t.Errorf("%q, %v", text, err)
		}
	}
}
