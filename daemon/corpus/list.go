package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"

	"nightjar/crawler/page"
	"nightjar/crawler/warc"
)

// Contents counts what a recording holds.
type Contents struct {
	File      string   `json:"file"`
	Records   int      `json:"records"`   // of any kind that can be read
	Responses int      `json:"responses"` // answers of web servers
	Pages     int      `json:"pages"`     // HTML pages answered with 200
	Redirects int      `json:"redirects"`
	Other     int      `json:"other"` // answers that are neither
	Hosts     int      `json:"hosts"`
	Bytes     int64    `json:"bytes"` // of all bodies
	Problems  []string `json:"problems"`
	Entries   []Entry  `json:"entries,omitempty"`
}

// Entry is one recorded answer.
type Entry struct {
	URL      string `json:"url"`
	Status   int    `json:"status"`
	Type     string `json:"type"` // media type
	Bytes    int    `json:"bytes"`
	Location string `json:"location,omitempty"` // of a redirect
}

// List reads a recording from end to end. What cannot be read becomes a problem; the error is of the file itself, or
// that not one record could be read.
func List(path string) (*Contents, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("list recording: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("list recording: %w", err)
	}
	c := &Contents{File: path, Problems: []string{}}
	hosts := make(map[string]bool)
	r := warc.NewReader(f, info.Size())
	for {
		rec, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("list recording %s: %w", path, err)
		}
		c.Records++
		if rec.Type() == "response" {
			c.response(rec, hosts)
		}
	}
	for _, p := range r.Problems() {
		c.Problems = append(c.Problems, p.String())
	}
	c.Hosts = len(hosts)
	if c.Records == 0 {
		return nil, fmt.Errorf("list recording %s: not a WARC file, or nothing of it can be read", path)
	}
	return c, nil
}

// response counts a recorded answer.
func (c *Contents) response(rec *warc.Record, hosts map[string]bool) {
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(rec.Block)), nil)
	if err != nil {
		c.Problems = append(c.Problems, fmt.Sprintf("at byte %d: %s: %v", rec.At.Offset, rec.Target(), err))
		return
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close() //nolint:errcheck // bytes in memory
	if err != nil {
		c.Problems = append(c.Problems, fmt.Sprintf("at byte %d: %s: the body is cut short", rec.At.Offset, rec.Target()))
	}
	kind, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if err != nil {
		kind = strings.ToLower(strings.TrimSpace(answer.Header.Get("Content-Type")))
	}
	e := Entry{URL: rec.Target(), Status: answer.StatusCode, Type: kind, Bytes: len(body), Location: answer.Header.Get("Location")}
	c.Entries = append(c.Entries, e)
	c.Responses++
	c.Bytes += int64(len(body))
	if url, err := page.Canonical(e.URL); err == nil {
		hosts[page.Host(url)] = true
	}
	switch {
	case e.Status == http.StatusOK && (kind == "text/html" || kind == "application/xhtml+xml"):
		c.Pages++
	case e.Status >= 300 && e.Status < 400 && e.Location != "":
		c.Redirects++
	default:
		c.Other++
	}
}
