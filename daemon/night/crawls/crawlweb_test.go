package crawls

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// crawlWeb is a made-up web of numbered pages on five hosts, the same for a seed: each page links to some others, some
// addresses redirect, some are missing. It counts what it is asked for, the second steps of redirects left out.
type crawlWeb struct {
	pages int
	mu    sync.Mutex
	asked map[string]int
}

func crawlURL(i int) string { return fmt.Sprintf("http://h%d.test/p%d", i%5, i) }

func (w *crawlWeb) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if u := "http://" + r.Host + r.URL.Path; u == r.Header.Get("Entry") {
		w.mu.Lock()
		w.asked[u]++
		w.mu.Unlock()
	}
	var i int
	if _, err := fmt.Sscanf(r.URL.Path, "/p%d", &i); err != nil || i%17 == 16 {
		http.NotFound(rw, r)
		return
	}
	if i%13 == 12 {
		http.Redirect(rw, r, crawlURL(i/2), http.StatusFound)
		return
	}
	io.WriteString(rw, w.page(i))
}

// page links to its children in a binary tree, so that every page can be reached, and to a few random pages.
func (w *crawlWeb) page(i int) string {
	r := rand.New(rand.NewPCG(uint64(i), 7))
	var b strings.Builder
	fmt.Fprintf(&b, "<title>Page %d</title><p>words of page %d: %x</p>", i, i, r.Uint64())
	if i%7 == 3 {
		b.WriteString("<p>useful</p>")
	}
	targets := []int{2*i + 1, 2*i + 2}
	for range 6 {
		targets = append(targets, r.IntN(w.pages))
	}
	for _, to := range targets {
		if to < w.pages {
			fmt.Fprintf(&b, "<a href=%q>to %d</a>", crawlURL(to), to)
		}
	}
	return b.String()
}

// crawlClient fetches from one server, whatever the host name.
type crawlClient struct{ server string }

func (c crawlClient) ReadyAt(string) time.Time { return time.Time{} }

func (c crawlClient) Fetch(ctx context.Context, url string) fetch.Response {
	return c.get(ctx, url, url)
}

func (c crawlClient) get(ctx context.Context, entry, url string) fetch.Response {
	r := fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Network}
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.server+"/"+path, nil)
	if err != nil {
		r.Reason = err.Error()
		return r
	}
	req.Host = host
	req.Header.Set("Entry", entry)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		r.Reason = err.Error()
		return r
	}
	defer resp.Body.Close()
	r.Status = resp.StatusCode
	switch {
	case resp.StatusCode == http.StatusFound:
		next := c.get(ctx, entry, resp.Header.Get("Location"))
		next.Redirects = append([]string{url}, next.Redirects...)
		next.URL = url
		return next
	case resp.StatusCode != http.StatusOK:
		r.Outcome, r.Reason = fetch.Status, resp.Status
		return r
	}
	r.Body, err = io.ReadAll(resp.Body)
	r.Outcome, r.Bytes = fetch.OK, int64(len(r.Body))
	if err != nil {
		r.Outcome, r.Reason = fetch.Network, err.Error()
	}
	return r
}

// crawlStrategy gives each link a priority of its own, drawn from what the page says and the path so far, so that an
// order that is not quite the same shows.
type crawlStrategy struct{}

func (crawlStrategy) Name() string { return "test" }

func (crawlStrategy) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	way := 1.0
	if len(v.Parent) > 0 {
		way = math.Float64frombits(binary.BigEndian.Uint64(v.Parent))*0.7 + 1
	}
	j := strategy.Judgement{
		Relevant: strings.Contains(v.Page.Text, "useful"), Similarity: 0.5, Cluster: int(way * 10),
		States: []float64{way}, Path: binary.BigEndian.AppendUint64(nil, math.Float64bits(way)),
	}
	for i := range v.Page.Links {
		r := rand.New(rand.NewPCG(uint64(len(v.Page.Text)), uint64(i)))
		j.Priorities = append(j.Priorities, strategy.Priority{r.Int32N(5), int32(way * 100)})
	}
	return j, nil
}

// mustStoreWithCrawl opens a store with one topic, a model without content, and one waiting crawl.
func mustStoreWithCrawl(tb testing.TB, options Options) (*store.Store, Crawl) {
	tb.Helper()
	ctx := context.Background()
	s := storetest.Must(store.Open(ctx, storetest.Path(tb)))(tb)
	tb.Cleanup(func() { s.Close() })
	topic := storetest.Must(topics.Create(ctx, s.DB, "Hockey"))(tb)
	storetest.Must(s.Writer.Exec("INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'00', '{}', 1)", topic.ID))(tb)
	return s, mustCreateCrawl(tb, s, Crawl{TopicID: topic.ID, ModelID: 1, Strategy: "test", Options: options})
}

func mustCreateCrawl(tb testing.TB, s *store.Store, c Crawl) Crawl {
	tb.Helper()
	id := storetest.Must(Create(context.Background(), s.DB, c))(tb)
	c = storetest.Must(Get(context.Background(), s.DB, id))(tb)
	return c
}
