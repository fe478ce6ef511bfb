package communities

import (
	"context"
	"errors"
	"fmt"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/panorama/document"
	"nightjar/daemon/panorama/maps"
)

// NewDocument reads a document, or several together, and makes one map. With Options.Hold it then waits for the person to look at the
// titles. The errors are *document.Problem for a document that cannot be read, ErrNoSource, and others; then there is no map. What has
// no titles gives a map that waits for them, with the problem. Behind the titles stand the addresses of references.
func (m *Maker) NewDocument(ctx context.Context, src Source, o maps.Options, more ...Source) (maps.Map, error) {
	if err := checkOptions(o); err != nil {
		return maps.Map{}, err
	}
	read, problem := m.readAll(ctx, append([]Source{src}, more...))
	if problem != nil && !errors.Is(problem, document.ErrNoTitles) {
		return maps.Map{}, problem
	}
	doc, titles, facts := read.together()
	d, err := maps.AddDocument(ctx, m.Store.DB, doc, titles, facts)
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
	topic, err := topics.ByID(ctx, m.Store.DB, topicID)
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
	topic, err := topics.ByID(ctx, m.Store.DB, crawl.TopicID)
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
