package ingest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// ask sends an upgrade request as raw bytes and returns the status line of the response.
func ask(tb testing.TB, addr, target string, headers ...string) string {
	tb.Helper()
	conn := must(net.Dial("tcp", addr))(tb)
	defer conn.Close()
	ok(tb, conn.SetDeadline(time.Now().Add(time.Minute)))
	lines := append([]string{"GET " + target + " HTTP/1.1"}, headers...)
	lines = append(lines, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", "")
	must(fmt.Fprint(conn, strings.Join(lines, "\r\n")))(tb)
	status, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		tb.Fatalf("%v: %v", headers, err)
	}
	return strings.TrimSpace(status)
}

// TestHost has the cases of Syncthing's TestHostCheck and TestAddressIsLocalhost, and more. P stands for the port.
func TestHost(t *testing.T) {
	d := newDaemon(t)
	for host, want := range map[string]string{
		"127.0.0.1:P": "101", "localhost:P": "101", "LOCALHOST:P": "101", "Localhost:P": "101",
		"127.0.0.1": "421", "localhost": "421", "": "421", "127.0.0.1:1": "421", "localhost:80": "421",
		"[::1]:P":    "421", // not the address of the connection
		"evil.com:P": "421", "evil.com": "421", "localhost.evil.com:P": "421", "127.0.0.1.nip.io:P": "421",
		"evil.localhost:P": "421", "LOCALHOST.:P": "421", "localhost.:P": "421", "127.0.0.1.:P": "421",
		"127.0.0.2:P": "421", "127.1:P": "421", "2130706433:P": "421", "0x7f.1:P": "421", "0177.0.0.1:P": "421", "0.0.0.0:P": "421",
		"192.168.0.1:P": "421", "[::ffff:127.0.0.1]:P": "421", "127.0.0.1:P:P": "421", "localhost:P.evil.com": "421", "localhost:0P": "421",
		"user@localhost:P": "40", "localhost:P@evil.com": "40", "localhost:P/": "40", "local host:P": "40", "localhost:P,evil.com": "4",
	} {
		t.Run(host, func(t *testing.T) {
			got := ask(t, d.addr, "/ws", "Host: "+strings.ReplaceAll(host, "P", d.port()), "Origin: "+chromeOrigin)
			if !strings.HasPrefix(got, "HTTP/1.1 "+want) && !(want == "40" && strings.HasPrefix(got, "HTTP/1.1 421")) {
				t.Errorf("Host %q: %s, want %s", host, got, want)
			}
		})
	}
	good := "localhost:" + d.port()
	for name, c := range map[string]struct {
		target  string
		headers []string
	}{
		"no host":               {"/ws", nil},
		"two hosts":             {"/ws", []string{"Host: " + good, "Host: evil.com"}},
		"two hosts, evil first": {"/ws", []string{"Host: evil.com", "Host: " + good}},
		"absolute target":       {"http://evil.com/ws", []string{"Host: " + good}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := ask(t, d.addr, c.target, append(c.headers, "Origin: "+chromeOrigin)...); !strings.HasPrefix(got, "HTTP/1.1 4") {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestOrigin(t *testing.T) {
	d := newDaemon(t)
	for origin, want := range map[string]string{
		chromeOrigin: "101", firefoxOrigin: "101",
		"": "403", "null": "403", "http://evil.example": "403", "https://evil.example": "403",
		"http://127.0.0.1:P": "403", "http://localhost:P": "403", "http://127.0.0.1:9912": "403", "file://": "403",
		chromeOrigin + ".evil": "403", chromeOrigin + "/": "403", chromeOrigin + ":80": "403", chromeOrigin + "a": "403", "x" + chromeOrigin: "403",
		"chrome-extension://abc": "403", "chrome-extension://ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP": "403", strings.ToUpper(chromeOrigin): "403",
		"chrome-extension://zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz": "403", "chrome-extension://": "403", "http://" + chromeOrigin: "403",
		"moz-extension://evil": "403", firefoxOrigin + ".evil": "403", strings.ToUpper(firefoxOrigin): "403",
		"safari-web-extension://abcdefghijklmnopabcdefghijklmnop": "403", "chrome-extension:abcdefghijklmnopabcdefghijklmnop": "403",
		"chrome-extension://user@abcdefghijklmnopabcdefghijklmnop": "403", chromeOrigin + " " + chromeOrigin: "403",
	} {
		t.Run(origin, func(t *testing.T) {
			got := ask(t, d.addr, "/ws", "Host: "+d.addr, "Origin: "+strings.ReplaceAll(origin, "P", d.port()))
			if !strings.HasPrefix(got, "HTTP/1.1 "+want) {
				t.Errorf("Origin %q: %s, want %s", origin, got, want)
			}
		})
	}
	for name, headers := range map[string][]string{
		"absent": nil, "two": {"Origin: " + chromeOrigin, "Origin: http://evil.example"}, "two of the same": {"Origin: " + chromeOrigin, "Origin: " + chromeOrigin},
	} {
		if got := ask(t, d.addr, "/ws", append([]string{"Host: " + d.addr}, headers...)...); !strings.HasPrefix(got, "HTTP/1.1 403") {
			t.Errorf("%s: %s, want 403", name, got)
		}
	}
}

// TestIntroduce: who asks for no socket is told who is here; only extensions may read it, and only they count as a call.
func TestIntroduce(t *testing.T) {
	for origin, may := range map[string]bool{chromeOrigin: true, firefoxOrigin: true, "": false, "http://evil.example": false, "null": false} {
		d := newDaemon(t)
		r := must(http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+d.addr+"/ws", nil))(t)
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		got := must(http.DefaultClient.Do(r))(t)
		text, err := io.ReadAll(got.Body)
		got.Body.Close()
		if err != nil || got.StatusCode != http.StatusUpgradeRequired || !strings.HasPrefix(string(text), "Nightjar") {
			t.Errorf("Origin %q: %s %q, %v", origin, got.Status, text, err)
		}
		if allowed := got.Header.Get("Access-Control-Allow-Origin"); (allowed == origin && origin != "") != may || !may && allowed != "" {
			t.Errorf("Origin %q may read it: %q", origin, allowed)
		}
		if called := d.Pairing().Called; called != may {
			t.Errorf("Origin %q counts as a call: %v", origin, called)
		}
	}
}
