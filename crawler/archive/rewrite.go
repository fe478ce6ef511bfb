package archive

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/crawler"
	"nightjar/crawler/durable"
	"nightjar/crawler/failpoint"
	"nightjar/crawler/unlink"
	"nightjar/crawler/warc"
)

// rewrite deletes records from the files of one night, and takes a site out of the others. The first revisit record of a deleted one gets its body, and
// becomes the original of the other revisits.
type rewrite struct {
	a     *Archive
	files []archiveFile // of one night, in order
	match func(file string, rec *warc.Record) bool
	moved func(file string, to map[int64]int64) error // may be nil
	site  *unlink.Site                                // to take out of records that stay, nil for none

	originals map[string]crawler.Place   // by ID: answers to delete, and their places
	promoted  map[string]*promotedRecord // by ID of the deleted original
	bodies    map[string]cleanedBody     // by ID: of answers whose body changes, the new one
	last      *warc.Record               // that was cleaned
	lastClean *cleanRecord
	records   int // deleted
	changed   int // without the site
	rewritten int // files
}

// promotedRecord is a revisit record that becomes an original.
type promotedRecord struct{ id, url, date string }

// run scans the files for records to delete and references to them, then rewrites the files, the last one first, so that
// every original exists at any time.
func (r *rewrite) run() error {
	r.originals, r.promoted, r.bodies = map[string]crawler.Place{}, map[string]*promotedRecord{}, map[string]cleanedBody{}
	touched := make([]bool, len(r.files))
	for i, f := range r.files {
		if f.open {
			continue // newer than any file that refers to these
		}
		var err error
		if touched[i], err = r.scan(f.name); err != nil {
			return err
		}
	}
	for i, f := range slices.Backward(r.files) {
		if !touched[i] {
			continue
		}
		if err := r.rewrite(f.name); err != nil {
			return err
		}
		r.rewritten++
	}
	return durable.SyncDir(r.a.o.Dir)
}

// scan collects the records of a file to delete or to change, and reports whether there are any.
func (r *rewrite) scan(name string) (touched bool, err error) {
	f, reader, err := r.read(name)
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }() // only read from
	for rec, err := range reader.All() {
		if err != nil {
			return false, err
		}
		switch {
		case r.deletes(name, rec):
			touched = true
			r.records++
			if isAnswer(rec) {
				r.originals[rec.ID()] = crawler.Place{File: name, Offset: rec.At.Offset}
			}
		case r.losesOriginal(rec):
			touched = true
			id, _, _ := rec.RefersTo()
			if r.promoted[id] == nil {
				r.promoted[id] = &promotedRecord{rec.ID(), rec.Target(), rec.Header.Get("Warc-Date")}
			}
		default:
			if c := r.cleaned(rec, nil); c.changed {
				touched = true
				r.changed++
				if c.digest != "" && rec.Type() == "response" {
					r.bodies[rec.ID()] = cleanedBody{changed: true, size: len(c.body), utf8: c.utf8, digest: c.digest}
				}
			}
		}
	}
	return touched || len(reader.Problems()) > 0, nil
}

func (r *rewrite) read(name string) (*os.File, *warc.Reader, error) {
	f, err := os.Open(filepath.Join(r.a.o.Dir, name))
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, warc.NewReader(f, info.Size()), nil
}

// deletes reports whether a record is to be deleted. A request is deleted with its answer.
func (r *rewrite) deletes(file string, rec *warc.Record) bool {
	if r.match(file, rec) || r.cleaned(rec, nil).hopeless {
		return true
	}
	_, with := r.originals[strings.TrimSpace(rec.Header.Get("Warc-Concurrent-To"))]
	return with
}

// losesOriginal reports whether a record refers to a deleted answer.
func (r *rewrite) losesOriginal(rec *warc.Record) bool {
	id, _, _ := rec.RefersTo()
	_, gone := r.originals[id]
	return gone
}

// rewrite replaces a file by one without the deleted records, or deletes it if none is left.
func (r *rewrite) rewrite(name string) error {
	path := filepath.Join(r.a.o.Dir, name)
	out, err := os.OpenFile(path+newSuffix, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	moved, kept, err := r.copy(name, out)
	if err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(err, os.Remove(path+newSuffix))
	}
	failpoint.Here("archive.rewrite.before-rename")
	if kept {
		err = os.Rename(path+newSuffix, path)
	} else {
		err = errors.Join(os.Remove(path+newSuffix), os.Remove(path))
	}
	failpoint.Here("archive.rewrite.renamed")
	if err == nil && r.moved != nil {
		err = r.moved(name, moved)
	}
	failpoint.Here("archive.rewrite.moved")
	return err
}

// copy writes the records of a file that stay. It returns the old and new offsets of the answers, and whether any record
// but the warcinfo stays.
func (r *rewrite) copy(name string, out io.Writer) (moved map[int64]int64, kept bool, err error) {
	f, reader, err := r.read(name)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = f.Close() }() // only read from
	moved = map[int64]int64{}
	at := int64(0)
	var b bytes.Buffer
	for rec, err := range reader.All() {
		if err != nil {
			return nil, false, err
		}
		if r.deletes(name, rec) {
			continue
		}
		b.Reset()
		switch {
		case r.losesOriginal(rec):
			err = r.promote(&b, rec)
		case r.cleaned(rec, nil).changed:
			err = r.cleaned(rec, nil).append(&b, rec, nil)
		case rec.Size > 0:
			_, err = io.Copy(&b, io.NewSectionReader(f, rec.At.Offset, rec.Size))
		default:
			err = warc.Append(&b, fields(rec, nil), rec.Block)
		}
		if err == nil && b.Len() > 0 {
			_, err = out.Write(b.Bytes())
		}
		if err != nil {
			return nil, false, err
		}
		if isAnswer(rec) && b.Len() > 0 {
			moved[rec.At.Offset] = at
		}
		kept = kept || b.Len() > 0 && rec.Type() != "warcinfo"
		at += int64(b.Len())
	}
	return moved, kept, nil
}

// promote writes a revisit record whose original is deleted: the first one as the new original, the others as revisits of
// it. It drops the record if the body cannot be read, because then the record is useless.
func (r *rewrite) promote(b *bytes.Buffer, rec *warc.Record) error {
	id, _, _ := rec.RefersTo()
	h := r.promoted[id]
	if rec.ID() != h.id {
		as := map[string]string{
			"Warc-Refers-To": h.id, "Warc-Refers-To-Target-Uri": h.url, "Warc-Refers-To-Date": h.date, placeField: "",
		}
		c := *r.cleaned(rec, nil)
		first, err := r.first(id)
		if err != nil {
			return err
		}
		if first != nil {
			if body := r.cleanBody(h.url, first.Header, first.Body); body.changed {
				c.setBody(body)
				c.body = nil
			}
		}
		return c.append(b, rec, as)
	}
	first, err := r.first(id)
	if err != nil || first == nil {
		return err
	}
	as := map[string]string{
		"Warc-Type": "response", "Warc-Profile": "", "Warc-Refers-To": "", "Warc-Refers-To-Target-Uri": "",
		"Warc-Refers-To-Date": "", placeField: "",
	}
	return r.cleaned(rec, first).append(b, rec, as)
}

// first reads the answer of a deleted original, nil if it cannot be read any more.
func (r *rewrite) first(id string) (*warc.Answer, error) {
	rec, err := r.a.find(r.originals[id], func(x *warc.Record) bool { return x.ID() == id }, false)
	if errors.Is(err, ErrGone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	answer, err := rec.Answer()
	if err != nil {
		return nil, nil
	}
	return &answer, nil
}

// fields returns the named fields of a record, its type first, with some changed. The value "" removes a field.
func fields(rec *warc.Record, changed map[string]string) []warc.Field {
	names := slices.Sorted(maps.Keys(rec.Header))
	names = slices.DeleteFunc(names, func(n string) bool { return n == "Warc-Type" || n == "Content-Length" })
	var all []warc.Field
	for _, name := range append([]string{"Warc-Type"}, names...) {
		values := rec.Header[name]
		if v, ok := changed[name]; ok {
			values = []string{v}
		}
		for _, v := range values {
			all = append(all, warc.Field{Name: spelling.Replace(name), Value: v})
		}
	}
	return all
}

// spelling restores the usual spelling of WARC 1.1 field names, which are case-insensitive.
var spelling = strings.NewReplacer("Warc-", "WARC-", "-Id", "-ID", "-Uri", "-URI", "-Ip-", "-IP-")
