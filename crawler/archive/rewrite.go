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
	"nightjar/crawler/warc"
)

// rewrite takes records out of the files of one night. Of the revisit records that referred to one of them, the first gets
// its body and becomes the original of the others.
type rewrite struct {
	a     *Archive
	files []stored // of one night, in order
	gone  func(file string, rec *warc.Record) bool
	moved func(file string, to map[int64]int64) error // may be nil

	originals map[string]crawler.Place // by ID: answers that go, and where they are
	heirs     map[string]*heir         // by ID of what they come after
	records   int                      // that went
	rewritten int                      // files
}

// heir is the revisit record that becomes an original.
type heir struct{ id, url, date string }

// run goes through the files twice: first to see what goes and what refers to it, then to rewrite, the last file first,
// so that at any moment each original is still there that a file refers to.
func (r *rewrite) run() error {
	r.originals, r.heirs = map[string]crawler.Place{}, map[string]*heir{}
	touched := make([]bool, len(r.files))
	for i, f := range r.files {
		if f.open {
			continue // begun after what refers to these files was ended
		}
		var err error
		if touched[i], err = r.look(f.name); err != nil {
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
	return syncDir(r.a.o.Dir)
}

// look notes what of a file goes and what must be changed, and reports whether there is any.
func (r *rewrite) look(name string) (touched bool, err error) {
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
		case r.goes(name, rec):
			touched = true
			r.records++
			if isAnswer(rec) {
				r.originals[rec.ID()] = crawler.Place{File: name, Offset: rec.At.Offset}
			}
		case r.orphan(rec):
			touched = true
			id, _, _ := rec.RefersTo()
			if r.heirs[id] == nil {
				r.heirs[id] = &heir{rec.ID(), rec.Target(), rec.Header.Get("Warc-Date")}
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

// goes reports whether a record is to be deleted. A request goes with its answer.
func (r *rewrite) goes(file string, rec *warc.Record) bool {
	if r.gone(file, rec) {
		return true
	}
	_, with := r.originals[strings.TrimSpace(rec.Header.Get("Warc-Concurrent-To"))]
	return with
}

// orphan reports whether a record refers to an answer that goes.
func (r *rewrite) orphan(rec *warc.Record) bool {
	id, _, _ := rec.RefersTo()
	_, gone := r.originals[id]
	return gone
}

// rewrite replaces a file by one without what goes; when nothing stays, it deletes it.
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
	if kept {
		err = os.Rename(path+newSuffix, path)
	} else {
		err = errors.Join(os.Remove(path+newSuffix), os.Remove(path))
	}
	if err == nil && r.moved != nil {
		err = r.moved(name, moved)
	}
	return err
}

// copy writes what stays of a file. It returns where the answers among it came to, and whether there is anything but
// what the file told of itself.
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
		if r.goes(name, rec) {
			continue
		}
		b.Reset()
		switch {
		case r.orphan(rec):
			err = r.adopt(&b, rec)
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

// adopt writes a revisit record whose original goes: as an original, when it is the first of those, else as a revisit of
// that one. Nothing is written when the body cannot be read: nobody could read the record either.
func (r *rewrite) adopt(b *bytes.Buffer, rec *warc.Record) error {
	id, _, _ := rec.RefersTo()
	h := r.heirs[id]
	if rec.ID() != h.id {
		return warc.Append(b, fields(rec, map[string]string{
			"Warc-Refers-To": h.id, "Warc-Refers-To-Target-Uri": h.url, "Warc-Refers-To-Date": h.date, placeField: "",
		}), rec.Block)
	}
	p := r.originals[id]
	first, err := r.a.find(p, func(x *warc.Record) bool { return x.ID() == id }, false)
	if errors.Is(err, ErrGone) {
		return nil
	}
	if err != nil {
		return err
	}
	answer, err := first.Answer()
	if err != nil {
		return nil
	}
	return warc.Append(b, fields(rec, map[string]string{
		"Warc-Type": "response", "Warc-Profile": "", "Warc-Refers-To": "", "Warc-Refers-To-Target-Uri": "",
		"Warc-Refers-To-Date": "", placeField: "",
	}), rec.Block, answer.Body)
}

// fields are the named fields of a record, its type first, some of them changed. "" leaves one out.
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

// spelling undoes what reading a header does to the names of WARC 1.1. They mean the same in any case.
var spelling = strings.NewReplacer("Warc-", "WARC-", "-Id", "-ID", "-Uri", "-URI", "-Ip-", "-IP-")
