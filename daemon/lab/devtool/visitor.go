package devtool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Visitor is a browser that is logged in to the dashboard.
type Visitor struct {
	addr, host, cookie string
	client             *http.Client
}

// Login opens the one-time link of a daemon at ADDR:PORT.
func Login(ctx context.Context, addr, link string) (*Visitor, error) {
	u, err := url.Parse(link)
	if err != nil {
		return nil, err
	}
	v := &Visitor{addr: addr, host: u.Host,
		client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	res, _, err := v.Do(ctx, http.MethodGet, u.RequestURI())
	if err != nil {
		return nil, err
	}
	for _, c := range res.Cookies() {
		v.cookie = c.Name + "=" + c.Value
	}
	if v.cookie == "" {
		return nil, fmt.Errorf("the login was refused with status %d", res.StatusCode)
	}
	return v, nil
}

// Do sends a request and reads the whole answer, without following a redirect. It returns the bytes of the answer's body,
// uncompressed.
func (v *Visitor) Do(ctx context.Context, method, address string) (*http.Response, int, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+v.addr+address, nil)
	if err != nil {
		return nil, 0, err
	}
	req.Host = v.host
	req.Header.Set("Cookie", v.cookie)
	req.Header.Set("Accept-Encoding", "identity")
	if method == http.MethodPost {
		req.Header.Set("Origin", "http://"+v.host)
	}
	res, err := v.client.Do(req)
	if err != nil {
		return nil, 0, err
	}
	n, err := io.Copy(io.Discard, res.Body)
	return res, int(n), errors.Join(err, res.Body.Close())
}
