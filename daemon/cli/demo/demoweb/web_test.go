package demoweb

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/cli/demo/surfer"
)

// get asks the web for an address as a browser does, redirects followed.
func get(w *Web, url string) (surfer.Document, error) {
	for range 5 {
		rec := httptest.NewRecorder()
		w.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, url, nil))
		switch rec.Code {
		case http.StatusOK:
			return surfer.Document{URL: url, HTML: rec.Body.Bytes()}, nil
		case http.StatusMovedPermanently, http.StatusFound:
			url = rec.Header().Get("Location")
		default:
			return surfer.Document{}, fmt.Errorf("%s: status %d", url, rec.Code)
		}
	}
	return surfer.Document{}, fmt.Errorf("%s: redirects without end", url)
}

// reached walks every link and frame from the directory and returns the URLs of all documents it saw; an address that
// does not answer is an error.
func reached(t *testing.T, w *Web) map[string]bool {
	t.Helper()
	start := w.Script()[0].URL
	seen := make(map[string]bool)
	asked := map[string]bool{start: true}
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		doc, err := get(w, queue[0])
		if err != nil {
			t.Fatal(err)
		}
		if seen[doc.URL] {
			continue
		}
		seen[doc.URL] = true
		p, err := page.Parse(doc.URL, "text/html; charset=utf-8", doc.HTML)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range p.Links {
			if !asked[link.URL] {
				asked[link.URL] = true
				queue = append(queue, link.URL)
			}
		}
		for _, f := range p.Frames {
			queue = append(queue, f.URL)
		}
	}
	return seen
}

func TestEveryPageIsReachable(t *testing.T) {
	for seed := range uint64(5) {
		w := Generate(seed)
		all := append(w.Pages(), w.Forbidden()...)
		slices.Sort(all)
		if got := slices.Sorted(maps.Keys(reached(t, w))); !slices.Equal(got, all) {
			t.Errorf("seed %d: %d documents can be reached, %d exist", seed, len(got), len(all))
		}
		if n := len(w.Pages()); n < 300 || n > 500 {
			t.Errorf("seed %d: %d pages", seed, n)
		}
	}
}

func TestURLsAreCanonical(t *testing.T) {
	w := Generate(3)
	for _, url := range slices.Concat(w.Pages(), w.Forbidden(), w.Redirects()) {
		if c, err := weburl.Canonical(url); err != nil || c != url {
			t.Errorf("%s has the canonical form %s (%v)", url, c, err)
		}
	}
}

// TestTopicIsSpread checks that most relevant pages lie on sites where the script never finds one, and that no front
// page leads to one in fewer than three links.
func TestTopicIsSpread(t *testing.T) {
	for seed := range uint64(5) {
		w := Generate(seed)
		marked := make(map[string]bool)
		steps := w.Script()
		for i, s := range steps {
			if s.Do == Useful {
				if !w.Relevant(steps[i-1].URL) {
					t.Errorf("seed %d: the person marks %s, which is not about %s", seed, steps[i-1].URL, w.Topic)
				}
				marked[weburl.Host(steps[i-1].URL)] = true
			}
		}
		elsewhere := 0
		for _, url := range w.RelevantPages() {
			if !marked[weburl.Host(url)] {
				elsewhere++
			}
		}
		if all := len(w.RelevantPages()); len(marked) < 2 || all < 15 || elsewhere*2 < all {
			t.Errorf("seed %d: %d relevant pages, %d on other sites than the %d the person found them on", seed, all, elsewhere, len(marked))
		}
		for _, host := range w.Hosts() {
			if d := distance(t, w, "http://"+host+"/"); d < 3 {
				t.Errorf("seed %d: %s is %d links from a relevant page", seed, host, d)
			}
		}
	}
}

// distance counts the links from a page to the nearest relevant page of its own host; -1 is far.
func distance(t *testing.T, w *Web, start string) int {
	t.Helper()
	seen := map[string]bool{start: true}
	ring := []string{start}
	for d := 0; len(ring) > 0; d++ {
		var next []string
		for _, url := range ring {
			doc, err := get(w, url)
			if err != nil {
				t.Fatal(err)
			}
			if w.Relevant(doc.URL) {
				return d
			}
			p, err := page.Parse(doc.URL, "text/html", doc.HTML)
			if err != nil {
				t.Fatal(err)
			}
			for _, link := range p.Links {
				if !seen[link.URL] && weburl.Host(link.URL) == weburl.Host(start) {
					seen[link.URL] = true
					next = append(next, link.URL)
				}
			}
		}
		ring = next
	}
	return 1 << 10
}

func TestSameSeedSameBytes(t *testing.T) {
	a, b, c := Generate(7), Generate(7), Generate(8)
	if !reflect.DeepEqual(a, b) {
		t.Error("the same seed makes another web")
	}
	if reflect.DeepEqual(a.documents, c.documents) {
		t.Error("another seed makes the same web")
	}
}

// TestScriptPlays does the script with a surfer: every link it follows is there, every event is a valid one, and all the
// things a session may hold occur.
func TestScriptPlays(t *testing.T) {
	for seed := range uint64(5) {
		w := Generate(seed)
		count := make(map[protocol.Type]int)
		aliases, iframes := 0, 0
		rng := rand.New(rand.NewPCG(seed, 0))
		s := surfer.New(surfer.Options{
			Client: surfer.NewClient(rng), Topic: w.Topic, Start: time.Unix(1e9, 0), Rand: rng,
			Load: func(_ context.Context, url string) (surfer.Document, error) { return get(w, url) },
			Emit: func(e protocol.Event) error {
				count[e.Type]++
				if e.Requested != "" {
					aliases++
				}
				if e.Kind == protocol.KindIframe {
					iframes++
				}
				return protocol.Validate(e)
			},
		})
		if err := Play(t.Context(), s, w.Script(), nil); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		visits := count[protocol.Visit]
		if visits < 40 || visits > 70 || count[protocol.Back] < 20 || aliases < 2 || iframes != 1 || count[protocol.Frame] != 3 {
			t.Errorf("seed %d: %v, %d aliases, %d iframes", seed, count, aliases, iframes)
		}
		if n := count[protocol.Useful]; n < 6 || n > 10 || count[protocol.Submit] != 1 {
			t.Errorf("seed %d: %d pages marked, %d times submitted", seed, n, count[protocol.Submit])
		}
	}
}

func TestHandler(t *testing.T) {
	w := Generate(1)
	shop := ""
	for host, rules := range w.robots {
		if strings.Contains(rules, "/basket/") {
			shop = host
		}
	}
	tests := []struct {
		name, method, url string
		status            int
		holds             string
	}{
		{"page", "GET", "http://" + shop + "/", 200, "<h1>"},
		{"host in capitals, with a port", "GET", "http://" + strings.ToUpper(shop) + ":8080/", 200, "<h1>"},
		{"robots", "GET", "http://" + shop + "/robots.txt", 200, "Disallow: /basket/\n"},
		{"no such page", "GET", "http://" + shop + "/nothing", 404, "no such page"},
		{"no such host", "GET", "http://nobody.test/", 404, "no such page"},
		{"redirect", "GET", w.Redirects()[0], w.documents[w.Redirects()[0]].status, ""},
		{"only for reading", "POST", "http://" + shop + "/", 405, "reading"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec := httptest.NewRecorder()
			w.Handler().ServeHTTP(rec, httptest.NewRequest(tt.method, tt.url, nil))
			if rec.Code != tt.status || !strings.Contains(rec.Body.String(), tt.holds) {
				t.Errorf("%s %s: status %d, %.200s", tt.method, tt.url, rec.Code, rec.Body)
			}
		})
	}
}
