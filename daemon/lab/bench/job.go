package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/recording"
	"nightjar/daemon/lab/verb"
	"nightjar/model"
)

// JobCommand is the verb in whose processes strategies crawl.
var JobCommand = verb.Job("bench job", verb.Answer(runJob))

// job is the work of one strategy's process: a crawl per trial.
type job struct {
	Strategy     string   `json:"strategy"`
	Replay       []string `json:"replay"` // files
	Trials       []string `json:"trials"` // files
	MissingCosts bool     `json:"missing_costs"`
	Lists        int      `json:"lists,omitempty"` // percent of the hosts that publish a list of their pages
}

// run is the result of a crawl.
type run struct {
	Seed    uint64    `json:"seed"`
	Found   []int     `json:"found"`   // relevant pages after n pages of budget, at n-1
	Similar []float64 `json:"similar"` // mean similarity of the pages read by then
	Seconds float64   `json:"seconds"`
	PeakRSS int64     `json:"peak_rss_bytes"`  // of the process so far
	Missing int       `json:"missing"`         // links followed that the recording lacks
	Shown   *shown    `json:"shown,omitempty"` // not of the oracle
}

// runJob crawls the trials of a job.
func runJob(ctx context.Context, j *job) ([]*run, error) {
	replay, _, err := recording.Open(j.Replay)
	if err != nil {
		return nil, err
	}
	defer replay.Close()
	var runs []*run
	for _, file := range j.Trials {
		var t trial
		if err := readJSON(file, &t); err != nil {
			return nil, err
		}
		r, err := j.crawl(ctx, replay, &t)
		if err != nil {
			return nil, fmt.Errorf("seed %d: %w", t.Seed, err)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// crawl runs the crawl of a trial.
func (j *job) crawl(ctx context.Context, replay *recording.Replay, t *trial) (*run, error) {
	text, err := os.ReadFile(t.Model)
	if err != nil {
		return nil, err
	}
	b, err := model.Decode(text)
	if err != nil {
		return nil, err
	}
	c := &measured{score: corpus.Score{Relevant: set(t.Relevant), Budget: t.Budget}, known: set(t.Known), useful: set(t.Labelled)}
	began := time.Now()
	if j.Strategy == Oracle {
		err = c.replayOracle(ctx, replay, b, t.Oracle)
	} else {
		c.shown = &shown{}
		err = c.crawl(ctx, replay, b, j, t)
	}
	if err != nil {
		return nil, err
	}
	return &run{
		Seed: t.Seed, Found: c.score.Curve(), Similar: c.score.Similarities(), Seconds: time.Since(began).Seconds(),
		PeakRSS: devtool.PeakMemory(), Missing: c.missing, Shown: c.shown,
	}, nil
}

// set returns a function that reports whether a URL is in a list.
func set(urls []string) func(url string) bool {
	all := make(map[string]bool, len(urls))
	for _, url := range urls {
		all[url] = true
	}
	return func(url string) bool { return all[url] }
}

// measured is a crawl being measured.
type measured struct {
	score   corpus.Score
	missing int
	known   func(url string) bool // session pages
	useful  func(url string) bool // pages with the task's label, by final URL
	shown   *shown                // nil for the oracle
}

// add counts a fetch.
func (c *measured) add(f *crawler.Fetch) {
	hit := c.score.Add(f)
	ofSession := slices.ContainsFunc(append([]string{f.FinalURL}, f.Done...), c.known)
	if c.shown != nil && f.Page != nil && !ofSession {
		c.shown.see(f, c.useful(f.FinalURL), hit)
	}
	if f.Response.Outcome == fetch.Missing {
		c.missing++
	}
}

// crawl crawls with a strategy, which gets the model but not the labels.
func (c *measured) crawl(ctx context.Context, replay *recording.Replay, b *model.Bundle, j *job, t *trial) error {
	themes, err := t.themes(j.Strategy)
	if err != nil {
		return err
	}
	s, err := strategy.NewWith(ctx, strategy.Choose(j.Strategy), b, themes)
	if err != nil {
		return err
	}
	var f fetch.Fetcher = replay
	if j.Lists > 0 {
		f = withLists(replay, j.Lists, t.Seed)
	}
	o := crawler.Options{Starts: t.Starts, Budget: crawler.Budget{Pages: t.Budget}, MissingCosts: j.MissingCosts, OnFetch: c.add}
	if _, err := crawler.Run(ctx, f, s, o); err != nil {
		return err
	}
	return ctx.Err()
}

// replayOracle fetches and parses the oracle's pages.
func (c *measured) replayOracle(ctx context.Context, replay *recording.Replay, b *model.Bundle, way []string) error {
	for i, url := range way {
		r := replay.Fetch(ctx, url)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if r.Outcome != fetch.OK || r.FinalURL != url {
			return errors.New("the oracle's page " + url + " is not in the recording")
		}
		f := &crawler.Fetch{FinalURL: url, Cost: 1, Response: r, Totals: crawler.Totals{Fetched: i + 1}}
		if f.Page, _ = page.ParseFrom(r.Source(), r.Body); f.Page != nil { // pages that cannot be parsed count for no strategy
			f.Judgement.Similarity = b.Observe(f.Page.Text).Similarity
		}
		c.add(f)
	}
	return nil
}
