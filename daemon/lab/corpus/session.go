package corpus

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/google/uuid"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/cli/demo/surfer"
	"nightjar/daemon/lab/recording"
)

// Summary describes a session made here.
type Summary struct {
	Session string `json:"session"`
	Topic   string `json:"topic"`
	Games   int    `json:"games,omitempty"` // played games
	Pages   int    `json:"pages"`           // distinct
	Visits  int    `json:"visits"`          // page loads
	Backs   int    `json:"backs"`
	Useful  int    `json:"useful"`            // pages marked
	Named   int    `json:"named,omitempty"`   // pages with a milestone
	Dropped int    `json:"dropped,omitempty"` // games with pages that the recording lacks
	Note    string `json:"note,omitempty"`    // why it is smaller than requested
}

// recorder makes a session.
type recorder struct {
	*surfer.Surfer
	events  []protocol.Event
	seen    map[string]bool // final URLs
	marked  map[string]bool
	class   func(url string) string // name to give a page, "" for none; nil gives none
	summary Summary
}

// newRecorder starts a session on a recording. IDs are drawn from seed and topic, and changed at the end; see identify.
func newRecorder(replay *recording.Replay, topic string, seed uint64) (*recorder, error) {
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
func Loader(replay *recording.Replay) surfer.Loader {
	return func(ctx context.Context, url string) (surfer.Document, error) {
		r := replay.Fetch(ctx, url)
		if r.Outcome != fetch.OK {
			return surfer.Document{}, fmt.Errorf("%s: %s", r.Outcome, r.Reason)
		}
		return surfer.Document{URL: r.FinalURL, HTML: r.Body}, nil
	}
}

// visited counts the current page and marks it if it is a target.
func (s *recorder) visited(target func(url string) bool) error {
	url := s.Shown().Page.URL
	if err := s.name(url); err != nil {
		return err
	}
	s.seen[url] = true
	s.summary.Visits++
	if !target(url) || s.marked[url] {
		return nil
	}
	s.marked[url] = true
	return s.Useful()
}

// name names the current page by its class, the first time that it is shown.
func (s *recorder) name(url string) error {
	if s.class == nil || s.seen[url] {
		return nil
	}
	class := s.class(url)
	if class == "" {
		return nil
	}
	name, err := protocol.MilestoneName(class)
	if err != nil {
		return fmt.Errorf("label %.60q as a milestone: %w", class, err)
	}
	s.summary.Named++
	return s.Label(name)
}

func (s *recorder) back() error {
	s.summary.Backs++
	return s.Back()
}

// finish submits the session and returns its events.
func (s *recorder) finish() ([]protocol.Event, Summary, error) {
	s.summary.Pages, s.summary.Useful = len(s.seen), len(s.marked)
	if err := s.Submit(); err != nil {
		return nil, Summary{}, err
	}
	return s.events, s.summary, s.identify()
}

// identify makes each id depend on all that the session holds, so that sessions of different webs can be imported together.
func (s *recorder) identify() error {
	var text bytes.Buffer
	if err := session.Write(&text, s.events); err != nil {
		return err
	}
	sum := sha256.Sum256(text.Bytes())
	for i := range s.events {
		e := &s.events[i]
		for _, id := range []*string{&e.ID, &e.Client, &e.Session, &e.Page, &e.From, &e.Parent, &e.Joins} {
			if *id != "" {
				*id = mixed(*id, sum)
			}
		}
	}
	s.summary.Session = mixed(s.summary.Session, sum)
	return nil
}

// mixed changes the random bits of a UUID of version 4 or 7 by a sum. The time of version 7, the version and the variant stay
// [RFC 9562 §5.7].
func mixed(id string, sum [sha256.Size]byte) string {
	u := uuid.MustParse(id) // it was made here
	sum[6], sum[8] = sum[6]&0x0f, sum[8]&0x3f
	for i := 6; i < len(u); i++ {
		u[i] ^= sum[i]
	}
	return u.String()
}

// Starts are the final URLs of start pages, and the start pages that the recording lacks.
func Starts(ctx context.Context, replay *recording.Replay, starts []string) (finals, lacking []string) {
	for _, start := range starts {
		if r := replay.Fetch(ctx, start); r.Outcome == fetch.OK {
			finals = append(finals, r.FinalURL)
		} else {
			lacking = append(lacking, start)
		}
	}
	return finals, lacking
}

// canonical is the canonical form of an address; an address without one is returned unchanged, and will be missing.
func canonical(url string) string {
	if c, err := weburl.Canonical(url); err == nil {
		return c
	}
	return url
}
