package fetch

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// TestBrokenConnectionIsNotRetried: when an idle connection breaks after the request was written, the request is not sent
// again at once, within the host's delay.
func TestBrokenConnectionIsNotRetried(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		if r.URL.Path == "/breaks" {
			c, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			c.(*net.TCPConn).SetLinger(0)
			c.Close()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<p>hello")
	}))
	defer server.Close()
	rule, err := ParseResolve("a.test=" + server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	l := NewLive(LiveOptions{Resolve: []Resolve{rule}})
	defer l.Close()
	if res := l.Fetch(t.Context(), "http://a.test/"); res.Outcome != OK {
		t.Fatal(res.Outcome, res.Reason)
	}
	res := l.Fetch(t.Context(), "http://a.test/breaks")
	mu.Lock()
	defer mu.Unlock()
	if asked["/breaks"] != 1 || res.Outcome != Network {
		t.Errorf("%d requests, %s: %s", asked["/breaks"], res.Outcome, res.Reason)
	}
}
