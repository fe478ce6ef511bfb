package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
)

// ErrGone says that the archive has no record at a place.
var ErrGone = errors.New("not in the archive")

// placeField is the field of a revisit record with the place of its original, FILE@OFFSET. It is a hint: the original's ID
// decides.
const placeField = "Nightjar-Refers-To-Place"

// Read returns the exchange at a place. A revisit record gets the body of its original; an exchange with status 304 has
// none. If the place is out of date, Read returns the exchange of url in the same file, unless url is "". The error wraps
// ErrGone if there is none.
func (a *Archive) Read(p crawler.Place, url string) (fetch.Exchange, error) {
	e, err := a.read(p, url)
	if err != nil {
		return fetch.Exchange{}, fmt.Errorf("read archive: %w", err)
	}
	return e, nil
}

func (a *Archive) read(p crawler.Place, url string) (fetch.Exchange, error) {
	night := nameOf.FindStringSubmatch(p.File)
	if night == nil {
		return fetch.Exchange{}, fmt.Errorf("file %.100q: %w", p.File, ErrGone)
	}
	is := func(rec *warc.Record) bool { return isAnswer(rec) && (url == "" || rec.Target() == url) }
	rec, err := a.find(p, is, url != "")
	if err != nil {
		return fetch.Exchange{}, err
	}
	answer, err := rec.Answer()
	if err != nil {
		return fetch.Exchange{}, err
	}
	e := exchange(rec, answer)
	// After an interrupted Erase, an original may itself be a revisit.
	for range maxChain {
		if rec.Header.Get("Warc-Profile") != warc.SamePayload {
			e.Body = answer.Body
			return e, nil
		}
		if rec, err = a.original(rec, night[1]); err != nil {
			return fetch.Exchange{}, err
		}
		if answer, err = rec.Answer(); err != nil {
			return fetch.Exchange{}, err
		}
	}
	return fetch.Exchange{}, fmt.Errorf("too many revisits of revisits: %w", ErrGone)
}

// maxChain is how many revisits of revisits are followed.
const maxChain = 5

func isAnswer(rec *warc.Record) bool { return rec.Type() == "response" || rec.Type() == "revisit" }

// find returns the record at a place. If that is not wanted and search is set, it returns the first in the file that is.
func (a *Archive) find(p crawler.Place, wanted func(*warc.Record) bool, search bool) (*warc.Record, error) {
	f, err := a.open(p.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("file %s: %w", p.File, ErrGone)
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if rec, err := warc.ReadAt(f, info.Size(), warc.Position{Offset: p.Offset}); err == nil && wanted(rec) {
		return rec, nil
	}
	if !search {
		return nil, fmt.Errorf("record at byte %d of %s: %w", p.Offset, p.File, ErrGone)
	}
	for rec, err := range warc.NewReader(f, info.Size()).All() {
		if err != nil {
			return nil, err
		}
		if wanted(rec) {
			return rec, nil
		}
	}
	return nil, fmt.Errorf("record at byte %d of %s: %w", p.Offset, p.File, ErrGone)
}

func (a *Archive) open(name string) (*os.File, error) {
	path := filepath.Join(a.o.Dir, name)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if f, err = os.Open(path + openSuffix); errors.Is(err, fs.ErrNotExist) {
			f, err = os.Open(path) // it was finished meanwhile
		}
	}
	return f, err
}

// original finds the record that a revisit refers to, in the files of its night.
func (a *Archive) original(rec *warc.Record, night string) (*warc.Record, error) {
	id, _, _ := rec.RefersTo()
	is := func(r *warc.Record) bool { return isAnswer(r) && r.ID() == id }
	if name, offset, ok := strings.Cut(rec.Header.Get(placeField), "@"); ok && nameOf.MatchString(name) {
		if at, err := strconv.ParseInt(offset, 10, 64); err == nil {
			if first, err := a.find(crawler.Place{File: name, Offset: at}, is, true); err == nil {
				return first, nil
			}
		}
	}
	files, err := a.files()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.night != night {
			continue
		}
		if first, err := a.find(crawler.Place{File: f.name}, is, true); err == nil {
			return first, nil
		}
	}
	return nil, fmt.Errorf("original %s of a revisit: %w", id, ErrGone)
}

// archiveFile is a file of the folder.
type archiveFile struct {
	name  string // without the suffix .open
	night string
	num   int
	size  int64
	open  bool
}

// files lists the folder, oldest first.
func (a *Archive) files() ([]archiveFile, error) {
	a.naming.Lock()
	defer a.naming.Unlock()
	entries, err := os.ReadDir(a.o.Dir)
	if err != nil {
		return nil, err
	}
	var all []archiveFile
	for _, e := range entries {
		name, open := strings.CutSuffix(e.Name(), openSuffix)
		parts := nameOf.FindStringSubmatch(name)
		if parts == nil {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted meanwhile
		}
		if err != nil {
			return nil, err
		}
		s := archiveFile{name: name, night: parts[1], size: info.Size(), open: open}
		s.num, _ = strconv.Atoi(parts[2])
		all = append(all, s)
	}
	slices.SortFunc(all, func(x, y archiveFile) int {
		if c := strings.Compare(x.night, y.night); c != 0 {
			return c
		}
		return x.num - y.num
	})
	return all, nil
}

// exchange makes an exchange from the record of an answer.
func exchange(rec *warc.Record, a warc.Answer) fetch.Exchange {
	e := fetch.Exchange{
		URL: rec.Target(), Purpose: fetch.Purpose(rec.Header.Get(fetch.PurposeField)), Addr: rec.Header.Get("Warc-Ip-Address"),
		Status: a.Status, Bytes: int64(len(a.Body)), Proto: a.Proto, Header: a.Header, Body: a.Body,
		Truncated: rec.Header.Get("Warc-Truncated") != "",
	}
	if rec.Header.Get("Warc-Protocol") == "h2" {
		e.Proto = "HTTP/2.0"
	}
	e.At, _ = time.Parse(time.RFC3339, rec.Header.Get("Warc-Date"))
	return e
}
