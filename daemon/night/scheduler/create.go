package scheduler

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"nightjar/daemon/db"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/forecast"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// stopBelow is how many useful pages the next 100 of a night's crawl must promise for it to go on. With 1, crawls save a sixth of
// their pages and lose 1 to 4 of 100 useful ones (daemon/lab/reports/STOPPING.md).
const stopBelow = 1

// maxLinks is the number of links that look useful to the person with which a crawl begins, at most.
const maxLinks = 100

// RunNow starts a crawl of the topic at any time of day and returns its id, or the id of the crawl that the topic already
// has. The crawl fetches that many pages at most, or as many as the settings say if pages is 0. It returns ErrNoModel, ErrNoStart or
// an error of the store.
func (s *Scheduler) RunNow(ctx context.Context, topicID int64, pages int) (crawlID int64, err error) {
	chosen, err := s.st.Settings(ctx)
	if err != nil {
		return 0, err
	}
	chosen.Budget.Pages = cmp.Or(pages, chosen.Budget.Pages)
	if r, err := s.ofTopic(ctx, topicID); err != nil || r != nil {
		return r.of().ID, err
	}
	s.o.refresh(ctx, topicID)
	s.making.Lock()
	defer s.making.Unlock()
	c, err := s.create(ctx, topicID, "", chosen)
	if err != nil {
		return 0, err
	}
	s.poke()
	return c.ID, nil
}

// create creates a crawl with the topic's latest model that goes on where the topic's last one stopped, or begins at its ticked start
// pages. If the topic has a crawl that has not ended, create returns that one. The caller holds making.
func (s *Scheduler) create(ctx context.Context, topicID int64, night string, chosen settings.Settings) (crawls.Crawl, error) {
	if r, err := s.ofTopic(ctx, topicID); err != nil || r != nil {
		return r.of(), err
	}
	m, err := latestModel(ctx, s.st, topicID)
	if err != nil {
		return crawls.Crawl{}, err
	}
	starts, err := startpages.Ticked(ctx, s.st.DB, topicID)
	if err != nil {
		return crawls.Crawl{}, err
	}
	if len(starts) == 0 {
		return crawls.Crawl{}, ErrNoStart
	}
	links, err := crawls.PendingLinks(ctx, s.st.DB, topicID, chosen.NeverRecord, maxLinks)
	if err != nil {
		return crawls.Crawl{}, err
	}
	first, second, err := s.chooser.strategies(ctx, m, chosen)
	if err != nil {
		return crawls.Crawl{}, err
	}
	c := crawls.Crawl{
		TopicID: topicID, ModelID: m.ID, Night: night, Strategy: first, Lasting: true,
		Options: crawls.Options{Starts: starts, Links: links, Budget: chosen.Budget},
	}
	if second != "" {
		c.Options.Second, c.Options.SecondShare = second, chosen.SecondShare
	}
	if night != "" { // who starts a crawl wants it to run
		c.Options.StopBelow = s.o.StopBelow
	}
	pages, err := part(ctx, s.st, night, chosen.Budget)
	if err != nil {
		return crawls.Crawl{}, err
	}
	return s.add(ctx, chosen, c, s.o.foresee(ctx, s.st, c, pages))
}

// refresh trains a topic again if its model is stale. That may take minutes: it is done before making is taken.
func (o *Options) refresh(ctx context.Context, topicID int64) {
	if o.Trainer == nil {
		return
	}
	if err := o.Trainer.Refresh(ctx, topicID); err != nil {
		o.Log.Warn("train before the crawl", "topic", topicID, "error", err)
	}
}

func latestModel(ctx context.Context, st *store.Store, topicID int64) (*models.Model, error) {
	m, err := models.Latest(ctx, st.DB, topicID)
	if errors.Is(err, store.ErrNotFound) {
		err = ErrNoModel
	}
	return m, err
}

// add stores a new crawl with its forecast and adds it to those that get turns.
func (s *Scheduler) add(ctx context.Context, chosen settings.Settings, c crawls.Crawl, told *forecast.Made) (crawls.Crawl, error) {
	c.Options.Resolve = slices.Concat(chosen.Resolve, s.o.Resolve)
	c.Options.AllowPrivate = slices.Concat(chosen.AllowPrivate, s.o.AllowPrivate)
	id, err := crawls.Create(ctx, s.st.DB, c, func(w *db.Work, id int64) { told.Put(w, id, s.st.Now()) })
	if err != nil {
		return crawls.Crawl{}, err
	}
	if err := s.load(ctx); err != nil {
		return crawls.Crawl{}, err
	}
	s.tell(id)
	return crawls.Get(ctx, s.st.DB, id)
}

// ofTopic returns the run of a topic's crawl, nil when it has none that is open.
func (s *Scheduler) ofTopic(ctx context.Context, topicID int64) (*run, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.loadLocked(ctx); err != nil {
		return nil, err
	}
	for _, r := range s.runs {
		if r.crawl.TopicID == topicID {
			return r, nil
		}
	}
	return nil, nil
}

// of returns the crawl of a run, the zero value for nil.
func (r *run) of() crawls.Crawl {
	if r == nil {
		return crawls.Crawl{}
	}
	return r.crawl
}
