package communities

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
)

// NewDocument reads a document and makes its map. With Options.Hold it then waits for the person to look at the titles.
// The errors are *document.Problem for a document that cannot be read, ErrNoSource, and others; then there is no map. A
// document without titles gives a map that waits for them, with the problem. Behind the titles stand the addresses of references.
func (m *Maker) NewDocument(ctx context.Context, src Source, o maps.Options) (maps.Map, error) {
	if err := checkOptions(o); err != nil {
		return maps.Map{}, err
	}
	if src.Body == nil {
		var err error
		if src, err = m.download(ctx, src); err != nil {
			return maps.Map{}, err
		}
	}
	read, problem := document.Read(ctx, src.Body, document.Options{TitlePerLine: src.TitlePerLine, Base: src.URL})
	if problem != nil && !errors.Is(problem, document.ErrNoTitles) {
		return maps.Map{}, problem
	}
	var titles []string
	for _, r := range read.References {
		titles = append(titles, r.Title)
	}
	titles = append(titles, addressesOf(read)...)
	d, err := maps.AddDocument(ctx, m.Store.DB, maps.Document{Key: keyOf(src), Title: titleOf(read, src), Source: sourceOf(src)}, titles, factsOf(read, src))
	if err != nil {
		return maps.Map{}, err
	}
	one := maps.Map{
		Source: maps.FromDocument, Title: d.Title, Document: d.ID, Topic: d.Topic, Options: o,
		Step: maps.StepTitles, State: maps.Waiting,
	}
	if titles, _, err = maps.DocumentTitles(ctx, m.Store.DB, d.ID); err != nil { // as the person left them when it was read before
		return maps.Map{}, err
	}
	switch {
	case problem != nil && len(titles) == 0:
		one.Problem = problem.Error()
	case !o.Hold:
		one.Step, one.State = maps.StepPages, maps.Working
	}
	return m.add(ctx, one)
}

// NewTopic makes the map of a topic: its classifier is trained, and its start pages and useful pages are crawled around.
func (m *Maker) NewTopic(ctx context.Context, topicID int64, o maps.Options) (maps.Map, error) {
	if err := checkOptions(o); err != nil {
		return maps.Map{}, err
	}
	topic, err := m.Store.TopicByID(ctx, topicID)
	if err != nil {
		return maps.Map{}, err
	}
	return m.add(ctx, maps.Map{
		Source: maps.FromTopic, Title: topic.Name, Topic: topic.ID, Options: o, Step: maps.StepTraining, State: maps.Working,
	})
}

// NewCrawl makes the map of a crawl that has ended.
func (m *Maker) NewCrawl(ctx context.Context, crawlID int64, o maps.Options) (maps.Map, error) {
	if err := checkOptions(o); err != nil {
		return maps.Map{}, err
	}
	crawl, err := crawls.Get(ctx, m.Store.DB, crawlID)
	if err != nil {
		return maps.Map{}, err
	}
	if crawl.Status != crawls.Ended {
		return maps.Map{}, ErrNotEnded
	}
	topic, err := m.Store.TopicByID(ctx, crawl.TopicID)
	if err != nil {
		return maps.Map{}, err
	}
	return m.add(ctx, maps.Map{
		Source: maps.FromCrawl, Title: fmt.Sprintf("%s, crawl %d", topic.Name, crawl.ID), Topic: topic.ID, Crawl: crawl.ID,
		Options: o, Step: maps.StepDrawing, State: maps.Working,
	})
}

// Again makes a new map from the same source, with the same options, that says what is new and what is gone. A document's
// titles are looked for again, and the web around it is crawled again. With Options.Hold it waits at the titles first.
func (m *Maker) Again(ctx context.Context, id int64) (maps.Map, error) {
	before, err := maps.ByID(ctx, m.Store.DB, id)
	if err != nil {
		return maps.Map{}, err
	}
	if before.State == maps.Working {
		return maps.Map{}, ErrWorking
	}
	next := maps.Map{
		Source: before.Source, Title: before.Title, Document: before.Document, Topic: before.Topic, Earlier: id,
		Options: before.Options, State: maps.Working,
	}
	switch before.Source {
	case maps.FromCrawl:
		next.Step, next.Crawl = maps.StepDrawing, before.Crawl
	case maps.FromTopic:
		next.Step = maps.StepTraining
	default:
		next.Step = maps.StepPages
		if before.Options.Hold {
			next.Step, next.State = maps.StepTitles, maps.Waiting
		}
	}
	return m.add(ctx, next)
}

// add stores a map and does its first step.
func (m *Maker) add(ctx context.Context, one maps.Map) (maps.Map, error) {
	one, err := maps.Add(ctx, m.Store.DB, one)
	if err != nil {
		return maps.Map{}, err
	}
	m.loop.Wake()
	m.tell(one.ID)
	return one, nil
}

// addressesOf lists the addresses of references, those of DOIs included, each once. Longer ones than a title may be are left out.
func addressesOf(read *document.Document) (all []string) {
	for _, r := range read.References {
		doi := ""
		if r.DOI != "" {
			doi = "https://doi.org/" + r.DOI
		}
		for _, address := range []string{r.URL, doi} {
			if url, ok := trainingset.Address(address); ok && len(url) <= document.MaxTitle && !slices.Contains(all, url) {
				all = append(all, url)
			}
		}
	}
	return all
}

// keyOf is the same for the same document. The same bytes as titles, one a line, are another one.
func keyOf(src Source) string {
	hash := sha256.Sum256(src.Body)
	key := hex.EncodeToString(hash[:])
	if src.TitlePerLine {
		return "titles:" + key
	}
	return key
}

// titleOf is the title of a document or, when it has none, the first of its titles when a person wrote one a line, else the
// name of its file.
func titleOf(read *document.Document, src Source) string {
	switch {
	case read.Title != "":
		return read.Title
	case src.TitlePerLine && len(read.References) > 0:
		return read.References[0].Title
	case src.Name != "":
		base := filepath.Base(strings.ReplaceAll(src.Name, `\`, "/"))
		return document.Clean(strings.TrimSuffix(base, filepath.Ext(base)))
	}
	return document.Clean(src.URL)
}

// sourceOf says where a document comes from.
func sourceOf(src Source) string {
	if src.URL != "" {
		return src.URL
	}
	return document.Clean(filepath.Base(strings.ReplaceAll(src.Name, `\`, "/")))
}

func factsOf(read *document.Document, src Source) maps.ReadDocument {
	facts := maps.ReadDocument{
		Kind: string(read.Kind), Authors: read.Authors, URLs: read.URLs, DOIs: read.DOIs, Language: read.Language,
	}
	if read.Title == "" {
		facts.Named = titleOf(read, src)
	}
	for _, w := range read.Warnings {
		facts.Warnings = append(facts.Warnings, maps.DocumentWarning{What: w.What, Next: w.Next, Line: w.Line})
	}
	return facts
}
