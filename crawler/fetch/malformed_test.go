package fetch

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// mustRaw serves the bytes that answer writes for each path, without robots.txt, and closes the connection.
func mustRaw(t *testing.T, answers map[string]func(net.Conn)) string {
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
				req, err := http.ReadRequest(bufio.NewReader(conn))
				if err != nil {
					return
				}
				if answer, ok := answers[req.URL.Path]; ok {
					answer(conn)
				} else {
					fmt.Fprint(conn, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				}
			}()
		}
	}()
	return ln.Addr().String()
}

// TestLiveMalformed fetches from servers that violate HTTP. Each fetch ends with an outcome, within the time limits.
func TestLiveMalformed(t *testing.T) {
	const html = "Content-Type: text/html\r\nConnection: close\r\n"
	cases := []struct {
		answer string
		want   Outcome
		body   string
	}{
		{"HTTP/1.1 200 OK\r\n" + html + "\r\nup to the end", OK, "up to the end"},
		{"HTTP/1.1 200 OK\r\n" + html + "Content-Length: 5\r\n\r\nlong and more", OK, "long "},
		{"HTTP/1.1 200 OK\r\n" + html + "Content-Length: 50\r\n\r\nshort", Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nlies!!", Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "Content-Length: -5\r\n\r\nx", Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "Content-Length: 99999999999999999999\r\n\r\nx", Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", OK, "hello"},
		{"HTTP/1.1 200 OK\r\n" + html + "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n", Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "Transfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n", Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nhello", Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "Transfer-Encoding: chunked\r\n\r\n5;" + strings.Repeat("x", 1<<20) + "\r\nhello\r\n0\r\n\r\n", Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1;"+strings.Repeat("y", 1000)+"\r\nx\r\n", 2000), Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "Transfer-Encoding: nonsense\r\n\r\nx", Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "Content-Encoding: gzip\r\n\r\n", Type, ""},
		{"HTTP/1.1 200 OK\r\n" + html + strings.Repeat("X-A: "+strings.Repeat("x", 900)+"\r\n", 100) + "\r\nx", Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "X-A: " + strings.Repeat("x", 1<<20) + "\r\n\r\nx", Network, ""},
		{"HTTP/1.1 200 OK\r\n" + html + strings.Repeat("A:b\r\n", 1<<16) + "\r\nx", Network, ""},
		{"HTTP/1.1 200 OK\r\nA\x00B: c\r\n" + html + "\r\nx", Network, ""},
		{"HTTP/1.1 200 OK\r\n: nameless\r\n" + html + "\r\nx", Network, ""},
		{"HTTP/1.1 200\r\n" + html + "\r\nno words", OK, "no words"},
		{"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\nold", OK, "old"},
		{"<p>HTTP/0.9", Network, ""},
		{"HTTP/9.9 200 OK\r\n\r\nx", Type, ""},
		{"HTTP/1.1 000 Zero\r\n" + html + "\r\nx", Status, ""},
		{"HTTP/1.1 99 Two digits\r\n" + html + "\r\nx", Network, ""},
		{"HTTP/1.1 999 Denied\r\n" + html + "\r\nx", Status, ""},
		{"HTTP/1.1 -20 Less than none\r\n" + html + "\r\nx", Network, ""},
		{"HTTP/1.1 204 Nothing\r\n" + html + "\r\nsomething", Status, ""},
		{"HTTP/1.1 206 Partial\r\n" + html + "\r\nhalf", Status, ""},
		{"HTTP/1.1 304 Not Modified\r\n" + html + "\r\n", Status, ""},
		{"HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", Status, ""},
		{strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 1000) + "HTTP/1.1 200 OK\r\n" + html + "\r\nlate", OK, "late"},
		{strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </"+strings.Repeat("x", 1000)+">\r\n\r\n", 1000) + "HTTP/1.1 200 OK\r\n" + html + "\r\nlate", Network, ""},
		{"", Network, ""},
		{"HTTP/1.1 200 OK\r\nContent-Ty", Network, ""},
		{"HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: http://[::1\r\n\r\n", Redirects, ""},
		{"HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: \xff\xfe\r\n\r\n", Status, ""},
		{"HTTP/1.1 200 OK\r\n" + html + "Refresh: 0; url=http://169.254.169.254/\r\n\r\nstays", Refused, ""}, // as of a meta element,
	}
	answers := map[string]func(net.Conn){
		"/flood": func(c net.Conn) { // a header without end
			for _, err := fmt.Fprint(c, "HTTP/1.1 200 OK\r\n"); err == nil; {
				_, err = fmt.Fprint(c, strings.Repeat("X-A: b\r\n", 1000))
			}
		},
		"/hints": func(c net.Conn) { // interim answers without end
			for err := error(nil); err == nil; {
				_, err = fmt.Fprint(c, "HTTP/1.1 103 Early Hints\r\n\r\n")
			}
		},
		"/drip": func(c net.Conn) { // a header that comes a byte at a time
			for err := error(nil); err == nil; time.Sleep(10 * time.Millisecond) {
				_, err = fmt.Fprint(c, "H")
			}
		},
	}
	for i, c := range cases {
		answers[fmt.Sprint("/", i)] = func(conn net.Conn) { fmt.Fprint(conn, c.answer) }
	}
	rules := []Resolve{{"*.test", mustRaw(t, answers)}}
	l := NewLive(LiveOptions{Timeout: time.Minute, Resolve: rules}) // on a busy machine too; none of these takes it
	defer l.Close()
	for i, c := range cases {
		got := l.Fetch(t.Context(), fmt.Sprintf("http://h%d.test/%d", i, i))
		if got.Outcome != c.want || string(got.Body) != c.body || (got.Reason == "") != (got.Outcome == OK) {
			t.Errorf("%.100q: %s %d %q, %s; want %s", c.answer, got.Outcome, got.Status, got.Body, got.Reason, c.want)
		}
	}
	hasty := NewLive(LiveOptions{Timeout: time.Second, Resolve: rules})
	defer hasty.Close()
	for path := range map[string]bool{"flood": true, "hints": true, "drip": true} {
		if got := hasty.Fetch(t.Context(), "http://"+path+".test/"+path); got.Outcome != Network && got.Outcome != Timeout {
			t.Errorf("%s: %+v", path, got)
		}
	}
}
