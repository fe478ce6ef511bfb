package communities

import (
	"context"
	"errors"
	"strconv"

	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store"
	"nightjar/model"
)

// train is the step StepTraining: it makes the topic of a document, and trains it unless its model is up to date.
func (m *Maker) train(ctx context.Context, one maps.Map) error {
	topic := one.Topic
	if one.Source == maps.FromDocument {
		made, err := maps.DocumentTopic(ctx, m.Store.DB, one.Document)
		if err != nil {
			return err
		}
		topic = made.ID
		if err := m.change(ctx, one.ID, func(one *maps.Map) { one.Topic = topic }); err != nil {
			return err
		}
	}
	if ready, err := m.trained(ctx, topic, one.Options.Paper); ready || err != nil {
		return err
	}
	defer m.follow(one.ID, topic)()
	made, err := m.Trainer.Train(ctx, topic)
	if err != nil {
		return err
	}
	return classifies(made, one.Options.Paper)
}

// trained reports whether a topic's newest model has the classifier that a map needs, and knows all there is to learn from.
func (m *Maker) trained(ctx context.Context, topic int64, paper bool) (bool, error) {
	if stale, err := m.Trainer.Stale(ctx, topic); stale || err != nil {
		return false, err
	}
	latest, err := models.Latest(ctx, m.Store.DB, topic)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil && classifies(latest, paper) == nil, err
}

// classifies returns why a model cannot tell the pages of a map from others.
func classifies(latest *models.Model, paper bool) error {
	b, err := latest.Bundle()
	switch {
	case err != nil:
		return err
	case b.Bayes == nil && b.NoBayes == "":
		return errors.New("the model has no classifier: train the topic again")
	case b.Bayes == nil:
		return errors.New(b.NoBayes)
	case gaussian(b) != paper:
		return errors.New("the classifier of this topic is of the other kind: train the topic again")
	}
	return nil
}

// gaussian reports whether the classifier of a model is the paper's.
func gaussian(b *model.Bundle) bool { return b.Bayes.Store().Gaussian != nil }

// follow tells the progress of a topic's training as that of a map, until the returned function is called.
func (m *Maker) follow(id, topic int64) (end func()) {
	news, stop := m.Bus.Listen()
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-over:
				return
			case n := <-news:
				if n.Kind != "training" || n.ID != strconv.FormatInt(topic, 10) {
					continue
				}
				s := m.Trainer.Status(topic)
				m.note(id, Progress{Step: maps.StepTraining, Done: s.Done, Of: s.Total, Text: trainer.InWords(s.Stage)})
			}
		}
	}()
	return func() {
		stop()
		close(over)
		<-ended
	}
}
