package fetch

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// TestCharsetAndRefresh: an answer keeps the encoding in which it was sent, and an immediate header Refresh is followed like that of
// a meta element.
func TestCharsetAndRefresh(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=gb2312")
		switch r.URL.Path {
		case "/robots.txt":
			w.WriteHeader(http.StatusNotFound)
		case "/moved":
			w.Header().Set("Refresh", "0; url=/there")
		case "/later":
			w.Header().Set("Refresh", "9; url=/there")
		}
		_, _ = w.Write([]byte("<title>\xb3\xb1</title>" + r.URL.Path))
	}))
	defer server.Close()
	live := NewLive(LiveOptions{UserAgent: "Nightjar/test", Timeout: 5 * time.Second,
		Resolve: []Resolve{{Pattern: "*.test", Addr: server.Listener.Addr().String()}}})
	defer live.Close()
	for i, tt := range []struct{ url, final, refresh string }{
		{"http://a.test/page", "http://a.test/page", ""},
		{"http://b.test/moved", "http://b.test/there", ""},
		{"http://c.test/later", "http://c.test/later", "9; url=/there"},
	} {
		res := live.Fetch(t.Context(), tt.url)
		if res.Outcome != OK || res.FinalURL != tt.final || res.Charset != "gbk" || res.Refresh != tt.refresh || len(res.Redirects) != 0 {
			t.Errorf("%d: %s %s, at %s, charset %q, refresh %q, over %v", i, res.Outcome, res.Reason, res.FinalURL, res.Charset, res.Refresh, res.Redirects)
		}
	}
}
