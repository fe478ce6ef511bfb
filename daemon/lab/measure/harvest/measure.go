package harvest

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/daemon/machine"
	"nightjar/model"
	"nightjar/model/naivebayes"
)

// contender is a way to order links.
type contender struct {
	Name     string
	Strategy string
	First    bool // all start pages come before all links, as in every crawl of Nightjar; otherwise they have λ = 0 or Pr = 1
}

// contenders are compared with the last, the base.
var contenders = []contender{
	{"λ per term, best parent", "naive-bayes", false},
	{"the same, start pages first", "naive-bayes", true},
	{"λ, first parent", "naive-bayes:odds", false},
	{"Pr to 12 digits, first parent", "naive-bayes:posterior", false},
	{"Gaussian Pr, first parent", "naive-bayes-paper", false},
	{"breadth-first", "breadth-first", true},
}

// checkpoints are the numbers of pages at which the table tells the harvest.
var checkpoints = []int{100, 250, 500, 1000}

// trial is the harvest of a topic's crawls.
type trial struct {
	Topic      string      `json:"topic"`
	References int         `json:"references"`
	Starts     int         `json:"starts"`
	Harvest    [][]float64 `json:"harvest"` // of each contender, after 1, 2, ... pages
}

// group is what was measured of documents or topics of one kind.
type group struct {
	Name   string   `json:"name"`
	Trials []*trial `json:"trials"`
}

// result is everything that was measured, as --json prints it.
type result struct {
	Command string  `json:"command"`
	Machine string  `json:"machine"`
	Go      string  `json:"go"`
	Pages   int     `json:"pages"`
	Groups  []group `json:"groups"`
}

// measureAll measures what the options ask for, and tells how far it is.
func measureAll(ctx context.Context, o *options, log io.Writer) (*result, error) {
	r := &result{Machine: machine.Processor(), Go: runtime.Version(), Pages: o.Pages}
	for _, g := range []struct {
		name   string
		topics func(context.Context, *options) ([]*topic, error)
	}{{wikispeedia, documents}, {webkb, courses}} {
		if !o.asked(g.name) {
			continue
		}
		topics, err := g.topics(ctx, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.name, err)
		}
		trials, err := measureTopics(ctx, topics, o.Pages, log)
		topics[0].web.replay.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.name, err)
		}
		r.Groups = append(r.Groups, group{g.name, trials})
	}
	return r, nil
}

// measureTopics crawls for each topic, as many at a time as there are processors.
func measureTopics(ctx context.Context, topics []*topic, pages int, log io.Writer) ([]*trial, error) {
	first := topics[0]
	base, err := first.web.base(ctx, first.known, first.negatives)
	if err != nil {
		return nil, err
	}
	trials := make([]*trial, len(topics))
	workers, ctx := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	var mu sync.Mutex
	done := 0
	for i, t := range topics {
		workers.Go(func() (err error) {
			began := time.Now()
			if trials[i], err = t.measure(ctx, base, pages); err != nil {
				return fmt.Errorf("%s: %w", t.name, err)
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			fmt.Fprintf(log, "harvest: %d of %d: %s, %s\n", done, len(topics), t.name, time.Since(began).Round(time.Second))
			return nil
		})
	}
	return trials, workers.Wait()
}

// measure crawls with each contender.
func (t *topic) measure(ctx context.Context, base *model.Bundle, pages int) (*trial, error) {
	judge, err := t.classifier(t.references, false)
	if err != nil {
		return nil, err
	}
	leaders := make(map[bool]*naivebayes.Classifier)
	for _, gaussian := range []bool{false, true} {
		if leaders[gaussian], err = t.classifier(t.known, gaussian); err != nil {
			return nil, err
		}
	}
	one := &trial{Topic: t.name, References: len(t.references), Starts: len(t.starts)}
	judged := make(map[int]float64)
	for _, c := range contenders {
		b := base.WithBayes(leaders[strategy.Needs(c.Strategy) == strategy.Gaussian], "")
		fetched, err := t.crawl(ctx, c, b, pages)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		p := make([]float64, len(fetched))
		for i, page := range fetched {
			if _, known := judged[page]; !known {
				judged[page] = judge.Read(t.web.stems[page]).Probability()
			}
			p[i] = judged[page]
		}
		one.Harvest = append(one.Harvest, harvest(p))
	}
	return one, nil
}

// classifier learns from positive pages and twice as many negative ones.
func (t *topic) classifier(positives []int, gaussian bool) (*naivebayes.Classifier, error) {
	negatives := t.negatives[:min(len(t.negatives), learned(len(positives)))]
	return naivebayes.Train(t.web.counts(positives), t.web.counts(negatives), naivebayes.Options{Gaussian: gaussian, Seed: 1})
}

// crawl lists the pages that a contender fetches, in order, each once.
func (t *topic) crawl(ctx context.Context, c contender, b *model.Bundle, pages int) (fetched []int, err error) {
	s, err := strategy.New(ctx, c.Strategy, b)
	if err != nil {
		return nil, err
	}
	o := crawler.Options{Starts: t.web.addresses(t.starts), Budget: crawler.Budget{Pages: pages}, OnFetch: func(f *crawler.Fetch) {
		if i, ok := t.web.number[f.FinalURL]; ok && f.Page != nil {
			fetched = append(fetched, i)
		}
	}}
	if !c.First {
		o.Resume = &crawler.Resume{Queued: crawler.StartEntries(o.Starts)}
		for i := range o.Resume.Queued {
			o.Resume.Queued[i].Priority = nil
		}
	}
	if strategy.Needs(c.Strategy) == strategy.Gaussian {
		o.MaxQueued = strategy.PaperQueued
	}
	_, err = crawler.Run(ctx, t.web.replay, s, o)
	if err == nil {
		err = ctx.Err()
	}
	return fetched, err
}
