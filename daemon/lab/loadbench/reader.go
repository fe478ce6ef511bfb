package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// reader is a person who looks at the dashboard.
type reader struct {
	addr, host, cookie string
	client             *http.Client
	took               map[string][]time.Duration // by address
}

// login opens the one-time link of the daemon.
func login(ctx context.Context, addr, link string) (*reader, error) {
	u, err := url.Parse(link)
	if err != nil {
		return nil, err
	}
	r := &reader{addr: addr, host: u.Host, took: map[string][]time.Duration{},
		client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	res, err := r.do(ctx, http.MethodGet, u.RequestURI())
	if err != nil {
		return nil, err
	}
	for _, c := range res.Cookies() {
		r.cookie = c.Name + "=" + c.Value
	}
	if r.cookie == "" {
		return nil, fmt.Errorf("the login was refused with status %d", res.StatusCode)
	}
	return r, nil
}

// do sends a request and reads the whole answer.
func (r *reader) do(ctx context.Context, method, address string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+r.addr+address, nil)
	if err != nil {
		return nil, err
	}
	req.Host = r.host
	req.Header.Set("Cookie", r.cookie)
	if method == http.MethodPost {
		req.Header.Set("Origin", "http://"+r.host)
	}
	res, err := r.client.Do(req)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(io.Discard, res.Body)
	return res, errors.Join(err, res.Body.Close())
}

// crawl starts a crawl for the topic with an id, and returns the address of its page.
func (r *reader) crawl(ctx context.Context, topic int64) (string, error) {
	res, err := r.do(ctx, http.MethodPost, fmt.Sprintf("/topics/%d/run", topic))
	if err != nil {
		return "", err
	}
	to := res.Header.Get("Location")
	if res.StatusCode != http.StatusSeeOther || !strings.HasPrefix(to, "/crawls/") {
		return "", fmt.Errorf("the crawl was not started: status %d", res.StatusCode)
	}
	return to, nil
}

// read requests pages in turn, two a second, until ctx ends.
func (r *reader) read(ctx context.Context, pages func() []string) error {
	for i := 0; ctx.Err() == nil; i++ {
		all := pages()
		begin, address := time.Now(), all[i%len(all)]
		res, err := r.do(context.WithoutCancel(ctx), http.MethodGet, address)
		if err != nil {
			return err
		}
		if res.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: status %d", address, res.StatusCode)
		}
		kind := address
		if strings.HasPrefix(address, "/sessions/") {
			kind = "/sessions/{uuid}"
		}
		r.took[kind] = append(r.took[kind], time.Since(begin))
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
	return nil
}
