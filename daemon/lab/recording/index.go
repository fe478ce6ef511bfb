package recording

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
	"nightjar/crawler/weburl"
)

// place is the position of a record.
type place struct {
	file int
	at   warc.Position
}

// entry is the best record of a URL.
type entry struct {
	place
	rank int
	body *place // of the record with the body, nil if it is this one
}

// Report says what the files of a recording contain.
type Report struct {
	Records          int      // readable records of any type
	Pages            int      // distinct URLs answered with an HTML page
	Redirects        int      // distinct URLs answered with a redirect
	Other            int      // distinct URLs answered with anything else
	Revisits         int      // revisit records, which refer to another one
	MissingOriginals int      // revisits of a record that is not there: their pages are not in the recording
	Unused           int      // records that are no answers, are not for pages, or whose URL is not http or https
	Problems         []string // what could not be read, each with its file and position
}

func (r Report) String() string {
	s := fmt.Sprintf("%d records, %d pages, %d redirects", r.Records, r.Pages, r.Redirects)
	if r.MissingOriginals > 0 {
		s += fmt.Sprintf(", %d pages missing because they repeat one that is not in the recording", r.MissingOriginals)
	}
	if len(r.Problems) > 0 {
		s += fmt.Sprintf(", %d parts could not be read (first: %s)", len(r.Problems), r.Problems[0])
	}
	return s
}

// Ranks of the records of one URL: the highest counts, among equals the last. A URL with its default port may redirect to
// the one without; both have the same canonical URL.
const (
	rankLoop = iota // redirects to itself
	rankStatus
	rankRedirect
	rankType // 200, not HTML
	rankPage
)

// indexing builds a Replay. It takes about 300 bytes of memory a record; bodies stay in the files.
type indexing struct {
	*Replay
	report  Report
	urls    []string // all URLs, in the order of the recording
	seed    maphash.Seed
	byID    map[uint64]place // records with a body, by the hash of their ID
	pending []pendingRevisit
}

// pendingRevisit is a revisit record that came before the record it refers to.
type pendingRevisit struct {
	entry
	url         string
	recordID    string
	refersToID  string // "" when the revisit names only a URL
	refersToURL string
}

// Open indexes WARC files (.warc, .warc.gz), or folders of them. It skips damaged parts and lists them in the
// report; it returns an error for a file that cannot be opened and for a recording without any page.
func Open(paths []string) (*Replay, Report, error) {
	x := &indexing{Replay: &Replay{entries: map[string]entry{}, lists: map[string]place{}}, seed: maphash.MakeSeed(), byID: map[uint64]place{}}
	for _, path := range paths {
		files, err := Files(path)
		for _, name := range files {
			if err == nil {
				err = x.index(name)
			}
		}
		if err != nil {
			x.Close()
			return nil, x.report, fmt.Errorf("open recording %s: %w", path, err)
		}
	}
	x.resolvePending()
	x.list()
	if x.report.Pages == 0 {
		x.Close()
		return nil, x.report, fmt.Errorf("open recording %s: it contains no page (%s)", strings.Join(paths, ", "), x.report)
	}
	return x.Replay, x.report, nil
}

// Files lists the WARC files of a folder by name, including those that are still being written; for a file it
// returns the file itself. A folder without any is an error.
func Files(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".open")
		if strings.HasSuffix(name, ".warc") || strings.HasSuffix(name, ".warc.gz") {
			files = append(files, filepath.Join(path, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, errors.New("the folder holds no recording, *.warc.gz or *.warc")
	}
	return files, nil
}

// OpenFile opens a file that Files listed, even if it was finished and renamed since.
func OpenFile(path string) (*os.File, error) {
	file, err := os.Open(path)
	if done, ok := strings.CutSuffix(path, ".open"); ok && errors.Is(err, fs.ErrNotExist) {
		return os.Open(done)
	}
	return file, err
}

// list counts the URLs and lists the pages, once the best record of each URL is known.
func (x *indexing) list() {
	for _, url := range x.urls {
		switch x.entries[url].rank {
		case rankPage:
			x.pages = append(x.pages, url)
		case rankRedirect:
			x.report.Redirects++
		default:
			x.report.Other++
		}
	}
	x.report.Pages = len(x.pages)
}

// index adds the records of one file.
func (x *indexing) index(path string) error {
	file, err := OpenFile(path)
	if err != nil {
		return err
	}
	x.files = append(x.files, recorded{file: file})
	info, err := file.Stat()
	if err != nil {
		return err
	}
	x.files[len(x.files)-1].size = info.Size()
	reader := warc.NewReader(file, info.Size())
	for rec, err := range reader.All() {
		if err != nil {
			return err
		}
		x.report.Records++
		if !x.add(rec, place{len(x.files) - 1, rec.At}) {
			x.report.Unused++
		}
	}
	for _, p := range reader.Problems() {
		x.report.Problems = append(x.report.Problems, path+" "+p.String())
	}
	return nil
}

// add indexes a record; it returns false for one that is no answer to a request for a page.
func (x *indexing) add(rec *warc.Record, at place) bool {
	url, err := weburl.Canonical(rec.Target())
	if err != nil {
		return false
	}
	url = weburl.Document(url) // other programs write the fragment, too
	a, err := rec.Answer()
	if err != nil {
		return false
	}
	revisit := rec.Type() == "revisit"
	if id := rec.ID(); id != "" && !revisit {
		x.byID[maphash.String(x.seed, id)] = at
	}
	switch fetch.Purpose(rec.Header.Get(fetch.PurposeField)) {
	case "", fetch.ForPage, fetch.ForRedirect:
	case fetch.ForRobots, fetch.ForSitemap, fetch.ForFeed:
		if a.Status == http.StatusOK && !revisit {
			x.lists[url] = at
		}
		return false
	default:
		return false
	}
	e := entry{place: at, rank: rankOf(url, a)}
	if !revisit {
		x.put(url, e)
		return true
	}
	x.report.Revisits++
	if _, seen := x.entries[url]; seen && a.Status == http.StatusNotModified {
		return true // not modified: the earlier entry holds
	}
	id, of, _ := rec.RefersTo()
	if of, err = weburl.Canonical(of); err != nil {
		of = url
	}
	w := pendingRevisit{e, url, rec.ID(), id, of}
	if !x.resolveRevisit(w) {
		x.pending = append(x.pending, w)
	}
	return true
}

// rankOf ranks an answer.
func rankOf(url string, a warc.Answer) int {
	switch {
	case a.Status == http.StatusOK && fetch.LooksHTML(a.Header, a.Body):
		return rankPage
	case a.Status == http.StatusOK:
		return rankType
	case fetch.IsRedirect(a.Status):
		if to, err := weburl.Resolve(url, a.Header.Get("Location")); err != nil || weburl.Document(to) == url {
			return rankLoop
		}
		return rankRedirect
	}
	return rankStatus
}

// put enters a record of a URL if it ranks as high as the one before.
func (x *indexing) put(url string, e entry) {
	before, seen := x.entries[url]
	if !seen {
		x.urls = append(x.urls, url)
	}
	if !seen || e.rank >= before.rank {
		x.entries[url] = e
	}
}

// resolveRevisit enters a revisit if the record that it refers to is known, by ID or else by URL.
func (x *indexing) resolveRevisit(w pendingRevisit) bool {
	if of, ok := x.byID[maphash.String(x.seed, w.refersToID)]; ok && w.refersToID != "" {
		w.body = &of
		if w.recordID != "" { // other revisits may refer to this one
			x.byID[maphash.String(x.seed, w.recordID)] = of
		}
		x.put(w.url, w.entry)
		return true
	}
	of, ok := x.entries[w.refersToURL]
	if !ok || w.refersToID != "" {
		return false
	}
	if of.body == nil {
		of.body = &of.place
	}
	if w.rank == rankStatus { // 304: header and status are those of the original, too
		w.entry = of
	} else {
		w.body = of.body
	}
	x.put(w.url, w.entry)
	return true
}

// resolvePending enters the revisits that came before the records they refer to.
func (x *indexing) resolvePending() {
	for _, w := range x.pending {
		if !x.resolveRevisit(w) {
			x.report.MissingOriginals++
		}
	}
}
