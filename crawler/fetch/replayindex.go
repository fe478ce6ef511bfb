package fetch

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightjar/crawler/warc"
	"nightjar/crawler/weburl"
)

// PurposeField is the named field of an archive's answers that holds their Purpose. Other programs pass over it.
const PurposeField = "Nightjar-Purpose"

// place is where a record is.
type place struct {
	file int
	at   warc.Position
}

// entry says where the recording of a URL is.
type entry struct {
	place
	rank int
	body *place // of the record whose body this one has, nil for its own
}

// Report says what was found in the archives of a recording.
type Report struct {
	Records   int      // good records of any type
	Pages     int      // distinct URLs answered with an HTML page
	Redirects int      // distinct URLs answered with a redirect
	Other     int      // distinct URLs answered with anything else
	Revisits  int      // records that stand for another one
	Lacking   int      // of them without that one: their pages are not in the recording
	Unused    int      // records that are no answers, that were not asked for as pages, or whose URL is not http or https
	Problems  []string // what could not be read, each with its file and place
}

func (r Report) String() string {
	s := fmt.Sprintf("%d records, %d pages, %d redirects", r.Records, r.Pages, r.Redirects)
	if r.Lacking > 0 {
		s += fmt.Sprintf(", %d pages that were the same as one which is not here", r.Lacking)
	}
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

// indexing is a Replay in the making. Memory grows by about 300 bytes a record; bodies stay where they are.
type indexing struct {
	*Replay
	report Report
	seed   maphash.Seed
	byID   map[uint64]place // answers with a body, by the hash of their ID
	waits  []waiting
}

// waiting is a revisit record that came before what it stands for.
type waiting struct {
	entry
	url string
	own string // its ID
	id  string // of what it stands for, "" when only the URL is told
	of  string
}

// OpenReplay reads archives (.warc, .warc.gz), or folders of them, into an index. Damaged parts are left out and told in
// the report; the error is for files that cannot be read at all and recordings without a single page.
func OpenReplay(paths []string) (*Replay, Report, error) {
	x := &indexing{Replay: &Replay{entries: map[string]entry{}}, seed: maphash.MakeSeed(), byID: map[uint64]place{}}
	for _, path := range paths {
		files, err := Recordings(path)
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
	x.resolve()
	x.list()
	if x.report.Pages == 0 {
		x.Close()
		return nil, x.report, fmt.Errorf("open recording %s: no page in it (%s)", strings.Join(paths, ", "), x.report)
	}
	return x.Replay, x.report, nil
}

// Recordings are the archives of a folder in the order of their names, also those that are still written to; a file is
// itself. It is an error when a folder has none.
func Recordings(path string) ([]string, error) {
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

// OpenRecording opens a file that Recordings listed, even if it was finished and lost its suffix since.
func OpenRecording(path string) (*os.File, error) {
	file, err := os.Open(path)
	if done, ok := strings.CutSuffix(path, ".open"); ok && errors.Is(err, fs.ErrNotExist) {
		return os.Open(done)
	}
	return file, err
}

// list makes the list of pages. A URL is listed when it is first seen; what it is in the end, its best recording says.
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

// index adds the records of one archive.
func (x *indexing) index(path string) error {
	file, err := OpenRecording(path)
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

// add indexes a record; false when it is no answer to a request for a page of the web.
func (x *indexing) add(rec *warc.Record, at place) bool {
	url, err := weburl.Canonical(rec.Target())
	if err != nil {
		return false
	}
	a, err := rec.Answer()
	if err != nil {
		return false
	}
	revisit := rec.Type() == "revisit"
	if id := rec.ID(); id != "" && !revisit {
		x.byID[maphash.String(x.seed, id)] = at
	}
	switch Purpose(rec.Header.Get(PurposeField)) {
	case "", ForPage, ForRedirect:
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
		return true // it is as it was
	}
	id, of, _ := rec.RefersTo()
	if of, err = weburl.Canonical(of); err != nil {
		of = url
	}
	w := waiting{e, url, rec.ID(), id, of}
	if !x.settle(w) {
		x.waits = append(x.waits, w)
	}
	return true
}

// rankOf tells how much an answer is worth.
func rankOf(url string, a warc.Answer) int {
	switch {
	case a.Status == http.StatusOK && htmlAnswer(a):
		return rankPage
	case a.Status == http.StatusOK:
		return rankType
	case redirects(a.Status):
		if to, err := weburl.Resolve(url, a.Header.Get("Location")); err != nil || to == url {
			return rankLoop
		}
		return rankRedirect
	}
	return rankStatus
}

// put lists a recording of a URL.
func (x *indexing) put(url string, e entry) {
	before, seen := x.entries[url]
	if !seen {
		x.urls = append(x.urls, url)
	}
	if !seen || e.rank >= before.rank {
		x.entries[url] = e
	}
}

// settle lists a revisit when what it stands for is known: the record of that name, or without one the recording of that
// URL.
func (x *indexing) settle(w waiting) bool {
	if of, ok := x.byID[maphash.String(x.seed, w.id)]; ok && w.id != "" {
		w.body = &of
		if w.own != "" { // others may stand for this one
			x.byID[maphash.String(x.seed, w.own)] = of
		}
		x.put(w.url, w.entry)
		return true
	}
	of, ok := x.entries[w.of]
	if !ok || w.id != "" {
		return false
	}
	if of.body == nil {
		of.body = &of.place
	}
	if w.rank == rankStatus { // 304: the answer as a whole is as it was
		w.entry = of
	} else {
		w.body = of.body
	}
	x.put(w.url, w.entry)
	return true
}

// resolve settles the revisits that came before what they stand for.
func (x *indexing) resolve() {
	for _, w := range x.waits {
		if !x.settle(w) {
			x.report.Lacking++
		}
	}
}

func htmlAnswer(a warc.Answer) bool {
	contentType, unknown := contentTypeOf(a.Header)
	return isHTML(contentType) || unknown && notText(contentType, true, a.Body) == ""
}

// answer gets the answer of an entry from its archive, and when it was given.
func (r *Replay) answer(e entry) (warc.Answer, time.Time, error) {
	a, at, err := r.read(e.place)
	if err != nil || e.body == nil {
		return a, at, err
	}
	of, _, err := r.read(*e.body)
	a.Body = of.Body
	return a, at, err
}

func (r *Replay) read(p place) (warc.Answer, time.Time, error) {
	f := r.files[p.file]
	rec, err := warc.ReadAt(f.file, f.size, p.at)
	if err != nil {
		return warc.Answer{}, time.Time{}, err
	}
	at, _ := time.Parse(time.RFC3339, rec.Header.Get("Warc-Date")) // the zero time stands for none
	a, err := rec.Answer()
	return a, at, err
}
