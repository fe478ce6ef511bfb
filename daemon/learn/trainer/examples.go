package trainer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"nightjar/crawler/page"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/webgraph"
)

// Limits of what is learned from a document.
const (
	maxInLinks    = 10   // pages that link to one positive page, as in [PANORAMA] §3.4
	maxAllInLinks = 1000 // pages that link to any of them
	maxProposed   = 10   // positive pages that are proposed as start pages
)

// examplePage is a page with stored content that no session of the topic needs to have visited.
type examplePage struct {
	url, title, text string
	declared         string // language
	links            []webgraph.Link
}

// collect makes the training set of a topic: its sessions and marked finds, the positive pages of its documents with known
// pages that link to them, and, if it has such pages, negative ones. Those lead nowhere, but a model needs pages to tell the
// useful ones from. It also draws the negative pages of the classifier.
func (t *Trainer) collect(ctx context.Context, topic topics.Topic, in *input, seed uint64) (err error) {
	if in.examples, err = trainingdata.ExamplesOf(ctx, t.Store.DB, topic.ID); err != nil {
		return err
	}
	in.known.Positives = in.examples.Digest()
	if in.loads, err = t.exampleLoads(ctx, in); err != nil {
		return err
	}
	in.build(topic.Name)
	if err := t.drawNegatives(ctx, topic.ID, in, seed); err != nil || len(in.examples.Pages) == 0 {
		return err
	}
	for _, p := range in.negatives {
		in.loads = append(in.loads, p.load("negative", false))
	}
	in.build(topic.Name)
	return nil
}

// build makes the training set, without background pages.
func (in *input) build(topic string) {
	in.set = setWith(topic, in.recs, in.marked, in.loads, in.examples.At)
}

// exampleLoads returns the positive pages of the topic's documents as targets, and known pages that link to them. It adds the
// best of the positive pages to the start pages to propose.
func (t *Trainer) exampleLoads(ctx context.Context, in *input) (loads []webgraph.Load, err error) {
	positive := map[string]bool{}
	for _, e := range in.examples.Pages {
		positive[e.Final] = true
		p, err := t.stored(ctx, e.Final, e.Hash)
		if err != nil {
			return nil, err
		}
		if p == nil {
			continue
		}
		if len(loads) < maxProposed {
			in.entries = append(in.entries, e.Final)
		}
		load := p.load("positive", true)
		if e.URL != e.Final {
			load.Aliases = []string{e.URL}
		}
		loads = append(loads, load)
	}
	ups, err := t.inLinks(ctx, in.examples.Pages, positive)
	if err != nil {
		return nil, err
	}
	for _, url := range ups {
		html, err := t.Store.PageContent(ctx, url)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if p := parsePage(url, html); p != nil {
			loads = append(loads, p.load("in-link", false))
		}
	}
	return loads, nil
}

// inLinks lists known pages that link to positive pages and are none: the first of each page, then the second of each, and
// so on.
func (t *Trainer) inLinks(ctx context.Context, pages []trainingdata.PositivePage, positive map[string]bool) (all []string, err error) {
	lists := make([][]string, len(pages))
	to := t.linkersOf()
	for i, p := range pages {
		if lists[i], err = to(ctx, p, maxInLinks); err != nil {
			return nil, err
		}
	}
	known := map[string]bool{}
	for n := range maxInLinks {
		for _, list := range lists {
			if n < len(list) && !positive[list[n]] && !known[list[n]] && len(all) < maxAllInLinks {
				known[list[n]] = true
				all = append(all, list[n])
			}
		}
	}
	return all, nil
}

// Linkers lists at most n known pages that link to a positive page.
type Linkers func(ctx context.Context, p trainingdata.PositivePage, n int) ([]string, error)

// linkersOf returns what one training asks.
func (t *Trainer) linkersOf() Linkers {
	if t.Linkers != nil {
		return t.Linkers()
	}
	return func(ctx context.Context, p trainingdata.PositivePage, n int) ([]string, error) {
		return t.Store.LinksTo(ctx, p.Final, n)
	}
}

// drawNegatives draws pages that are about something else than the topic's targets, or notes why there are too few. Pages that
// link to positive ones are not among them.
func (t *Trainer) drawNegatives(ctx context.Context, topicID int64, in *input, seed uint64) error {
	var document int64
	if len(in.examples.Documents) > 0 {
		document = in.examples.Documents[0]
	}
	drawn, err := trainingdata.DrawNegatives(ctx, t.Store, document, topicID, targets(in.set), seed)
	if errors.Is(err, trainingdata.ErrFewPositives) || errors.Is(err, trainingdata.ErrFewNegatives) {
		in.noBayes = err.Error()
		return nil
	}
	if err != nil {
		return err
	}
	own := map[string]bool{}
	for _, p := range in.set.Pages {
		own[p.URL] = true
	}
	for _, e := range drawn {
		if own[e.URL] {
			continue
		}
		p, err := t.stored(ctx, e.URL, e.Hash)
		if err != nil {
			return err
		}
		if p != nil && strings.TrimSpace(p.text) != "" {
			in.negatives = append(in.negatives, *p)
		}
	}
	if len(in.negatives) < trainingdata.MinNegatives {
		in.noBayes = fmt.Sprintf("%d with text found: %v", len(in.negatives), trainingdata.ErrFewNegatives)
	}
	return nil
}

// targets lists the addresses of a training set's targets with text, in order.
func targets(set model.TrainingSet) (urls []string) {
	for _, p := range set.Pages {
		if p.Target && strings.TrimSpace(p.Text) != "" {
			urls = append(urls, p.URL)
		}
	}
	return urls
}

// stored reads a page by the hash of its content; nil when it was erased meanwhile or cannot be read.
func (t *Trainer) stored(ctx context.Context, url string, hash []byte) (*examplePage, error) {
	html, err := t.Store.Content(ctx, hash)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parsePage(url, html), nil
}

// parsePage reads a page; nil when it cannot be read, or holds a field for a password.
func parsePage(url string, html []byte) *examplePage {
	p, err := page.Parse(url, page.ContentUTF8, html)
	if err != nil || p.PasswordField {
		return nil
	}
	one := &examplePage{url: url, title: p.Title, text: p.Text, declared: p.Language}
	for _, l := range p.Links {
		one.links = append(one.links, session.LinkOf(l))
	}
	return one
}

// load returns the page as a page load. A negative page leads nowhere.
func (p *examplePage) load(kind string, target bool) webgraph.Load {
	l := webgraph.Load{ID: kind + " " + p.url, URL: p.url, Site: weburl.Site(p.url), Title: p.title, Text: p.text, Declared: p.declared, Target: target}
	if kind != "negative" {
		l.Links = p.links
	}
	return l
}

// noteSources notes where the pages came from that no session of the topic visited, so that the model goes when they are
// erased.
func (t *Trainer) noteSources(ctx context.Context, in *input) error {
	var urls []string
	for _, p := range in.negatives {
		urls = append(urls, p.url)
		in.background.hosts = append(in.background.hosts, weburl.Host(p.url))
	}
	if len(in.examples.Pages) > 0 {
		for _, p := range in.set.Pages {
			urls = append(urls, p.URL)
		}
	}
	visited, err := trainingdata.SessionsThatVisited(ctx, t.Store.DB, urls)
	if err != nil {
		return err
	}
	for _, uuid := range visited {
		if !slices.Contains(in.sessions, uuid) {
			in.background.sessions = append(in.background.sessions, uuid)
		}
	}
	in.background.hosts, in.background.sessions = sortedSet(in.background.hosts), sortedSet(in.background.sessions)
	return nil
}

// lacking says why a topic without sessions cannot be trained in the words of documents: nobody browsed for it.
func (in *input) lacking(err error) error {
	if !Untrainable(err) || len(in.recs) > 0 || in.noBayes == "" {
		return err
	}
	return lacks{in.noBayes, err}
}

// lacks is an error of the data in other words.
type lacks struct {
	words string
	error
}

func (l lacks) Error() string { return l.words }
func (l lacks) Unwrap() error { return l.error }
