package trainer

import (
	"context"
	"errors"
	"slices"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
	"nightjar/model"
)

// Stale reports whether a topic should be trained: its newest model does not know all submitted sessions, marks on
// finds, names of pages and positive pages of documents, or cannot be read. A topic without sessions and positive pages is not
// stale, nor is one whose training the person stopped, until there is something new to learn from.
func (t *Trainer) Stale(ctx context.Context, topicID int64) (bool, error) {
	stale, _, err := t.due(ctx, topicID)
	return stale, err
}

// due reports whether a topic is stale, and otherwise whether its newest model lacks its report since the process was killed before
// it was made. A model whose report the person stopped goes without.
func (t *Trainer) due(ctx context.Context, topicID int64) (stale, unassessed bool, err error) {
	now, err := trainingdata.KnownOf(ctx, t.Store.DB, topicID)
	if err != nil || now.Empty() {
		return false, false, err
	}
	if was, err := t.wasStopped(ctx, topicID, now); err != nil || was {
		return false, false, err
	}
	m, err := models.Latest(ctx, t.Store.DB, topicID)
	if errors.Is(err, store.ErrNotFound) {
		return true, false, nil
	}
	if err != nil {
		return false, false, err
	}
	stale = unreadable(m) || !knownTo(m.Facts).Equal(now)
	return stale, !stale && m.Facts.Verdict == "" && !m.Facts.Imported, nil
}

// unreadable reports whether a model must be trained again because its format is too old or it is damaged. A model of a
// newer format is left to the program that wrote it.
func unreadable(m *models.Model) bool {
	_, err := m.Bundle()
	return errors.Is(err, model.ErrOlderFormat) || errors.Is(err, model.ErrDamaged)
}

// knownTo returns what a model learned from; for an imported model, the data at the time of its import.
func knownTo(facts models.Facts) trainingdata.Known {
	sessions := facts.Sessions
	if facts.Imported {
		sessions = facts.Beside
	}
	return trainingdata.Known{
		Sessions: slices.Sorted(slices.Values(sessions)), Feedback: facts.Feedback, Milestones: facts.Milestones, Positives: facts.Positives,
	}
}

// Refresh trains a topic if it is stale, and waits for the training. When another training brings the topic up to date meanwhile,
// that is enough.
func (t *Trainer) Refresh(ctx context.Context, topicID int64) error {
	stale, err := t.Stale(ctx, topicID)
	if err != nil || !stale {
		return err
	}
	ctx, end := t.running.Begin(ctx, topicID)
	_, err = t.work(ctx, end, request{topic: topicID, stale: true})
	return err
}

// SubmitStale submits every stale topic, also one of a map, and every other whose newest model lacks its report.
func (t *Trainer) SubmitStale(ctx context.Context) error {
	topics, err := topics.Every(ctx, t.Store.DB)
	if err != nil {
		return err
	}
	for _, topic := range topics {
		stale, unassessed, err := t.due(ctx, topic.ID)
		if err != nil {
			return err
		}
		if stale || unassessed {
			t.submit(request{topic: topic.ID, stale: stale, report: unassessed})
		}
	}
	return nil
}
