package kills

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

// dashboard is a browser that is logged in to the dashboard.
type dashboard struct {
	client *http.Client
	base   string // http://HOST:PORT
}

// login uses the one-time link.
func login(t *testing.T, l *life) *dashboard {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	var dialer net.Dialer
	d := &dashboard{client: &http.Client{Jar: jar, Timeout: patience, Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, l.addr)
		},
	}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	t.Cleanup(d.client.CloseIdleConnections)
	link, err := url.Parse(l.login)
	if err != nil {
		t.Fatal(err)
	}
	d.base = "http://" + link.Host
	res, err := d.client.Get(l.login)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("login: %s, %v", res.Status, err)
	}
	return d
}

// post sends a form, which must be accepted. The error is that of a daemon that was ended.
func (d *dashboard) post(t *testing.T, path string, form url.Values) error {
	t.Helper()
	text, status, err := d.send(t, path, form)
	if err == nil && status != http.StatusSeeOther && status != http.StatusOK {
		t.Fatalf("%s: %d\n%.500s", path, status, text)
	}
	return err
}

// send sends a form.
func (d *dashboard) send(t *testing.T, path string, form url.Values) (answer string, status int, err error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, d.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Origin", d.base)
	res, err := d.client.Do(req)
	if err != nil {
		return "", 0, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return string(text), res.StatusCode, err
}
