package fetch

import (
	"bufio"
	"fmt"
	"net"
	"net/textproto"
	"strings"
	"testing"
)

// mustEcho is a server that answers with the target of the request as it was sent, and has no robots.txt.
func mustEcho(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				r := textproto.NewReader(bufio.NewReader(conn))
				line, _ := r.ReadLine()
				if _, err := r.ReadMIMEHeader(); err != nil {
					return
				}
				status, target := "200 OK", strings.TrimSuffix(strings.TrimPrefix(line, "GET "), " HTTP/1.1")
				if target == "/robots.txt" {
					status, target = "404 Not Found", ""
				}
				fmt.Fprintf(conn, "HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", status, len(target), target)
			}()
		}
	}()
	return ln.Addr().String()
}

// TestLiveOddPaths: a path is sent as the page wrote it, also when a percent sign in it begins no escape, which net/url refuses.
func TestLiveOddPaths(t *testing.T) {
	rule, err := ParseResolve("a.test=" + mustEcho(t))
	if err != nil {
		t.Fatal(err)
	}
	l := NewLive(LiveOptions{UserAgent: "Nightjar/1.0", Resolve: []Resolve{rule}})
	t.Cleanup(func() { l.Close() })
	for _, path := range []string{"/100%/x", "/50%25-off%", "/a%zzb?q=%", "/d/%ef%F0/%D0%BF", "/[a]|b^", "/%", "/a%00b", "/%2e%2Fx"} {
		if got := l.Fetch(t.Context(), "http://a.test"+path); got.Outcome != OK || string(got.Body) != path {
			t.Errorf("%s: %s (%s), sent as %q", path, got.Outcome, got.Reason, got.Body)
		}
	}
}
