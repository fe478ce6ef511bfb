package models

import (
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"nightjar/daemon/lab/devtool"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// sample is what one training and its scoring need.
type sample struct {
	Set    model.TrainingSet
	Scored []document // pages fetched later; new to the model, unless there are too few
}

// document is a fetched page.
type document struct {
	URL    string
	HTML   []byte // UTF-8
	Target bool
}

// The files of a size. Training and scoring have separate files, since unneeded pages would cost memory and garbage
// collection.
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

// loadOf parses a document as a page load of a session; false when it cannot be read.
func loadOf(d document) (webgraph.Load, bool) {
	l, ok := devtool.Load(d.URL, d.HTML)
	l.Target = d.Target
	return l, ok
}

// text is a document's text, "" when it cannot be read.
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

// saveTexts writes a training's pages, with the states that the model gave them, for the baseline.
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
