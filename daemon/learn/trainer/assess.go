package trainer

import (
	"context"
	"errors"
	"slices"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/store"
	"nightjar/model"
)

// report assesses a saved model. Without a report it stays in use. When the person stopped the assessment, report notes that, so
// that the next start of the program does not begin it again.
func (t *Trainer) report(ctx context.Context, done *learned, progress func(model.Progress)) {
	err := t.assess(ctx, done, progress)
	if err != nil && stopped(ctx) {
		err = t.noteStopped(ctx, done.topic)
	} else if ctx.Err() != nil {
		return // the program ends; its next start makes the report
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) { // otherwise the model was erased meanwhile
		t.Log.Warn("the model has no report", "topic", done.topic, "version", done.saved.Version, "error", err)
	}
}

// assess measures how good a saved model is, and stores the report with it.
func (t *Trainer) assess(ctx context.Context, done *learned, progress func(model.Progress)) error {
	report, err := done.training.Assess(ctx)
	if err != nil {
		return err
	}
	found, err := t.rehearse(ctx, done, progress)
	if err != nil {
		return err
	}
	b, err := Reported(done.bundle, report.Rehearsed(found), t.Log.With("topic", done.topic))
	if err != nil {
		return err
	}
	facts := done.saved.Facts
	facts.Verdict = b.Report.Verdict
	if before := done.before; before != nil && before.bundle != nil {
		compareWith(&facts, *before, b) // the report may choose another test of relevance
		words, numbers := compareReports(before.bundle.Report, b.Report)
		facts.Changes, facts.Numbers = slices.Concat(facts.Changes, words), slices.Concat(facts.Numbers, numbers)
	}
	failpoint.Here("trainer.assessed")
	return models.SaveReport(ctx, t.Store.DB, done.saved, b, facts)
}

// assessAgain adds the report to a topic's newest model. It learns the same once more, since a report measures what is learned
// from parts of it; the stored model stays as it is.
func (t *Trainer) assessAgain(ctx context.Context, topic topics.Topic, progress func(model.Progress)) (*models.Model, error) {
	m, err := models.Latest(ctx, t.Store.DB, topic.ID)
	if err != nil {
		return nil, err
	}
	b, err := m.Bundle()
	if err != nil {
		return nil, err
	}
	before, err := t.versionBefore(ctx, m)
	if err != nil {
		return nil, err
	}
	in, training, err := t.study(ctx, topic, progress)
	if err != nil {
		t.Log.Warn("the model has no report", "topic", topic.ID, "version", m.Version, "error", err)
		return m, ctx.Err()
	}
	t.report(ctx, &learned{topic: topic.ID, in: in, training: training, bundle: b, before: before, saved: m}, progress)
	return m, nil
}

// versionBefore returns the version of a topic's model before m whose bundle was not erased, or nil when there is none.
func (t *Trainer) versionBefore(ctx context.Context, m *models.Model) (*version, error) {
	all, err := models.All(ctx, t.Store.DB, m.TopicID)
	if err != nil {
		return nil, err
	}
	for _, one := range all { // newest first
		if one.Version >= m.Version {
			continue
		}
		if one, err = models.ByID(ctx, t.Store.DB, one.ID); err != nil {
			return nil, err
		}
		if len(one.Encoded()) > 0 {
			return versionOf(one), nil
		}
	}
	return nil, nil
}
