package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

// ErrBusy is returned by Crawl for a topic that has a crawl, worded for the person.
var ErrBusy = errors.New("this topic is being crawled: wait for it or stop it")

// Plan is a crawl with its own strategy, start pages and budget.
type Plan struct {
	Strategy string   // of package strategy; "" means the one that the settings choose
	Starts   []string // start pages; addresses that cannot be fetched are left out
	Pages    int      // budget; 0 means no limit
	Night    bool     // run only while the window is open, over as many nights as it takes
	Map      bool     // it is for a map, which shows its pages; see crawls.Options.ForMap
}

// Crawl starts a crawl by a plan and returns its id. The limits of the settings' budget do not apply to it, and it takes no
// part in the night's; power, network, disk, politeness and refused sites do apply. For a topic that has a crawl already, the
// error is ErrBusy, and the id is that of the crawl it has. Other errors are ErrNoModel, crawler.ErrNoStart, one for a
// strategy that does not exist or for which something is lacking, or one of the store.
func (s *Scheduler) Crawl(ctx context.Context, topicID int64, p Plan) (crawlID int64, err error) {
	starts := startPages(p.Starts)
	switch {
	case len(starts) == 0:
		return 0, crawler.ErrNoStart
	case p.Strategy != "" && !strategy.Known(strategy.Choose(p.Strategy)):
		return 0, fmt.Errorf("there is no strategy %q", p.Strategy)
	}
	chosen, err := s.st.Settings(ctx)
	if err != nil {
		return 0, err
	}
	s.o.refresh(ctx, topicID)
	s.making.Lock()
	defer s.making.Unlock()
	if r, err := s.ofTopic(ctx, topicID); err != nil {
		return 0, err
	} else if r != nil {
		return r.crawl.ID, ErrBusy
	}
	m, err := latestModel(ctx, s.st, topicID)
	if err != nil {
		return 0, err
	}
	name, err := s.chooser.planned(ctx, m, p.Strategy, chosen.Strategy)
	if err != nil {
		return 0, err
	}
	c := crawls.Crawl{
		TopicID: topicID, ModelID: m.ID, Strategy: name,
		Options: crawls.Options{Starts: starts, Budget: settings.Budget{Pages: p.Pages}, Nightly: p.Night, ForMap: p.Map},
	}
	c, err = s.add(ctx, chosen, c, s.o.foresee(ctx, s.st, c, p.Pages))
	if err != nil {
		return 0, err
	}
	s.poke()
	return c.ID, nil
}

// startPages returns addresses in their canonical form, each once, without those that cannot be fetched.
func startPages(urls []string) (starts []string) {
	for _, url := range urls {
		u, err := weburl.Canonical(url)
		if u = weburl.Document(u); err == nil && !slices.Contains(starts, u) {
			starts = append(starts, u)
		}
	}
	return starts
}

// nightly says why a crawl that runs only while the window is open must wait, "" when it need not.
func nightly(w settings.Window, now time.Time) string {
	switch _, open := w.At(now); {
	case !w.Enabled:
		return crawls.NightOff
	case !settings.ClockSet(now):
		return noClock
	case !open:
		return crawls.OpensAt(w.Start)
	}
	return ""
}

// queued is the limit of a strategy's frontier, 0 for that of all crawls.
func queued(strategyName string) int {
	if strategyName == "naive-bayes-paper" {
		return strategy.PaperQueued
	}
	return 0
}
