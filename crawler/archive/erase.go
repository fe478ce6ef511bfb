package archive

import (
	"errors"
	"fmt"

	"nightjar/crawler/warc"
	"nightjar/crawler/weburl"
)

// Erased says what Erase deleted.
type Erased struct {
	Records int // requests and answers
	Files   int // that held them; they were rewritten, or deleted when nothing else was in them
}

// Erase deletes every record of the URLs that match, and the redirects to them. A record of another URL that refers to a
// deleted one for its body gets it. Parts of a file that cannot be read go as well, since nobody can tell what is in them.
// moved is told for each file that was rewritten where the answers that stay were and are now (bytes); it may be nil. What
// is written of these URLs meanwhile stays: whoever calls this stops the crawls first. When it fails, or the machine
// stops, it can be done again.
func (a *Archive) Erase(match func(url string) bool, moved func(file string, to map[int64]int64) error) (Erased, error) {
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
		r := &rewrite{a: a, files: night, moved: moved, gone: func(_ string, rec *warc.Record) bool { return concerns(rec, match) }}
		err := r.run()
		e.Records, e.Files = e.Records+r.records, e.Files+r.rewritten
		if err != nil {
			return e, fmt.Errorf("erase from archive: %w", err)
		}
	}
	return e, nil
}

// concerns reports whether a record is of a URL that matches, or a redirect to one.
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
