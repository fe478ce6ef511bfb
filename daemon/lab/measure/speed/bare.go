package speed

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// bareLoop is a minimal crawl: fetch, parse, extract links, follow the new ones.
type bareLoop struct {
	client http.Client
	queue  []string
	seen   map[string]bool
	busy   int
	want   int

	mu   sync.Mutex
	more *sync.Cond
	done crawled
}

// crawlBare runs the bare loop with spec.Workers workers, as many as the other contenders have.
func crawlBare(ctx context.Context, spec *crawlSpec) (*crawled, error) {
	l := &bareLoop{seen: make(map[string]bool), want: spec.Pages}
	l.more = sync.NewCond(&l.mu)
	l.client.Transport = &http.Transport{DialContext: dialer(spec.Addrs), MaxIdleConnsPerHost: 1}
	watch := startWatch()
	l.add(spec.Starts)
	var workers sync.WaitGroup
	for range spec.Workers {
		workers.Go(func() { l.work(ctx) })
	}
	workers.Wait()
	watch.stop(&l.done)
	return &l.done, nil
}

// dialer connects to each host name at its given address.
func dialer(addrs map[string]string) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, err
		}
		to, ok := addrs[host]
		if !ok {
			return nil, fmt.Errorf("%s is not a host of the farm", host)
		}
		return (&net.Dialer{}).DialContext(ctx, network, to)
	}
}

func (l *bareLoop) add(urls []string) {
	l.mu.Lock()
	for _, u := range urls {
		if !l.seen[u] {
			l.seen[u] = true
			l.queue = append(l.queue, u)
		}
	}
	l.mu.Unlock()
	l.more.Broadcast()
}

// next returns a URL to fetch; "" when the crawl is done.
func (l *bareLoop) next() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) == 0 && l.busy > 0 {
		l.more.Wait()
	}
	if len(l.queue) == 0 || l.done.Pages+l.busy >= l.want {
		return ""
	}
	u := l.queue[0]
	l.queue = l.queue[1:]
	l.busy++
	return u
}

func (l *bareLoop) work(ctx context.Context) {
	for u := l.next(); u != ""; u = l.next() {
		links, err := l.fetch(ctx, u)
		l.add(links)
		l.mu.Lock()
		l.busy--
		if err == nil {
			l.done.Pages++
			l.done.Links += len(links)
		}
		l.mu.Unlock()
		l.more.Broadcast()
	}
}

// fetch requests a page and returns its distinct links without fragments.
func (l *bareLoop) fetch(ctx context.Context, raw string) ([]string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, raw, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", userAgent)
	answer, err := l.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		_, _ = io.Copy(io.Discard, answer.Body) // so that the connection can be reused
		return nil, fmt.Errorf("%s: status %d", raw, answer.StatusCode)
	}
	root, err := html.Parse(answer.Body)
	if err != nil {
		return nil, err
	}
	return extract(root, answer.Request.URL), nil
}

// extract returns the distinct addresses of a document's links, areas and frames.
func extract(root *html.Node, base *url.URL) (links []string) {
	seen := make(map[string]bool)
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		key := linkKeys[n.Data]
		for _, a := range n.Attr {
			if key == "" || a.Key != key {
				continue
			}
			u, err := base.Parse(strings.TrimSpace(a.Val))
			if err != nil || u.Scheme != "http" && u.Scheme != "https" {
				continue
			}
			u.Fragment, u.RawFragment = "", ""
			if s := u.String(); !seen[s] {
				seen[s] = true
				links = append(links, s)
			}
		}
	}
	return links
}

// linkKeys says which attribute of an element leads to a page.
var linkKeys = map[string]string{"a": "href", "area": "href", "frame": "src", "iframe": "src"}
