package pages

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/chart"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/web/frame"
)

// shownFirst is the number of links that are named as the first of a night.
const shownFirst = 10

// firstView says what a crawl of a topic fetches first, and why.
type firstView struct {
	TopicID int64
	Topic   string
	Links   []firstLink
	Unread  []string // start pages that were not read before
	GoesOn  bool     // with the links that earlier nights left
	Waiting int      // their number
	Visited bool     // links on visited pages are among them
	Problem string   // why nothing can be said, "" when something can
}

// firstLink is one of the first links that a crawl would follow.
type firstLink struct {
	Link frame.Link
	Site string
	From string // name of the page that holds it
	Why  string // what speaks for it, "" when nothing known does
}

// handleFirst shows what a topic's next crawl fetches first. A script asks for the part alone.
func (s *server) handleFirst(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	v, err := s.first(r.Context(), t.ID)
	if err != nil {
		return err
	}
	v.Topic = t.Name
	return s.Show(w, r, "tonight-first", "first", frame.Layout{Title: "What comes first: " + t.Name, Section: "crawls"}, v)
}

// first asks the scheduler for the first links from the start pages that are ticked or, when none is, proposed.
func (s *server) first(ctx context.Context, topicID int64) (firstView, error) {
	v := firstView{TopicID: topicID}
	choices, err := s.night.Choices(ctx, topicID)
	if err != nil {
		return v, err
	}
	p, err := s.previews.get(ctx, s, topicID, choices.URLs())
	switch {
	case errors.Is(err, scheduler.ErrNoModel), errors.Is(err, scheduler.ErrNoStart):
		v.Problem = frame.Sentence(err.Error())
		return v, nil
	case err != nil && ctx.Err() == nil:
		s.Log.Warn("preview of the night", "topic", topicID, "error", err)
		v.Problem = "What comes first could not be worked out. The night itself is not affected."
		return v, nil
	case err != nil:
		return v, err
	}
	titles := map[string]string{}
	for _, c := range append(choices.Best, choices.Rest...) {
		titles[c.URL] = c.Title
	}
	v.Unread, v.GoesOn, v.Waiting, v.Visited = p.Unread, p.GoesOn, p.Waiting, p.Visited
	for _, l := range p.Links {
		v.Links = append(v.Links, firstLink{
			Link: frame.Link{URL: l.URL, Name: chart.Shorten(90, frame.TitleOr(frame.Printable(l.Anchor), l.URL))}, Site: chart.Shorten(90, l.URL),
			From: chart.Shorten(60, frame.TitleOr(titles[l.From], l.From)), Why: speaksFor(l.Why),
		})
	}
	return v, nil
}

// mostFor is the number of reasons that are named, and leastFor the log odds that a reason needs.
const (
	mostFor  = 2
	leastFor = 0.1
)

// speaksFor names the strongest reasons for a link, without those that every link has.
func speaksFor(why []strategy.Reason) string {
	var names []string
	for _, r := range why {
		if common := strings.HasPrefix(r.Name, "the value of any") || strings.HasSuffix(r.Name, "other signals together") ||
			strings.HasPrefix(r.Name, "exploring"); common || r.Value < leastFor {
			continue
		}
		if names = append(names, r.Name); len(names) == mostFor {
			break
		}
	}
	return strings.Join(names, "; ")
}

// previews keeps the last previews for a while, since one takes a second of computing with a large model.
type previews struct {
	mu   sync.Mutex
	last map[string]keptPreview
}

type keptPreview struct {
	scheduler.Preview
	at time.Time
}

// Limits of previews.
const (
	previewFresh = time.Minute
	previewsKept = 16
)

// get returns the preview of a topic from these start pages. Only one is made at a time.
func (p *previews) get(ctx context.Context, s *server, topicID int64, starts []string) (scheduler.Preview, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	known, err := trainingdata.KnownOf(ctx, s.Store.DB, topicID)
	if err != nil {
		return scheduler.Preview{}, err
	}
	visited, err := crawls.FollowsVisited(ctx, s.Store.DB, topicID)
	if err != nil {
		return scheduler.Preview{}, err
	}
	key := fmt.Sprintf("%d %d %+v %q %v", topicID, s.Store.Erasures(), known, starts, visited)
	if kept, ok := p.last[key]; ok && s.Now().Sub(kept.at) < previewFresh && !s.Now().Before(kept.at) {
		return kept.Preview, nil
	}
	got, err := s.Scheduler.Preview(ctx, scheduler.Previewed{Topic: topicID, Starts: starts}, shownFirst)
	if err != nil {
		return got, err
	}
	if p.last == nil || len(p.last) >= previewsKept {
		p.last = map[string]keptPreview{}
	}
	p.last[key] = keptPreview{got, s.Now()}
	return got, nil
}
