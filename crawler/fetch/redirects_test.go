package fetch

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLiveRedirectChains follows redirects from host to host, endless redirects with a new query each time, and refreshes.
// A fetch ends after five hops, and the robots.txt of each new host is requested first.
func TestLiveRedirectChains(t *testing.T) {
	refresh := func(to string) http.HandlerFunc {
		return say(`<meta http-equiv=refresh content="0; url=` + to + `"><p>wait`)
	}
	pages := map[string]http.HandlerFunc{
		"a.test/meta": refresh("http://b.test/y"), "b.test/y": say("y"), "a.test/later": say(`<meta http-equiv=refresh content="5; url=/y"><p>stay`),
		"a.test/loop": refresh("/loop2"), "a.test/loop2": refresh("/loop"), "a.test/mixed": to("/meta", 301),
		"a.test/no": refresh("http://c.test/no"), "c.test/robots.txt": say("User-agent: *\nDisallow: /no"),
		"a.test/secret": refresh("/x?access_token=abc"), "a.test/tag": say(`<meta http-equiv=refresh content="0; url=/y"><p>tag`, "X-Robots-Tag", "nofollow"),
	}
	for i := range 20 {
		pages[fmt.Sprintf("h%d.test/", i)] = to(fmt.Sprintf("http://h%d.test/", (i+1)%20), 302)
		pages[fmt.Sprintf("q.test/?n=%d", i)] = to(fmt.Sprintf("/?n=%d", i+1), 302)
		pages[fmt.Sprintf("m.test/%d", i)] = refresh(fmt.Sprintf("/%d", i+1))
	}
	w := mustWeb(t, pages)
	l := w.mustLive(t, LiveOptions{})
	for _, c := range []struct {
		url, final, body string
		want             Outcome
		asked            int // robots.txt included
	}{
		{"http://h0.test/", "http://h5.test/", "", Redirects, 12},
		{"http://q.test/?n=0", "http://q.test/?n=5", "", Redirects, 7},
		{"http://m.test/0", "http://m.test/5", "wait", OK, 7},
		{"http://a.test/meta", "http://b.test/y", "y", OK, 4},
		{"http://a.test/mixed", "http://b.test/y", "y", OK, 3},
		{"http://a.test/later", "http://a.test/later", "stay", OK, 1},
		{"http://a.test/loop", "http://a.test/loop2", "wait", OK, 2},
		{"http://a.test/no", "http://c.test/no", "", Robots, 2},
		{"http://a.test/secret", "http://a.test/x?access_token=abc", "", Refused, 1},
		{"http://a.test/tag", "http://a.test/tag", "tag", OK, 1},
	} {
		w.asks = nil
		got := l.Fetch(t.Context(), c.url)
		if got.Outcome != c.want || got.FinalURL != c.final || !strings.HasSuffix(string(got.Body), c.body) || c.body == "" && got.Body != nil {
			t.Errorf("%s: %s %s %q, %s", c.url, got.Outcome, got.FinalURL, got.Body, got.Reason)
		}
		if len(w.asks) != c.asked || len(got.Exchanges) != c.asked {
			t.Errorf("%s: requested %q, but %d exchanges", c.url, w.asks, len(got.Exchanges))
		}
		robots := map[string]bool{}
		for _, ask := range w.asks {
			host, path, _ := strings.Cut(ask, "/")
			if robots[host] = robots[host] || path == "robots.txt"; !robots[host] && c.asked > 4 {
				t.Errorf("%s was requested before its robots.txt", ask)
			}
		}
	}
	got := l.Fetch(t.Context(), "http://a.test/mixed")
	if diff := cmp.Diff([]string{"http://a.test/meta"}, got.Redirects); diff != "" {
		t.Error(diff)
	}
}
