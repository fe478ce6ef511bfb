package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"nightjar/crawler/page"
	"nightjar/crawler/warc"
)

// Replay is a recorded web: it answers from archives what a server answered once, redirects included. No socket is
// opened, and no page has to wait.
type Replay struct {
	files   []archive
	entries map[string]entry // by canonical URL
	pages   []string
}

type archive struct {
	file *os.File
	size int64
}

// entry says where the recording of a URL is.
type entry struct {
	file int
	at   warc.Position
	rank int
}

// Report says what was found in the archives of a recording.
type Report struct {
	Records   int      // good records of any type
	Pages     int      // distinct URLs answered with an HTML page
	Redirects int      // distinct URLs answered with a redirect
	Other     int      // distinct URLs answered with anything else
	Unused    int      // records that are no answers, or whose URL is not http or https
	Problems  []string // what could not be read, each with its file and place
}

func (r Report) String() string {
	s := fmt.Sprintf("%d records, %d pages, %d redirects", r.Records, r.Pages, r.Redirects)
	if len(r.Problems) > 0 {
		s += fmt.Sprintf(", %d parts could not be read (first: %s)", len(r.Problems), r.Problems[0])
	}
	return s
}

// Ranks of recordings of one URL: the highest counts, among equals the last. An address without its default port may be
// recorded as a redirect from the one with it; both are one canonical URL.
const (
	rankLoop = iota // redirects to itself
	rankStatus
	rankRedirect
	rankType // 200, not HTML
	rankPage
)

// OpenReplay reads archives (.warc, .warc.gz) into an index. Damaged parts are left out and told in the report; the
// error is for files that cannot be read at all and recordings without a single page.
func OpenReplay(paths []string) (*Replay, Report, error) {
	r := &Replay{entries: map[string]entry{}}
	var report Report
	for _, path := range paths {
		if err := r.index(path, &report); err != nil {
			r.Close()
			return nil, report, fmt.Errorf("open recording %s: %w", path, err)
		}
	}
	kept := r.pages[:0] // a URL is listed when it is first seen; what it is in the end, its best recording says
	for _, url := range r.pages {
		switch r.entries[url].rank {
		case rankPage:
			kept = append(kept, url)
		case rankRedirect:
			report.Redirects++
		default:
			report.Other++
		}
	}
	r.pages = kept
	report.Pages = len(kept)
	if report.Pages == 0 {
		r.Close()
		return nil, report, fmt.Errorf("open recording %s: no page in it (%s)", strings.Join(paths, ", "), report)
	}
	return r, report, nil
}

// Close closes the archives.
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

// index adds the records of one archive.
func (r *Replay) index(path string, report *Report) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("is a folder, not a WARC file")
	}
	if err != nil {
		file.Close()
		return err
	}
	r.files = append(r.files, archive{file, info.Size()})
	reader := warc.NewReader(file, info.Size())
	for {
		rec, err := reader.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		report.Records++
		if !r.add(rec, len(r.files)-1) {
			report.Unused++
		}
	}
	for _, p := range reader.Problems() {
		report.Problems = append(report.Problems, path+" "+p.String())
	}
	return nil
}

// add indexes a record; false when it is no answer for a URL of the web.
func (r *Replay) add(rec *warc.Record, file int) bool {
	url, err := page.Canonical(rec.Target())
	if err != nil {
		return false
	}
	a, err := rec.Answer()
	if err != nil {
		return false
	}
	e := entry{file: file, at: rec.At, rank: rankStatus}
	switch {
	case a.Status == http.StatusOK && htmlAnswer(a):
		e.rank = rankPage
	case a.Status == http.StatusOK:
		e.rank = rankType
	case redirects(a.Status):
		e.rank = rankRedirect
		if to, err := page.Resolve(url, a.Header.Get("Location")); err != nil || to == url {
			e.rank = rankLoop
		}
	}
	before, seen := r.entries[url]
	if !seen {
		r.pages = append(r.pages, url)
	}
	if !seen || e.rank >= before.rank {
		r.entries[url] = e
	}
	return true
}

func htmlAnswer(a warc.Answer) bool {
	if t := a.Header.Get("Content-Type"); t != "" {
		return isHTML(t)
	}
	return notText("", a.Body) == ""
}

// Fetch answers from the recording, following redirects inside it.
func (r *Replay) Fetch(ctx context.Context, url string) Response {
	res := Response{URL: url, FinalURL: url}
	for seen := map[string]bool{}; ; {
		if ctx.Err() != nil {
			res.fail(Canceled, "the crawl was stopped")
			return res
		}
		e, ok := r.entries[res.FinalURL]
		if !ok {
			res.fail(Missing, "not in the recording")
			return res
		}
		seen[res.FinalURL] = true
		a, err := r.read(e)
		if err != nil {
			res.fail(Network, "%v", err)
			return res
		}
		if !redirects(a.Status) || a.Header.Get("Location") == "" {
			res.take(a.Status, a.Header, bytes.NewReader(a.Body), "nightjar")
			return res
		}
		res.Status = a.Status
		res.Bytes += int64(len(a.Body))
		if !res.redirect(a.Header.Get("Location"), seen) {
			return res
		}
	}
}

// maxRedirects is how many redirects are followed for one page.
const maxRedirects = 5

// redirects reports whether a status sends the client elsewhere.
func redirects(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirect moves res.FinalURL on to where the answer sends us; false when it may not be followed, with the outcome set.
func (res *Response) redirect(location string, seen map[string]bool) bool {
	to, err := page.Resolve(res.FinalURL, location)
	switch {
	case err != nil:
		res.fail(Redirects, "redirected to %.80q: %v", location, err)
	case seen[to]:
		res.fail(Redirects, "redirects go round in a circle")
	case len(seen) > maxRedirects:
		res.fail(Redirects, "more than %d redirects", maxRedirects)
	case strings.HasPrefix(res.FinalURL, "https:") && strings.HasPrefix(to, "http:"):
		res.fail(Redirects, "redirected from https to http")
	default:
		if res.FinalURL != res.URL {
			res.Redirects = append(res.Redirects, res.FinalURL)
		}
		res.FinalURL = to
		return true
	}
	return false
}

// read gets the answer of an entry from its archive.
func (r *Replay) read(e entry) (warc.Answer, error) {
	a := r.files[e.file]
	rec, err := warc.ReadAt(a.file, a.size, e.at)
	if err != nil {
		return warc.Answer{}, err
	}
	return rec.Answer()
}
