package archive

import (
	"errors"
	"fmt"

	"nightjar/crawler/unlink"
	"nightjar/crawler/warc"
	"nightjar/crawler/weburl"
)

// Erased counts what Erase deleted.
type Erased struct {
	Records int // requests and answers
	Changed int // that stay, without what named the site
	Files   int // rewritten without them, or deleted if nothing else was in them
}

// Erase deletes every record of the URLs that match, and the redirects to them. A revisit of a deleted record by another
// URL gets its body. Erase also deletes the parts of these files that cannot be read, because they may belong to such a
// record. After each rewritten file it calls moved, unless nil, with the old and new offsets of the remaining answers. Stop
// the crawls first: records written meanwhile stay. After an error or a crash, call Erase again.
func (a *Archive) Erase(match func(url string) bool, moved func(file string, to map[int64]int64) error) (Erased, error) {
	return a.erase(match, nil, moved)
}

func (a *Archive) erase(match func(url string) bool, site *unlink.Site, moved func(file string, to map[int64]int64) error) (Erased, error) {
	a.tidy.Lock()
	defer a.tidy.Unlock()
	var e Erased
	a.mu.Lock()
	a.forget()
	err := a.endFile()
	a.mu.Unlock()
	files, lerr := a.files()
	if err = errors.Join(err, lerr); err != nil {
		return e, fmt.Errorf("erase from archive: %w", err)
	}
	for len(files) > 0 {
		night := nightOf(files)
		files = files[len(night):]
		r := &rewrite{a: a, files: night, moved: moved, site: site, match: func(_ string, rec *warc.Record) bool { return concerns(rec, match) }}
		err := r.run()
		e.Records, e.Changed, e.Files = e.Records+r.records, e.Changed+r.changed, e.Files+r.rewritten
		if err != nil {
			return e, fmt.Errorf("erase from archive: %w", err)
		}
	}
	return e, nil
}

// concerns reports whether the URL of a record matches, or that of its redirect.
func concerns(rec *warc.Record, match func(url string) bool) bool {
	url := rec.Target()
	if url == "" {
		return false
	}
	if match(url) {
		return true
	}
	if !isAnswer(rec) {
		return false
	}
	answer, err := rec.Answer()
	if err != nil || answer.Header.Get("Location") == "" {
		return false
	}
	to, err := weburl.Resolve(url, answer.Header.Get("Location"))
	return err == nil && match(to)
}
