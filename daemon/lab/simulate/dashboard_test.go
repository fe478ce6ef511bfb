package simulate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// dashboard is a browser that is logged in to the dashboard of a life. Its errors are those of a daemon that died.
type dashboard struct {
	client *http.Client
	base   string // http://HOST:PORT
}

// login uses a one-time link, once in each life.
func (l *life) login() (*dashboard, error) {
	if l.board != nil {
		return l.board, nil
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return l.w.net.dial(ctx, network, daemonAddr)
	}}
	link := l.app.Web.LoginURL("")
	at, err := url.Parse(link)
	if err != nil {
		return nil, err
	}
	d := &dashboard{base: "http://" + at.Host, client: &http.Client{Jar: jar, Timeout: time.Minute, Transport: transport}}
	if _, err := d.get(at.RequestURI()); err != nil {
		return nil, err
	}
	l.board = d
	return d, nil
}

// get returns what is at a path.
func (d *dashboard) get(path string) ([]byte, error) {
	return d.send(http.MethodGet, path, nil)
}

// send sends a request, and returns what follows.
func (d *dashboard) send(method, path string, form url.Values) ([]byte, error) {
	q, err := http.NewRequest(method, d.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	if method == http.MethodPost {
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		q.Header.Set("Origin", d.base)
	}
	res, err := d.client.Do(q)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %d: %s", method, path, res.StatusCode, said(text))
	}
	return text, err
}

func (d *dashboard) page(path string) (*goquery.Document, error) {
	text, err := d.get(path)
	if err != nil {
		return nil, err
	}
	return goquery.NewDocumentFromReader(bytes.NewReader(text))
}

func (d *dashboard) post(path string, form url.Values) error {
	_, err := d.send(http.MethodPost, path, form)
	return err
}

// said is the text of a page, in one line.
func said(text []byte) string {
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(text))
	if err != nil {
		return ""
	}
	return strings.Join(strings.Fields(doc.Find("main").Text()), " ")
}
