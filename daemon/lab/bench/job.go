package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/page"
	"nightjar/crawler/promise"
	"nightjar/crawler/strategy"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/machine"
	"nightjar/model"
)

// job is the work of one strategy's process: a crawl per trial.
type job struct {
	Strategy     string   `json:"strategy"`
	Replay       []string `json:"replay"`    // files
	Trials       []string `json:"trials"`    // files
	Estimates    bool     `json:"estimates"` // note what the next pages promise
	MissingCosts bool     `json:"missing_costs"`
	DomainCap    int      `json:"domain_cap"`
	Feedback     Feedback `json:"feedback"`
}

// message is a line of a job's output.
type message struct {
	Fetched int  `json:"fetched,omitempty"` // pages since the last message
	Run     *run `json:"run,omitempty"`     // of a finished crawl
}

// run is the result of a crawl.
type run struct {
	Seed    uint64    `json:"seed"`
	Found   []int     `json:"found"`   // relevant pages after n pages of budget, at n-1
	Similar []float64 `json:"similar"` // mean similarity of the pages read by then
	Seconds float64   `json:"seconds"`
	PeakRSS int64     `json:"peak_rss_bytes"` // of the process so far
	Missing int       `json:"missing"`        // links followed that the recording lacks
	Marks   int       `json:"marks"`
	Learns  bool      `json:"learns"` // the strategy learns from marks

	Sightings []sighting `json:"sightings,omitempty"` // of the relevant pages in reach; not of the oracle, nor the rest
	Fruitless int        `json:"fruitless,omitempty"` // pages of budget
	Shown     *shown     `json:"shown,omitempty"`
	Pages     []string   `json:"pages,omitempty"` // the relevant pages in reach that it fetched, by final URL

	Estimates []promise.Estimate `json:"estimates,omitempty"` // if the job asks for them
}

// RunJob runs the job in a file and writes its messages to out. The processes that a Runner starts call it.
func RunJob(ctx context.Context, file string, out io.Writer) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("run the benchmark's job %s: %w", file, err)
		}
	}()
	var j job
	if err := readJSON(file, &j); err != nil {
		return err
	}
	replay, _, err := fetch.OpenReplay(j.Replay)
	if err != nil {
		return err
	}
	defer replay.Close()
	lines := json.NewEncoder(out)
	for _, file := range j.Trials {
		var t trial
		if err := readJSON(file, &t); err != nil {
			return err
		}
		r, err := j.crawl(ctx, replay, &t, lines)
		if err != nil {
			return fmt.Errorf("seed %d: %w", t.Seed, err)
		}
		if err := lines.Encode(message{Run: r}); err != nil {
			return err
		}
	}
	return nil
}

// crawl runs the crawl of a trial.
func (j *job) crawl(ctx context.Context, replay *fetch.Replay, t *trial, lines *json.Encoder) (*run, error) {
	file := t.Model
	if j.Strategy == HMMAllData {
		file = t.AllData
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	b, err := model.Decode(text)
	if err != nil {
		return nil, err
	}
	c := &measured{
		score: corpus.Score{Relevant: set(t.Relevant), Budget: t.Budget},
		lines: lines, step: max(1, t.Budget/50), person: person{feedback: j.Feedback, useful: make(map[string]bool)}, known: set(t.Known),
	}
	for _, url := range t.Labelled {
		c.person.useful[url] = true
	}
	began := time.Now()
	if j.Strategy == Oracle {
		err = c.replayOracle(ctx, replay, b, t.Oracle)
	} else {
		c.tracker, c.shown = newTracker(t.Addresses, t.Starts), &shown{}
		err = c.crawl(ctx, replay, b, j, t)
	}
	if err != nil {
		return nil, err
	}
	r := &run{
		Seed: t.Seed, Found: c.score.Curve(), Similar: c.score.Similarities(), Seconds: time.Since(began).Seconds(),
		PeakRSS: machine.PeakMemory(), Missing: c.missing, Marks: c.person.marks, Learns: c.learns, Shown: c.shown,
	}
	if c.tracker != nil {
		r.Estimates = c.estimates
		r.Sightings, r.Fruitless, r.Pages = c.tracker.sightings(), c.tracker.fruitless(), c.found
	}
	return r, nil
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
	person  person
	missing int
	learns  bool
	lines   *json.Encoder
	step    int // pages between two messages
	told    int
	known   func(url string) bool // session pages
	tracker *tracker              // nil for the oracle
	shown   *shown                // nil for the oracle
	found   []string              // relevant pages, by final URL

	estimates []promise.Estimate
}

// knows reports whether a page is of the sessions.
func (c *measured) knows(f *crawler.Fetch) bool {
	return slices.ContainsFunc(append([]string{f.FinalURL}, f.Done...), c.known)
}

// add counts a fetch.
func (c *measured) add(f *crawler.Fetch) {
	hit := c.score.Add(f)
	if hit {
		c.found = append(c.found, f.FinalURL)
	}
	if c.tracker != nil {
		c.tracker.add(f, hit)
	}
	if c.shown != nil && f.Page != nil && !c.knows(f) {
		c.shown.see(f, c.person.useful[f.FinalURL], hit)
	}
	c.person.fetched = f.Totals.Fetched
	if f.Response.Outcome == fetch.Missing {
		c.missing++
	}
	if n := f.Totals.Fetched; n-c.told >= c.step {
		_ = c.lines.Encode(message{Fetched: n - c.told}) // a write error shows up at the end
		c.told = n
	}
}

// crawl crawls with a strategy, which gets the model but not the labels.
func (c *measured) crawl(ctx context.Context, replay *fetch.Replay, b *model.Bundle, j *job, t *trial) error {
	themes, err := t.themes(plain(j.Strategy))
	if err != nil {
		return err
	}
	s, err := strategy.NewWith(ctx, strategy.Choose(plain(j.Strategy)), b, themes)
	if err != nil {
		return err
	}
	o := crawler.Options{
		Starts: t.Starts, Budget: crawler.Budget{Pages: t.Budget}, MissingCosts: j.MissingCosts, DomainCap: j.DomainCap, OnFetch: c.add,
	}
	if j.Estimates {
		o.Known = func(f *crawler.Fetch) bool { return c.knows(f) }
		o.OnEstimate = func(e promise.Estimate) { c.estimates = append(c.estimates, e) }
	}
	if len(t.Visited) > 0 {
		o.Visited = visits(replay, t.Visited)
	}
	learner, ok := s.(strategy.Learner)
	if c.learns = ok; ok && j.Feedback != (Feedback{}) {
		c.person.learner, o.Marks = learner, c.person.answer
	}
	if _, err := crawler.Run(ctx, withLists(replay, t.Lists, t.Seed), s, o); err != nil {
		return err
	}
	return ctx.Err()
}

// visits lists recorded pages as visited ones.
func visits(replay *fetch.Replay, urls []string) crawler.Visits {
	return crawler.Visits{List: func(ctx context.Context, after, most int) (pages []crawler.Visited, err error) {
		for _, url := range urls[min(after, len(urls)):min(after+most, len(urls))] {
			pages = append(pages, crawler.Visited{URL: url})
		}
		return pages, nil
	}, Copy: func(ctx context.Context, url string) ([]byte, error) { return replay.Fetch(ctx, url).Body, ctx.Err() }}
}

// replayOracle fetches and parses the oracle's pages.
func (c *measured) replayOracle(ctx context.Context, replay *fetch.Replay, b *model.Bundle, way []string) error {
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
