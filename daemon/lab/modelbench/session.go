package main

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/session"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// sample is what one training and the scoring after it need.
type sample struct {
	Set    model.TrainingSet
	Scored []document // pages fetched later, as far as there are others none that the training knows
}

// document is a page as it is fetched.
type document struct {
	URL    string
	HTML   []byte // UTF-8
	Target bool
}

// The files of a size. What trains does not read what is scored, and the other way round: each would cost memory, and
// the collection of garbage time.
func setFile(dir string, size int) string { return filepath.Join(dir, fmt.Sprintf("set-%d.gob", size)) }
func scoredFile(dir string, size int) string {
	return filepath.Join(dir, fmt.Sprintf("scored-%d.gob", size))
}
func bundleFile(dir string, size int) string {
	return filepath.Join(dir, fmt.Sprintf("model-%d.bundle", size))
}

// save writes a session to its files.
func (s *sample) save(dir string, size int) error {
	return errors.Join(writeGob(setFile(dir, size), &s.Set), writeGob(scoredFile(dir, size), s.Scored))
}

// writeGob writes a value to a file.
func writeGob(name string, v any) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // for the early returns; the Close that counts is the last
	if err := gob.NewEncoder(f).Encode(v); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return f.Close()
}

// readGob reads what writeGob wrote.
func readGob[T any](name string) (v T, err error) {
	f, err := os.Open(name)
	if err != nil {
		return v, err
	}
	defer func() { _ = f.Close() }() // only read from
	if err := gob.NewDecoder(f).Decode(&v); err != nil {
		return v, fmt.Errorf("read %s: %w", name, err)
	}
	return v, nil
}

// loadOf parses a document into a page load of a session; false when it cannot be read.
func loadOf(d document) (webgraph.Load, bool) {
	p, err := page.Parse(d.URL, page.ContentUTF8, d.HTML)
	if err != nil {
		return webgraph.Load{}, false
	}
	l := webgraph.Load{ID: d.URL, URL: d.URL, Site: weburl.Site(d.URL), Title: p.Title, Text: p.Text, Target: d.Target}
	for _, link := range p.Links {
		l.Links = append(l.Links, session.LinkOf(link))
	}
	return l, true
}

// text is a document as a reader sees it, "" for one that cannot be read.
func (d document) text() string {
	l, _ := loadOf(d)
	return l.Text
}

// pageLine is a page as sklearn_baseline.py reads it.
type pageLine struct {
	Text       string `json:"text"`
	State      int    `json:"state"`
	Target     bool   `json:"target"`
	Background bool   `json:"background"`
}

// saveTexts writes a training's pages, with the states that the model gave them, as the baseline reads them.
func saveTexts(name string, set model.TrainingSet, b *model.Bundle) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // for the early returns; the Close that counts is the last
	out := json.NewEncoder(f)
	for i, p := range set.Pages {
		if err := out.Encode(pageLine{Text: p.Text, State: b.Pages[i].State, Target: p.Target}); err != nil {
			return err
		}
	}
	for _, text := range set.Background {
		if err := out.Encode(pageLine{Text: text, Background: true}); err != nil {
			return err
		}
	}
	return f.Close()
}
