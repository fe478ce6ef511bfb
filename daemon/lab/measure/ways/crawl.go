package ways

import (
	"context"
	"fmt"
	"slices"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/corpus"
	"nightjar/model"
	"nightjar/model/ways"
)

// contender is a strategy with one kind of ways.
type contender struct {
	name     string
	strategy string
	ways     func(l *learned) *ways.Ways // nil for a strategy that does not read them
}

// fields are the contenders that go by ways.
var fields = []contender{
	{"crf, hops", "crf", func(l *learned) *ways.Ways { return l.hops }},
	{"crf-printed, hops", "crf-printed", func(l *learned) *ways.Ways { return l.hops }},
	{"link regression, hops", "crf", func(l *learned) *ways.Ways { return l.regressionOfHops }},
	{"crf, milestones", "crf", func(l *learned) *ways.Ways { return l.milestones }},
	{"crf-printed, milestones", "crf-printed", func(l *learned) *ways.Ways { return l.milestones }},
	{"link regression, milestones", "crf", func(l *learned) *ways.Ways { return l.regressionOfMilestones }},
}

// contenders are the fields and the other strategies that they are compared with.
func contenders(others []string) []contender {
	all := slices.Clone(fields)
	for _, name := range others {
		all = append(all, contender{name: name, strategy: name})
	}
	return all
}

// others are the strategies that need nothing of the model that not every model has.
func others() []string {
	var names []string
	for _, k := range strategy.Kinds() {
		if k.Needs == strategy.Nothing {
			names = append(names, k.Name)
		}
	}
	return names
}

// crawled is the area of each contender that could crawl, as a share of the oracle's.
type crawled map[string]float64

// crawl crawls a task's web with each contender.
func (t *task) crawl(ctx context.Context, o *options, l *learned, seed uint64) (crawled, error) {
	starts, _ := corpus.Starts(ctx, t.web.replay, t.starts(seed))
	if len(starts) == 0 {
		return nil, fmt.Errorf("task %s: the recording holds none of the start pages", t.Name)
	}
	web, err := corpus.ReadWeb(ctx, t.web.replay, starts)
	if err != nil {
		return nil, err
	}
	relevant := t.relevant(seed)
	counts := func(url string) bool { return relevant[url] && !l.known[url] }
	oracle, total := web.Oracle(counts, t.Budget), web.Count(counts)
	areas := crawled{}
	for _, c := range contenders(o.Others) {
		b := l.bundle
		if c.ways != nil {
			w := c.ways(l)
			if w == nil {
				continue
			}
			b = b.WithWays(w, "")
		}
		score := corpus.Score{Relevant: counts, Budget: t.Budget, Total: total, Oracle: oracle}
		if err := t.follow(ctx, c.strategy, b, starts, &score); err != nil {
			return nil, fmt.Errorf("task %s, %s: %w", t.Name, c.name, err)
		}
		areas[c.name] = score.AreaVsOracle()
	}
	return areas, nil
}

// follow crawls with one strategy; missing pages cost nothing.
func (t *task) follow(ctx context.Context, name string, b *model.Bundle, starts []string, score *corpus.Score) error {
	s, err := strategy.New(ctx, name, b)
	if err != nil {
		return err
	}
	_, err = crawler.Run(ctx, t.web.replay, s, crawler.Options{
		Starts: starts, Budget: crawler.Budget{Pages: t.Budget}, OnFetch: func(f *crawler.Fetch) { score.Add(f) },
	})
	return err
}

// since is a time span for a person to read.
func since(began time.Time) string { return time.Since(began).Round(time.Second).String() }
