package trainingset

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

func open(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // a test may have closed it to open it again
	return s
}

func newStore(t *testing.T) *store.Store {
	t.Helper()
	return open(t, storetest.Path(t))
}

func newDocument(t *testing.T, s *store.Store, key string) int64 {
	t.Helper()
	d, err := maps.AddDocument(t.Context(), s.DB, maps.Document{Key: key, Title: key, Source: key}, nil, maps.ReadDocument{})
	if err != nil {
		t.Fatal(err)
	}
	return d.ID
}

// instance is a double of a SearXNG instance. It answers each query by the function, and notes the requests.
type instance struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
}

func newInstance(t *testing.T, answer http.HandlerFunc) *instance {
	t.Helper()
	in := &instance{}
	in.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in.mu.Lock()
		in.requests = append(in.requests, r)
		in.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(in.Close)
	return in
}

// queries are the values of q of all requests so far.
func (in *instance) queries() (all []string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, r := range in.requests {
		all = append(all, r.URL.Query().Get("q"))
	}
	return all
}

// provider asks the instance without a pause between queries.
func (in *instance) provider(t *testing.T, s *store.Store, document int64) *SearXNG {
	t.Helper()
	p, err := NewSearXNG(in.URL, s, document)
	if err != nil {
		t.Fatal(err)
	}
	if p.gap != 2*time.Second || p.client.Timeout != 20*time.Second {
		t.Fatalf("a gap of %v, a timeout of %v", p.gap, p.client.Timeout)
	}
	p.gap = 0
	return p
}

// onePage answers each query with a page that is named after it.
func onePage(w http.ResponseWriter, r *http.Request) {
	name := strings.ReplaceAll(strings.Trim(r.URL.Query().Get("q"), `"`), " ", "-")
	fmt.Fprintf(w, `{"query": "x", "results": [{"url": "http://a.test/%s", "title": "T", "content": "C"}, {"url": "http://shared.test/"}]}`, name)
}

func text(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		_, _ = io.WriteString(w, `{"results": [{"url": "http://wrong.test/"}]}`)
	}
}
