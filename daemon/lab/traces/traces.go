// Package traces finds words in everything that a data folder holds, however it is stored.
//
// It is the judge of tests that erase: it knows nothing of how the store erases. It reads every file as it is, and then what is
// inside: rows and columns of databases, members of archives, compressed contents, and compressed bodies in recordings. A word
// counts in any letter case.
package traces

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/crawler/warc"
)

// Find returns the places at which a word is, as file, or file and table and column, each followed by the word; without
// doubles, sorted. The databases may be in use.
func Find(ctx context.Context, dir string, words ...string) ([]string, error) {
	f := finder{places: map[string]bool{}}
	for _, w := range words {
		f.words = append(f.words, []byte(strings.ToLower(w)))
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if err := f.look(name, data, 0); err != nil {
			return err
		}
		if bytes.HasPrefix(data, []byte("SQLite format 3\x00")) {
			return f.database(ctx, name, path)
		}
		return nil
	})
	var all []string
	for place := range f.places {
		all = append(all, place)
	}
	slices.Sort(all)
	return all, err
}

type finder struct {
	words  [][]byte
	places map[string]bool
}

// deepest is how many times what is inside of something is looked into.
const deepest = 4

// look searches data, and what is inside of it.
func (f finder) look(place string, data []byte, depth int) error {
	lower := bytes.ToLower(data)
	for _, w := range f.words {
		if bytes.Contains(lower, w) {
			f.places[place+" "+string(w)] = true
		}
	}
	switch {
	case depth == deepest:
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return f.zip(place, data, depth)
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil // it only looks like it
		}
		plain, _ := io.ReadAll(z) // what can be read of it
		if err := f.look(place, plain, depth+1); err != nil {
			return err
		}
		if bytes.HasPrefix(plain, []byte("WARC/")) {
			return f.recording(place, data, depth)
		}
	}
	return nil
}

func (f finder) zip(place string, data []byte, depth int) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	for _, member := range z.File {
		in, err := member.Open()
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		plain, err := io.ReadAll(in)
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		if err := f.look(place+"/"+member.Name, plain, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// recording looks into the bodies of recorded answers.
func (f finder) recording(place string, data []byte, depth int) error {
	for rec, err := range warc.NewReader(bytes.NewReader(data), int64(len(data))).All() {
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		if answer, err := rec.Answer(); err == nil {
			if err := f.look(place, answer.Body, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// database looks into each value of a database.
func (f finder) database(ctx context.Context, name, path string) error {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?mode=ro&_pragma=busy_timeout(10000)")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // only read from
	tables, err := db.QueryContext(ctx, `SELECT name FROM sqlite_schema WHERE type = 'table'`)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var all []string
	for tables.Next() {
		var table string
		if err := tables.Scan(&table); err != nil {
			return err
		}
		all = append(all, table)
	}
	if err := tables.Close(); err != nil {
		return err
	}
	for _, table := range all {
		if err := f.table(ctx, db, name, table); err != nil {
			return fmt.Errorf("%s, table %s: %w", name, table, err)
		}
	}
	return nil
}

func (f finder) table(ctx context.Context, db *sql.DB, name, table string) error {
	rows, err := db.QueryContext(ctx, `SELECT * FROM "`+table+`"`) // a name of the schema
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // its error is that of rows.Err
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		cells := make([]sql.RawBytes, len(columns))
		into := make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for i, cell := range cells {
			if err := f.look(name+" "+table+"."+columns[i], cell, 0); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}
