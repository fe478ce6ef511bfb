package crawler_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
)

// web is a txtar archive served over HTTP, by host name.
type web struct {
	pages map[string]string // URL without scheme -> body
	mu    sync.Mutex
	asked map[string]int // how often each URL was asked for
}

func mustWeb(tb testing.TB, name string) *web {
	tb.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	w := &web{pages: map[string]string{}, asked: map[string]int{}}
	for _, f := range txtar.Parse(data).Files {
		w.pages[f.Name] = string(f.Data)
	}
	return w
}

func (w *web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	u := r.Host + r.URL.RequestURI()
	w.mu.Lock()
	w.asked[u]++
	body, ok := w.pages[u]
	w.mu.Unlock()
	if !ok {
		http.NotFound(rw, r)
		return
	}
	first, to, _ := strings.Cut(strings.TrimSpace(body), " ")
	if status, err := strconv.Atoi(first); err == nil {
		if to != "" {
			rw.Header().Set("Location", to)
		}
		rw.WriteHeader(status)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	io.WriteString(rw, body)
}

// client fetches from one server, whatever the host name. Paths below /private/ are refused as robots.txt would.
type client struct {
	server string
	http   http.Client
}

func mustClient(tb testing.TB, w *web) *client {
	tb.Helper()
	s := httptest.NewServer(w)
	tb.Cleanup(s.Close)
	return &client{server: s.URL, http: http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}}
}

func (c *client) ReadyAt(string) time.Time { return time.Time{} }

func (c *client) Fetch(ctx context.Context, url string) fetch.Response {
	r := fetch.Response{URL: url, FinalURL: url}
	if strings.Contains(url, "/private/") {
		r.Outcome = fetch.Robots
		return r
	}
	for {
		status, to, body, err := c.get(ctx, r.FinalURL)
		switch {
		case ctx.Err() != nil:
			r.Outcome = fetch.Canceled
		case err != nil:
			r.Outcome, r.Reason = fetch.Network, err.Error()
		case to != "":
			if r.FinalURL != url {
				r.Redirects = append(r.Redirects, r.FinalURL)
			}
			r.FinalURL = to
			continue
		case status != http.StatusOK:
			r.Outcome, r.Reason, r.Status = fetch.Status, fmt.Sprint("status ", status), status
		default:
			r.Outcome, r.Status, r.Body, r.Bytes = fetch.OK, status, body, int64(len(body))
		}
		return r
	}
}

func (c *client) get(ctx context.Context, url string) (status int, to string, body []byte, err error) {
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.server+"/"+path, nil)
	if err != nil {
		return 0, "", nil, err
	}
	req.Host = host
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, "", nil, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header.Get("Location"), body, err
}

// counting is a strategy that counts words: links of a page are as good as it says "good", and their path's state is
// the depth so far.
type counting struct{}

func (counting) Name() string { return "counting" }

func (counting) Read(_ context.Context, v strategy.Visit) (strategy.Judgement, error) {
	good := strings.Count(v.Page.Text, "good")
	steps := byte(1)
	if !v.Start {
		steps = v.Parent[0] + 1
	}
	j := strategy.Judgement{
		Similarity: float64(good) / 10,
		Relevant:   strings.Contains(strings.ToLower(v.Page.Text), "target"),
		Cluster:    good,
		States:     []float64{float64(steps)},
		Path:       []byte{steps},
	}
	for range v.Page.Links {
		j.Priorities = append(j.Priorities, strategy.Priority{int32(good)})
	}
	return j, nil
}
