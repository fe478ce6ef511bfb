package main

import (
	"encoding/gob"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"nightjar/crawler/page"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// session is what one training and its scoring need.
type session struct {
	Set    model.TrainingSet
	Scored []document // pages fetched later, none of them known by their address
}

// document is a page as it is fetched.
type document struct {
	URL    string
	HTML   []byte // UTF-8
	Target bool
}

// sessionFile is where a size's session lies.
func sessionFile(dir string, size int) string {
	return filepath.Join(dir, fmt.Sprintf("session-%d.gob", size))
}

// save writes a session to a file.
func (s *session) save(name string) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // a second Close after the one that counts
	if err := gob.NewEncoder(f).Encode(s); err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	return f.Close()
}

// readSession reads a session from a file.
func readSession(name string) (*session, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read from
	s := new(session)
	if err := gob.NewDecoder(f).Decode(s); err != nil {
		return nil, fmt.Errorf("read session: %w", err)
	}
	return s, nil
}

// loadOf parses a document into a page load of a session; false when it cannot be read.
func loadOf(d document) (webgraph.Load, bool) {
	p, err := page.Parse(d.URL, page.ContentUTF8, d.HTML)
	if err != nil {
		return webgraph.Load{}, false
	}
	l := webgraph.Load{ID: d.URL, URL: d.URL, Site: page.Site(d.URL), Title: p.Title, Text: p.Text, Target: d.Target}
	for _, link := range p.Links {
		l.Links = append(l.Links, webgraph.Link{URL: link.URL, Anchor: link.Anchor})
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
	defer f.Close() //nolint:errcheck // a second Close after the one that counts
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
