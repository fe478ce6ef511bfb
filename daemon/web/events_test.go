package web

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"nightjar/daemon/base/notify"
)

func TestEventStream(t *testing.T) {
	f := newFixture(t)
	server := httptest.NewServer(f.Handler())
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = f.host
	r.AddCookie(f.Cookie)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got := res.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("%d %s", res.StatusCode, got)
	}
	lines := bufio.NewScanner(res.Body)
	lines.Scan() // the first line is written after the stream listens
	f.Bus.Tell(notify.News{Kind: "crawl", ID: "7\nevent: x", Data: "private"})
	var got []string
	for lines.Scan() {
		if lines.Text() == "" && len(got) > 1 {
			break
		}
		if lines.Text() != "" {
			got = append(got, lines.Text())
		}
	}
	if want := "event: news|data: {\"kind\":\"crawl\",\"id\":\"7\\nevent: x\"}"; strings.Join(got, "|") != want {
		t.Errorf("stream %q", got)
	}
}
