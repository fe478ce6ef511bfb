package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/frontier"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/arms"
)

// Limits of a preview. A start page has at most page.MaxLinks links, so memory is bounded by the queue and by one page.
const (
	previewStarts = 50     // start pages that are read; the others count as unread
	previewQueue  = 20_000 // links that wait
	previewLinks  = 100    // most links that are listed
	previewSeen   = 500    // visited pages that are read
	previewTime   = 15 * time.Second
)

// Preview says what a new crawl would do first.
type Preview struct {
	Strategy string
	Links    []PreviewLink // best first, at most n
	Unread   []string      // ticked start pages whose text is not known yet: they are fetched first
	GoesOn   bool          // the crawl continues with links left by earlier nights
	Waiting  int           // their number
	Visited  bool          // links on pages that the person visited are among them
}

// PreviewLink is a link that a crawl would follow.
type PreviewLink struct {
	URL, Anchor string
	From        string            // URL of the start page that holds it
	Why         []strategy.Reason // what set it apart from the links that waited then; see crawler.Choice.Why
}

// Previewed is the crawl that a preview is of.
type Previewed struct {
	Topic  int64
	Model  *model.Bundle // nil means the topic's latest; the crawl then goes on with the links that earlier nights left, if any
	Starts []string      // nil means the ticked start pages
	As     *Site         // as if this site were refused or allowed; nil means the sites as they are
}

// Site is a site that the person refuses, or allows again.
type Site struct {
	Name    string
	Refused bool
}

// Preview says which at most n links a crawl would follow first, without a request: those that earlier nights left, or those on the
// start pages as they are stored (fetched or visited earlier), by the strategy of the topic's next crawl. It returns ErrNoModel,
// ErrNoStart or an error of the store, and an error when it takes longer than 15 seconds.
//
// It runs the crawl itself on the stored pages. So pages that the person knows, traps and addresses that are never followed
// are treated as in the crawl. What only a request can tell is not known: robots.txt, redirects, and what the pages behind
// the links hold. A page stored as the person saw it may hold links that the public page lacks.
func (s *Scheduler) Preview(ctx context.Context, of Previewed, n int) (Preview, error) {
	ctx, cancel := context.WithTimeout(ctx, previewTime)
	defer cancel()
	p, err := s.chooser.preview(ctx, of, n)
	if err != nil && !errors.Is(err, ErrNoModel) && !errors.Is(err, ErrNoStart) {
		err = fmt.Errorf("preview of topic %d: %w", of.Topic, err)
	}
	return p, err
}

func (c chooser) preview(ctx context.Context, of Previewed, n int) (p Preview, err error) {
	if of.Starts == nil {
		if of.Starts, err = startpages.Ticked(ctx, c.st.DB, of.Topic); err != nil {
			return p, err
		}
	}
	sites, err := refusedSites(ctx, c.st)
	if err != nil {
		return p, err
	}
	if of.As != nil {
		sites = slices.DeleteFunc(sites, func(one string) bool { return one == of.As.Name })
		if of.As.Refused {
			sites = append(sites, of.As.Name)
		}
	}
	o := crawler.Options{Refuse: func(url string) bool { return store.OnAny(url, sites) }}
	var paired bool
	if of.Model == nil {
		m, err := latestModel(ctx, c.st, of.Topic)
		if err != nil {
			return p, err
		}
		if of.Model, err = m.Bundle(); err != nil {
			return p, err
		}
		if o.Resume, paired, err = c.nextNight(ctx, m, of.Starts); err != nil {
			return p, err
		}
		if o.Visited, err = firstVisited(ctx, c.st, of.Topic); err != nil {
			return p, err
		}
	}
	if len(of.Starts) == 0 {
		return p, ErrNoStart
	}
	return c.dryRun(ctx, of, o, paired, min(n, previewLinks))
}

// firstVisited has the first visited pages that the next night of a topic reads.
func firstVisited(ctx context.Context, st *store.Store, topicID int64) (crawler.Visits, error) {
	yes, err := crawls.FollowsVisited(ctx, st.DB, topicID)
	if err != nil || !yes {
		return crawler.Visits{}, err
	}
	v, err := visits(ctx, st, topicID)
	list := v.List
	v.List = func(ctx context.Context, after, most int) ([]crawler.Visited, error) {
		return list(ctx, after, min(most, previewSeen-after))
	}
	return v, err
}

// nextNight is what earlier nights left for a topic's next crawl, nil when that begins at its start pages. paired says that the last
// one was led by two strategies.
func (c chooser) nextNight(ctx context.Context, m *models.Model, starts []string) (r *crawler.Resume, paired bool, err error) {
	r, last, err := crawls.NextNight(ctx, c.st.DB, m.TopicID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	chosen, err := c.st.Settings(ctx)
	if err != nil {
		return nil, false, err
	}
	name, _, err := c.strategies(ctx, m, chosen)
	if err != nil {
		return nil, false, err
	}
	r.Queued = crawler.StartEntries(starts) // those that are done are left out
	if last.ModelID != m.ID || last.Strategy != name {
		withoutNotes(r)
	}
	return r, last.Options.Second != "", nil
}

// withoutNotes leaves the links in the order of the last night: only that could read the notes.
func withoutNotes(r *crawler.Resume) {
	r.Learned = nil
	without := func(each func(frontier.Entry)) func(frontier.Entry) {
		return func(e frontier.Entry) {
			e.Note = nil
			each(e)
		}
	}
	links, best := r.Links, r.Best
	r.Links = func(ctx context.Context, each func(frontier.Entry)) error { return links(ctx, without(each)) }
	r.Best = func() crawler.Next {
		next := best()
		return func(n int, each func(frontier.Entry)) (bool, error) { return next(n, without(each)) }
	}
}

// dryRun crawls the stored start pages, or goes on with what earlier nights left, and lists the links that the crawl then asks for.
func (c chooser) dryRun(ctx context.Context, of Previewed, o crawler.Options, paired bool, n int) (Preview, error) {
	chosen, err := c.st.Settings(ctx)
	if err != nil {
		return Preview{}, err
	}
	name, _ := c.o.strategyWith(ctx, of.Model, chosen.Strategy)
	strat, err := c.o.Strategy(ctx, name, of.Model)
	if err != nil {
		return Preview{}, err
	}
	if paired {
		strat = strategy.NewPair(strat, nil, arms.Design{})
	}
	o.Starts, o.Workers, o.MaxQueued, o.Clock, o.Explain = of.Starts, 1, previewQueue, c.o.Clock, true
	o.Budget = crawler.Budget{PerHost: chosen.Budget.PerHost, PerSite: chosen.Budget.PerSite}
	o.Marks = newMarks(c.st, c.o.Log, crawls.Crawl{TopicID: of.Topic}, func() {})
	if c.o.Fetcher == nil {
		o.Trap = trap.New(trap.Options{Pages: chosen.Budget.Pages, Starts: of.Starts})
	}
	l := &listener{Preview: Preview{Strategy: name, Visited: o.Visited.List != nil}, most: n}
	o.OnFetch, o.MayBegin = l.hear, func(time.Time) bool { return len(l.Links) < l.most }
	web := &storedWeb{st: c.st, topicID: of.Topic, starts: of.Starts[:min(len(of.Starts), previewStarts)]}
	crawl, err := crawler.New(web, unmissing(strat), o)
	if errors.Is(err, crawler.ErrNoStart) {
		err = ErrNoStart
	}
	if err != nil {
		return Preview{}, err
	}
	if _, err := crawl.Run(ctx, crawler.Budget{}); err != nil {
		return Preview{}, err
	}
	if o.Resume != nil {
		l.GoesOn = true
		if l.Waiting, err = o.Resume.Waiting(); err != nil {
			return Preview{}, err
		}
	}
	return l.Preview, errors.Join(ctx.Err(), web.err)
}

// listener notes what a crawl of the stored pages asks for.
type listener struct {
	Preview
	most int
}

func (l *listener) hear(f *crawler.Fetch) {
	switch {
	case f.Response.Outcome == fetch.Visited:
	case f.Depth == 0:
		if f.Response.Outcome == fetch.Missing {
			l.Unread = append(l.Unread, f.URL)
		}
	case len(l.Links) < l.most:
		link := PreviewLink{URL: f.URL, Anchor: f.Anchor, From: f.Parent}
		if f.Choice != nil {
			link.Why = f.Choice.Why
		}
		l.Links = append(l.Links, link)
	}
}

// storedWeb answers for start pages from the store, and for nothing else. It is a fetch.Fetcher of one worker.
type storedWeb struct {
	st      *store.Store
	topicID int64
	starts  []string
	err     error // the first of the store
}

// ReadyAt is the zero time: no host is asked.
func (w *storedWeb) ReadyAt(string) time.Time { return time.Time{} }

// Fetch answers with what is stored of a start page.
func (w *storedWeb) Fetch(ctx context.Context, url string) fetch.Response {
	missing := fetch.Response{URL: url, FinalURL: url, Outcome: fetch.Missing, Reason: "not stored"}
	if !slices.Contains(w.starts, url) {
		return missing
	}
	final, html, err := storedPage(ctx, w.st.DB, w.topicID, url)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return missing
	case err != nil:
		w.err = errors.Join(w.err, err)
		return missing
	}
	return fetch.Response{URL: url, FinalURL: final, Outcome: fetch.OK, Status: 200, Body: html, Bytes: int64(len(html))}
}

// unmissing hides from a strategy that the pages behind links are missing: they only are not stored.
func unmissing(s strategy.Strategy) strategy.Strategy {
	l, learns := s.(strategy.Learner)
	x, explains := s.(strategy.Explainer)
	switch {
	case learns && explains:
		return struct {
			strategy.Learner
			explainer
		}{l, x}
	case learns:
		return struct{ strategy.Learner }{l}
	case explains:
		return struct{ strategy.Explainer }{x}
	}
	return struct{ strategy.Strategy }{s}
}

// explainer is what a strategy.Explainer has beside a Strategy.
type explainer interface {
	Explain(link strategy.Waiting, others []strategy.Waiting) (strategy.Explanation, bool)
}
