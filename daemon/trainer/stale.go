package trainer

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"nightjar/daemon/store"
)

// Stale reports whether a topic has submitted sessions or marks on finds that its newest model does not know.
func (t *Trainer) Stale(ctx context.Context, topicID int64) (bool, error) {
	sessions, err := t.store.TopicSessions(ctx, topicID)
	if err != nil {
		return false, err
	}
	if len(sessions) == 0 {
		return false, nil
	}
	m, err := t.store.LatestModel(ctx, topicID)
	if errors.Is(err, store.ErrNotFound) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	last, err := t.store.LastFeedback(ctx, topicID)
	if err != nil {
		return false, err
	}
	known := slices.Clone(m.Facts.Sessions)
	slices.Sort(known)
	var now []string
	for _, s := range sessions {
		now = append(now, s.UUID)
	}
	slices.Sort(now)
	return last != m.Facts.Feedback || !slices.Equal(known, now), nil
}

// Refresh trains a topic when its model is stale, and waits for it.
func (t *Trainer) Refresh(ctx context.Context, topicID int64) error {
	stale, err := t.Stale(ctx, topicID)
	if err != nil || !stale {
		return err
	}
	_, err = t.Train(ctx, topicID)
	return err
}

// submitStale submits every topic whose newest model does not know all it could.
func (t *Trainer) submitStale(ctx context.Context) error {
	topics, err := t.store.Topics(ctx)
	if err != nil {
		return err
	}
	for _, topic := range topics {
		stale, err := t.Stale(ctx, topic.ID)
		if err != nil {
			return err
		}
		if stale {
			t.Submit(topic.ID)
		}
	}
	return nil
}

// changes says in words what differs between two versions of a model.
func changes(was, is store.ModelFacts) []string {
	var all []string
	count := func(what string, a, b int) {
		if a != b {
			all = append(all, fmt.Sprintf("%s: %d, was %d", what, b, a))
		}
	}
	count("sessions", len(was.Sessions), len(is.Sessions))
	count("pages", was.Pages, is.Pages)
	count("useful pages", was.Targets, is.Targets)
	count("links", was.Edges, is.Edges)
	count("terms", was.Terms, is.Terms)
	count("clusters", was.Clusters, is.Clusters)
	if was.Gamma != is.Gamma {
		all = append(all, fmt.Sprintf("threshold γ: %.2f, was %.2f", is.Gamma, was.Gamma))
	}
	if len(all) == 0 {
		all = append(all, "nothing that can be counted")
	}
	return all
}
