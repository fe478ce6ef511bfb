package communities

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/panorama/trainingset"
	"nightjar/daemon/store"
)

// How a map's crawl is made.
const (
	DefaultPages = 5000 // as in [PANORAMA]
	inLinks      = 10   // known pages that link to a positive page, which are start pages, too

	naiveBayes = "naive-bayes"       // strategies
	asPrinted  = "naive-bayes-paper" // of Options.Paper
)

// crawl is the step StepCrawl: it starts the map's crawl, unless there is one, and waits until it has ended. A crawl that the
// person stopped gives a map of what there is.
func (m *Maker) crawl(ctx context.Context, one maps.Map) (note string, err error) {
	if one.Crawl == 0 {
		if one.Crawl, err = m.startCrawl(ctx, one); err != nil {
			return "", err
		}
	}
	ended, err := m.crawlEnd(ctx, one)
	if err != nil {
		return "", err
	}
	why, err := m.fruitless(ctx, ended)
	if err != nil || why == nil {
		return "", err
	}
	// The next try makes a new crawl.
	if err := m.change(ctx, one.ID, func(one *maps.Map) { one.Crawl = 0 }); err != nil {
		return "", err
	}
	return "", why
}

// startCrawl starts the crawl of a map and stores which it is.
func (m *Maker) startCrawl(ctx context.Context, one maps.Map) (int64, error) {
	starts, err := m.starts(ctx, one)
	if err != nil {
		return 0, err
	}
	plan := scheduler.Plan{
		Strategy: strategyOf(one.Options), Starts: starts, Pages: cmp.Or(one.Options.Pages, DefaultPages), Night: one.Options.Night, Map: true,
	}
	// A program that was killed may have started it, but not stored that.
	id, err := lostCrawl(ctx, m.Store.DB, one.Topic, plan.Strategy, one.CreatedAt)
	if err == nil && id == 0 {
		id, err = m.Scheduler.Crawl(ctx, one.Topic, plan)
	}
	if err != nil {
		return 0, err
	}
	return id, m.change(context.WithoutCancel(ctx), one.ID, func(one *maps.Map) { one.Crawl = id })
}

// strategyOf is the strategy of a map's crawl.
func strategyOf(o maps.Options) string {
	if o.Paper {
		return asPrinted
	}
	return cmp.Or(o.Strategy, naiveBayes)
}

// starts returns the start pages of a map's crawl: the positive pages that are left in, where they ended up, and known pages
// that link to them.
func (m *Maker) starts(ctx context.Context, one maps.Map) ([]string, error) {
	var positives []trainingdata.PositivePage
	if one.Source == maps.FromDocument {
		pages, err := trainingdata.PositivePages(ctx, m.Store.DB, one.Document)
		if err != nil {
			return nil, err
		}
		for _, p := range pages {
			if !p.LeftOut && len(p.Hash) > 0 {
				positives = append(positives, p)
			}
		}
	} else {
		useful, err := usefulPages(ctx, m.Store.DB, one.Topic)
		if err != nil {
			return nil, err
		}
		ticked, err := startpages.Ticked(ctx, m.Store.DB, one.Topic)
		if err != nil {
			return nil, err
		}
		for _, url := range append(useful, ticked...) {
			positives = append(positives, trainingdata.PositivePage{Positive: trainingdata.Positive{URL: url}, Final: url})
		}
	}
	if len(positives) == 0 {
		return nil, trainingdata.ErrFewPositives
	}
	var all []string
	for _, p := range positives {
		all = append(all, p.Final)
	}
	links := trainingset.Links{Store: m.Store}
	for i, p := range positives {
		m.note(one.ID, Progress{Step: maps.StepCrawl, Text: fmt.Sprintf("looking for known pages that link to page %d of %d", i+1, len(positives))})
		from, err := links.To(ctx, p, inLinks)
		if err != nil {
			return nil, err
		}
		all = append(all, from...)
	}
	return canonical(all), nil
}

// canonical returns addresses in their canonical form, each once, without those that are none or that must not be fetched.
func canonical(urls []string) (all []string) {
	known := map[string]bool{}
	for _, url := range urls {
		u, err := weburl.Canonical(url)
		if err == nil && !known[u] && !weburl.Secret(u) && !weburl.Action(u) {
			known[u] = true
			all = append(all, u)
		}
	}
	return all
}

// crawlEnd waits until the crawl of a map has ended.
func (m *Maker) crawlEnd(ctx context.Context, one maps.Map) (c crawls.Crawl, err error) {
	fetched, moved := 0, m.Now()
	err = m.Bus.Until(ctx, time.Second, func() (bool, error) {
		c, err = crawls.Get(ctx, m.Store.DB, one.Crawl)
		if errors.Is(err, store.ErrNotFound) {
			err = errors.New("the crawl of this map was deleted: go on to crawl again")
		}
		if err != nil || c.Status == crawls.Ended {
			return true, err
		}
		if c.Totals.Fetched != fetched {
			fetched, moved = c.Totals.Fetched, m.Now()
		}
		text := crawlWaits(c, m.Now().Sub(moved))
		m.note(one.ID, Progress{Step: maps.StepCrawl, Done: c.Totals.Fetched, Of: c.Options.Budget.Pages, Text: text})
		return false, nil
	})
	return c, err
}

// quietCrawl is how long a crawl fetches nothing before its progress says what it may wait for.
const quietCrawl = 15 * time.Second

// crawlWaits says what a crawl waits for that has fetched nothing for a time, "" when it is not known to wait.
func crawlWaits(c crawls.Crawl, quiet time.Duration) string {
	switch {
	case c.Paused != "":
		return c.Paused
	case c.Status == crawls.Waiting:
		return "the crawl is about to begin"
	case quiet >= quietCrawl:
		return "waiting for hosts that do not answer, or that want longer pauses; they are asked again"
	}
	return ""
}

// fruitless says why a crawl has no pages for a map; nil when it has.
func (m *Maker) fruitless(ctx context.Context, c crawls.Crawl) (why, err error) {
	outcomes, err := progress.Outcomes(ctx, m.Store.DB, c.ID)
	if err != nil {
		return nil, err
	}
	tried, refused, example := 0, 0, ""
	for _, o := range outcomes {
		switch fetch.Outcome(o.Outcome) {
		case fetch.OK, progress.Blank:
			return nil, nil
		case fetch.Canceled:
			continue
		case fetch.Robots, fetch.Refused:
			refused += o.Count
		}
		tried += o.Count
		example = cmp.Or(example, o.Example)
	}
	switch {
	case tried > 0 && refused == tried:
		return fmt.Errorf("all %d start pages refuse crawlers (%s): search with another provider, paste addresses, or choose a topic",
			tried, example), nil
	case tried > 0:
		return fmt.Errorf("none of the %d start pages could be read (%s): check the network, or search with another provider", tried, example), nil
	}
	return fmt.Errorf("the crawl ended before its first page (%s): go on to crawl again", cmp.Or(c.StopReason, "no reason is known")), nil
}
