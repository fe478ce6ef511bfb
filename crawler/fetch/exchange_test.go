package fetch

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExchanges fetches pages and compares the exchanges with the requests that the server saw.
func TestExchanges(t *testing.T) {
	zipped := squeeze(strings.Repeat("some words ", 100))
	w := mustWeb(t, map[string]http.HandlerFunc{
		"a.test/to": to("http://b.test/x", 301), "b.test/robots.txt": say("User-agent: *\nDisallow: /no"),
		"b.test/x": say(zipped, "Content-Encoding", "gzip"), "b.test/big": say(strings.Repeat("x", MaxBody+5000)),
		"b.test/cut": say("short", "Content-Length", "100"), "b.test/pdf": say("%PDF", "Content-Type", "application/pdf"),
	})
	for _, keep := range []bool{false, true} {
		w.asks = nil
		l := w.mustLive(t, LiveOptions{Keep: keep})
		var all, asked []string
		for _, u := range []string{"http://a.test/to", "http://b.test/no", "http://b.test/big", "http://b.test/cut", "http://c.test/?access_token=a"} {
			for _, x := range l.Fetch(t.Context(), u).Exchanges {
				asked = append(asked, strings.TrimPrefix(x.URL, "http://"))
				all = append(all, fmt.Sprint(x.Purpose, " ", x.Addr, " ", x.Status, " ", x.Bytes, " ", x.Reason))
				if x.At.IsZero() || x.Took <= 0 {
					t.Errorf("%s at %v took %v", x.URL, x.At, x.Took)
				}
				if whole := x.Status != 200 || !strings.Contains(x.URL, "/big") && !strings.Contains(x.URL, "/cut"); x.Truncated == whole {
					t.Errorf("%s: truncated %v", x.URL, x.Truncated)
				}
				got := fmt.Sprint(x.Proto, len(x.Body), x.RequestHeader.Get("User-Agent"), x.Header.Get("Content-Type"))
				if want := fmt.Sprint("HTTP/1.1", min(x.Bytes, MaxBody), "Nightjar/1.0 (+http://example.com/)", x.Header.Get("Content-Type")); keep && got != want || !keep && got != "0" {
					t.Errorf("%s: kept %s; want %s", x.URL, got, want)
				}
				if keep && strings.HasSuffix(x.URL, "/x") && string(x.Body) != zipped {
					t.Errorf("%s: the body is not as sent", x.URL)
				}
			}
		}
		if diff := cmp.Diff(w.asks, asked); diff != "" {
			t.Error(diff)
		}
		want := []string{
			"robots 127.0.0.1 404 19 ", "page 127.0.0.1 301 0 ", "robots 127.0.0.1 200 27 ", fmt.Sprint("redirect 127.0.0.1 200 ", len(zipped), " "),
			fmt.Sprint("page 127.0.0.1 200 ", MaxBody+1+4096, " "), "page 127.0.0.1 200 5 reading the answer: the connection ended early",
		}
		if diff := cmp.Diff(want, all); diff != "" {
			t.Error(diff)
		}
	}
}

// TestConditional requests known pages again.
func TestConditional(t *testing.T) {
	var seen []string
	w := mustWeb(t, map[string]http.HandlerFunc{
		"a.test/tag": func(w http.ResponseWriter, r *http.Request) {
			seen = append(seen, r.Header.Get("If-None-Match")+"|"+r.Header.Get("If-Modified-Since"))
			w.Header().Set("ETag", `W/"v1"`)
			w.Header().Set("Last-Modified", "Sat, 21 Nov 2026 10:00:00 GMT")
			w.Header().Set("X-Robots-Tag", "nofollow")
			if r.Header.Get("If-None-Match") == `W/"v1"` {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			say("first")(w, r)
		},
		"a.test/odd":   say("odd", "ETag", strings.Repeat("x", 1000), "Last-Modified", "yesterday\tevening"),
		"a.test/304":   code(304),
		"a.test/to":    to("/tag", 302),
		"a.test/plain": say("new"),
	})
	known := map[string]Known{}
	l := w.mustLive(t, LiveOptions{Known: func(_ context.Context, url string) (Known, bool) { k, ok := known[url]; return k, ok }})
	first := l.Fetch(t.Context(), "http://a.test/tag")
	if first.Outcome != OK || first.NotModified || first.ETag != `W/"v1"` || first.LastModified != "Sat, 21 Nov 2026 10:00:00 GMT" {
		t.Fatalf("%+v", first)
	}
	known["http://a.test/tag"] = Known{ETag: first.ETag, LastModified: first.LastModified, Body: []byte("as kept")}
	known["http://a.test/plain"] = Known{Body: []byte("without validators")}
	for _, url := range []string{"http://a.test/tag", "http://a.test/to"} {
		got := l.Fetch(t.Context(), url)
		if got.Outcome != OK || !got.NotModified || string(got.Body) != "as kept" || got.ETag != first.ETag || !got.NoFollow || got.Reason != "" {
			t.Errorf("%+v", got)
		}
	}
	conditional := `W/"v1"|Sat, 21 Nov 2026 10:00:00 GMT`
	if diff := cmp.Diff([]string{"|", conditional, conditional}, seen); diff != "" {
		t.Error(diff)
	}
	if got := l.Fetch(t.Context(), "http://a.test/odd"); got.ETag != "" || got.LastModified != "" || got.Outcome != OK {
		t.Errorf("%+v", got)
	}
	if got := l.Fetch(t.Context(), "http://a.test/304"); got.Outcome != Status {
		t.Errorf("304 for an unknown page: %+v", got)
	}
	if got := l.Fetch(t.Context(), "http://a.test/plain"); got.Outcome != OK || string(got.Body) != "new" {
		t.Errorf("%+v", got)
	}
	for tag, want := range map[string]bool{`"a"`: true, `W/"a"`: true, `""`: true, `a`: false, `"a`: false, `"`: false, `"a"b"`: false, "\"a\x7f\"": false, `"a b"`: false, `"é"`: false} {
		if isETag(tag) != want {
			t.Errorf("%q is a tag: %v", tag, !want)
		}
	}
}
