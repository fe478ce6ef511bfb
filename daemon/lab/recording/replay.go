// Package recording answers requests for pages from WARC files, for crawls that can be repeated.
package recording

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
	"nightjar/crawler/weburl"
)

// Replay is a recording: a fetch.Fetcher that answers from WARC files as the servers did, redirects included. It opens no
// socket, and no page has to wait.
type Replay struct {
	files   []recorded
	entries map[string]entry // by canonical URL
	pages   []string         // those with an HTML page
	lists   map[string]place // robots.txt, sitemaps and feeds of crawls, by canonical URL
}

// recorded is an open file of the recording.
type recorded struct {
	file *os.File
	size int64
}

// Close closes the files.
func (r *Replay) Close() error {
	var err error
	for _, a := range r.files {
		err = errors.Join(err, a.file.Close())
	}
	return err
}

// Pages lists the canonical URLs of the recorded HTML pages in the order of the recording.
func (r *Replay) Pages() []string { return r.pages }

// ReadyAt is the zero time: a recording is always ready.
func (r *Replay) ReadyAt(string) time.Time { return time.Time{} }

// Fetch answers from the recording, following redirects inside it.
func (r *Replay) Fetch(ctx context.Context, url string) fetch.Response {
	res := fetch.Response{URL: weburl.Document(url), FinalURL: weburl.Document(url)}
	for seen := map[string]bool{}; ; {
		if ctx.Err() != nil {
			res.Outcome, res.Reason = fetch.Canceled, "the crawl was stopped"
			return res
		}
		e, ok := r.entries[res.FinalURL]
		if !ok {
			res.Outcome, res.Reason = fetch.Missing, "not in the recording"
			return res
		}
		seen[res.FinalURL] = true
		a, err := r.answer(e)
		if err != nil {
			res.Outcome, res.Reason = fetch.Network, err.Error()
			return res
		}
		location := a.Header.Get("Location")
		if !fetch.IsRedirect(a.Status) || location == "" {
			return end(res, a)
		}
		res.Status = a.Status
		res.Bytes += int64(len(a.Body))
		if !res.Redirect(location, seen) {
			return res
		}
	}
}

// end is the answer at the end of redirects.
func end(way fetch.Response, a warc.Answer) fetch.Response {
	res := fetch.Exchange{URL: way.FinalURL, Status: a.Status, Header: a.Header, Body: a.Body}.Response()
	res.URL, res.Redirects = way.URL, way.Redirects
	res.Bytes += way.Bytes
	return res
}

// answer reads the answer of an entry.
func (r *Replay) answer(e entry) (warc.Answer, error) {
	a, err := r.read(e.place)
	if err == nil && e.body != nil {
		var of warc.Answer
		of, err = r.read(*e.body)
		a.Body = of.Body
	}
	if err == nil && decodedAlready(a.Header, a.Body) {
		a.Header.Del("Content-Encoding")
	}
	return a, err
}

func (r *Replay) read(p place) (warc.Answer, error) {
	f := r.files[p.file]
	rec, err := warc.ReadAt(f.file, f.size, p.at)
	if err != nil {
		return warc.Answer{}, err
	}
	return rec.Answer()
}

// decodedAlready reports whether a recorded body is text although its header names a content encoding: Common Crawl and some
// recorders decode bodies and keep the header.
func decodedAlready(header http.Header, body []byte) bool {
	if header.Get("Content-Encoding") == "" {
		return false
	}
	if bytes.ContainsFunc(body[:min(len(body), 512)], control) { // compressed bytes hold some, unless there are few
		return false
	}
	_, err := fetch.Decoded(header, body)
	return err != nil
}

// control reports whether text does not contain a character.
func control(r rune) bool { return r < '\t' || '\r' < r && r < ' ' && r != 0x1b }
