package corpus

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/lab/surfer"
	"nightjar/daemon/protocol"
)

// Summary says what a made session holds.
type Summary struct {
	Session string `json:"session"`
	Topic   string `json:"topic"`
	Games   int    `json:"games,omitempty"`   // played, of a session made of games
	Pages   int    `json:"pages"`             // distinct
	Visits  int    `json:"visits"`            // page loads
	Backs   int    `json:"backs"`             //
	Useful  int    `json:"useful"`            // pages marked
	Dropped int    `json:"dropped,omitempty"` // games with pages that the recording lacks
	Note    string `json:"note,omitempty"`    // why it holds less than was asked for
}

// recorder is a session in the making.
type recorder struct {
	*surfer.Surfer
	events  []protocol.Event
	seen    map[string]bool // final URLs
	marked  map[string]bool
	summary Summary
}

// newRecorder starts a session in the recording. Its ids are drawn from the seed and the topic: sessions of different topics
// can be imported side by side.
func newRecorder(replay *fetch.Replay, topic string, seed uint64) (*recorder, error) {
	name := fnv.New64a()
	name.Write([]byte(topic))
	rng := rand.New(rand.NewPCG(seed, name.Sum64()))
	s := &recorder{seen: make(map[string]bool), marked: make(map[string]bool)}
	s.Surfer = surfer.New(surfer.Options{
		Client: surfer.NewClient(rng), Topic: topic, Start: Epoch, Rand: rng, Load: Loader(replay),
		Emit: func(e protocol.Event) error {
			s.events = append(s.events, e)
			return nil
		},
	})
	s.summary.Session, s.summary.Topic = s.Session(), topic
	return s, s.Start()
}

// Loader loads documents from a recording.
func Loader(replay *fetch.Replay) surfer.Loader {
	return func(ctx context.Context, url string) (surfer.Document, error) {
		r := replay.Fetch(ctx, url)
		if r.Outcome != fetch.OK {
			return surfer.Document{}, fmt.Errorf("%s: %s", r.Outcome, r.Reason)
		}
		return surfer.Document{URL: r.FinalURL, HTML: r.Body}, nil
	}
}

// visited counts the page shown and marks it when it is a target.
func (s *recorder) visited(target func(url string) bool) error {
	url := s.Shown().Page.URL
	s.seen[url] = true
	s.summary.Visits++
	if !target(url) || s.marked[url] {
		return nil
	}
	s.marked[url] = true
	return s.Useful()
}

// back goes back.
func (s *recorder) back() error {
	s.summary.Backs++
	return s.Back()
}

// finish submits and hands out what was recorded.
func (s *recorder) finish() ([]protocol.Event, Summary, error) {
	s.summary.Pages, s.summary.Useful = len(s.seen), len(s.marked)
	if err := s.Submit(); err != nil {
		return nil, Summary{}, err
	}
	return s.events, s.summary, nil
}

// Starts are the final URLs that start pages lead to, and those that the recording lacks.
func Starts(ctx context.Context, replay *fetch.Replay, starts []string) (finals, lacking []string) {
	for _, start := range starts {
		if r := replay.Fetch(ctx, start); r.Outcome == fetch.OK {
			finals = append(finals, r.FinalURL)
		} else {
			lacking = append(lacking, start)
		}
	}
	return finals, lacking
}

// canonical is the canonical form of a click's address; an address without one is returned as it is, to be told missing.
func canonical(url string) string {
	if c, err := weburl.Canonical(url); err == nil {
		return c
	}
	return url
}
