package tonight

import (
	"context"
	"slices"
	"strconv"
	"time"

	"nightjar/daemon/learn/overview"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

// Card says what the next night does, and switches it on and off.
type Card struct {
	Titled     bool // the page has the title Tonight already
	On         bool
	Start, End string // of the window
	Zone       string // that the window has, "" for the machine's
	Pages      int    // the budget
	RunPages   int    // of a crawl that the person starts
	Opens      time.Time
	Closes     time.Time // of the window that is open now, else zero
	Topics     []Topic
	Shown      string        // "1 to 5 of 40" topics, or "" when all are shown
	Others     string        // address of the card with the next topics, or ""
	Untrained  []string      // names of topics without a model
	Waiting    []crawls.View // crawls that have not ended and wait; only on the page of its own
	Early      []EarlyLine   // crawls of the last night that ended since they promised too little; only on the page of its own
}

// Topic is a topic that can be crawled, with its start pages.
type Topic struct {
	overview.TopicView
	Choices
	Foreseen *Foreseen // nil without start pages
}

// Card returns the card of the next night with some topics, from the first-th on.
func (n Night) Card(ctx context.Context, topics []overview.TopicView, first int) (*Card, error) {
	trained := slices.DeleteFunc(slices.Clone(topics), func(t overview.TopicView) bool { return t.Version == 0 })
	shown, says, next := overview.Part(trained, first)
	now, err := n.Store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	c := &Card{On: now.Night.Enabled, Start: now.Night.Start, End: now.Night.End, Zone: now.Night.Zone,
		Pages: now.Budget.Pages, RunPages: PagesOfRun(now.Budget)}
	if says != "" {
		c.Shown, c.Others = says, "/tonight?topics="+strconv.Itoa(next)
	}
	status := n.Scheduler.Status()
	if status.Open {
		c.Closes = status.Closes
	} else {
		c.Opens = status.Opens
	}
	for _, t := range topics {
		if t.Version == 0 {
			c.Untrained = append(c.Untrained, t.Name)
		}
	}
	for _, t := range shown {
		choices, err := n.Choices(ctx, t.ID)
		if err != nil {
			return nil, err
		}
		if err := n.ChooseVisited(ctx, &choices); err != nil {
			return nil, err
		}
		foreseen, err := n.foreseenNight(ctx, t.ID, choices.URLs(), now)
		if err != nil {
			return nil, err
		}
		c.Topics = append(c.Topics, Topic{TopicView: t, Choices: choices, Foreseen: foreseen})
	}
	return c, nil
}

// Off is what pages say while the night is off.
type Off struct {
	Back  string // path of the page
	Ready bool   // a topic has a model and a ticked start page
}

// Off returns the note that the night is off, nil while it is on or nothing could be crawled yet.
func (n Night) Off(ctx context.Context, topics []overview.TopicView, back string) (*Off, error) {
	now, err := n.Store.Settings(ctx)
	if err != nil || now.Night.Enabled {
		return nil, err
	}
	trained := slices.ContainsFunc(topics, func(t overview.TopicView) bool { return t.Version > 0 })
	if !trained {
		return nil, nil
	}
	ready := slices.ContainsFunc(topics, func(t overview.TopicView) bool { return t.Version > 0 && t.Ticked > 0 })
	return &Off{Back: back, Ready: ready}, nil
}

// PagesOfRun is the number of pages that a crawl reads when a person starts it.
func PagesOfRun(b settings.Budget) int {
	if b.Pages == 0 {
		return runPages
	}
	return min(runPages, b.Pages)
}

// runPages is the number of pages that a crawl reads which a person starts, unless a night may read fewer.
const runPages = 200
