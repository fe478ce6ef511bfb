package corpus

import (
	"fmt"
	"maps"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/recording"
)

// Contents describes a recording.
type Contents struct {
	File      string   `json:"file"`
	Size      int64    `json:"size"`            // of the file in bytes
	Night     string   `json:"night,omitempty"` // name of the night that an archive file belongs to
	About     string   `json:"about,omitempty"` // description in the file
	Records   int      `json:"records"`         // of any type
	Responses int      `json:"responses"`       // responses of web servers
	Requests  int      `json:"requests"`
	Revisits  int      `json:"revisits"` // responses equal to an earlier one, stored without bodies
	Pages     int      `json:"pages"`    // HTML pages answered with 200
	Redirects int      `json:"redirects"`
	Other     int      `json:"other"` // other responses
	Hosts     int      `json:"hosts"`
	Cut       int      `json:"cut"`   // truncated responses
	Bytes     int64    `json:"bytes"` // of all bodies
	Problems  []string `json:"problems"`

	hosts map[string]bool
}

// Entry is a recorded response.
type Entry struct {
	URL      string `json:"url"`
	Status   int    `json:"status"`
	Type     string `json:"type"` // media type
	Bytes    int    `json:"bytes"`
	Location string `json:"location,omitempty"` // of a redirect
	Revisit  bool   `json:"revisit,omitempty"`  // the body is that of an earlier response
	Purpose  string `json:"purpose,omitempty"`  // of the request, unless it was for a page
}

// List reads a whole recording and calls each, which may be nil, with each response. Records that cannot be read become
// problems; it fails when the file or all of its records cannot be read.
func List(path string, each func(Entry)) (*Contents, error) {
	f, err := recording.OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("list recording: %w", err)
	}
	defer func() { _ = f.Close() }() // only read from
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("list recording: %w", err)
	}
	if each == nil {
		each = func(Entry) {}
	}
	c := &Contents{File: path, Size: info.Size(), Problems: []string{}, hosts: make(map[string]bool)}
	r := warc.NewReader(f, info.Size())
	for rec, err := range r.All() {
		if err != nil {
			return nil, fmt.Errorf("list recording %s: %w", path, err)
		}
		c.record(rec, each)
	}
	for _, p := range r.Problems() {
		c.Problems = append(c.Problems, p.String())
	}
	c.Hosts = len(c.hosts)
	if c.Records == 0 {
		return nil, fmt.Errorf("list recording %s: not a WARC file, or no readable records", path)
	}
	return c, nil
}

// record counts a record.
func (c *Contents) record(rec *warc.Record, each func(Entry)) {
	c.Records++
	switch rec.Type() {
	case "request":
		c.Requests++
	case "warcinfo":
		c.info(rec)
	case "revisit":
		c.Revisits++
		c.response(rec, each)
	case "response":
		c.Responses++
		c.response(rec, each)
	}
}

// info reads a file's description: lines "name: value".
func (c *Contents) info(rec *warc.Record) {
	for line := range strings.Lines(string(rec.Block)) {
		name, value, _ := strings.Cut(line, ":")
		switch value = strings.TrimSpace(value); strings.ToLower(strings.TrimSpace(name)) {
		case "ispartof":
			c.Night = value
		case "description":
			c.About = value
		}
	}
}

// response counts a response.
func (c *Contents) response(rec *warc.Record, each func(Entry)) {
	answer, err := rec.Answer()
	if err != nil {
		c.Problems = append(c.Problems, fmt.Sprintf("at byte %d: %s: %v", rec.At.Offset, rec.Target(), err))
		return
	}
	revisit := rec.Type() == "revisit"
	if rec.Header.Get("Warc-Truncated") != "" {
		c.Cut++
	} else if n, err := strconv.Atoi(answer.Header.Get("Content-Length")); err == nil && n > len(answer.Body) && !revisit {
		c.Problems = append(c.Problems, fmt.Sprintf("at byte %d: %s: the body is cut short", rec.At.Offset, rec.Target()))
	}
	kind, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if err != nil {
		kind = strings.ToLower(strings.TrimSpace(answer.Header.Get("Content-Type")))
	}
	e := Entry{URL: rec.Target(), Status: answer.Status, Type: kind, Bytes: len(answer.Body), Location: answer.Header.Get("Location"), Revisit: revisit}
	if p := fetch.Purpose(rec.Header.Get(fetch.PurposeField)); p != fetch.ForPage && p != fetch.ForRedirect {
		e.Purpose = string(p)
	}
	each(e)
	c.Bytes += int64(len(answer.Body))
	if url, err := weburl.Canonical(e.URL); err == nil {
		c.hosts[weburl.Host(url)] = true
	}
	switch {
	case e.Status == http.StatusOK && e.Purpose == "" && (kind == "text/html" || kind == "application/xhtml+xml"):
		c.Pages++
	case e.Status >= 300 && e.Status < 400 && e.Location != "":
		c.Redirects++
	default:
		c.Other++
	}
}

// Total sums up recordings.
func Total(all []*Contents) Contents {
	t := Contents{hosts: make(map[string]bool)}
	for _, c := range all {
		t.Size, t.Records, t.Responses, t.Requests = t.Size+c.Size, t.Records+c.Records, t.Responses+c.Responses, t.Requests+c.Requests
		t.Revisits, t.Pages, t.Redirects, t.Other = t.Revisits+c.Revisits, t.Pages+c.Pages, t.Redirects+c.Redirects, t.Other+c.Other
		t.Cut, t.Bytes, t.Problems = t.Cut+c.Cut, t.Bytes+c.Bytes, append(t.Problems, c.Problems...)
		maps.Copy(t.hosts, c.hosts)
	}
	t.Hosts = len(t.hosts)
	return t
}
