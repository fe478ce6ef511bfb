package trainer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
	"nightjar/model"
)

// Import stores a model that was trained elsewhere as the newest version of its topic's model, and creates the topic if
// needed. The model is used until the topic is trained again, which happens when there is something new to learn from.
// A model that is equal to the newest version is not stored again.
func (t *Trainer) Import(ctx context.Context, b *model.Bundle) (topics.Topic, *models.Model, error) {
	topic, err := topics.Create(ctx, t.Store.DB, b.Topic)
	if err != nil {
		return topic, nil, fmt.Errorf("import model of topic %q: %w", b.Topic, err)
	}
	erasures := t.Store.Erasures()
	encoded, err := b.Encode()
	if err != nil {
		return topic, nil, err
	}
	newest, err := models.Latest(ctx, t.Store.DB, topic.ID)
	if err == nil && bytes.Equal(newest.Encoded(), encoded) {
		return topic, newest, nil
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return topic, nil, err
	}
	facts, err := t.importedFacts(ctx, topic.ID, b)
	if err != nil {
		return topic, nil, err
	}
	m, err := models.Save(ctx, t.Store.DB, erasures, topic.ID, b, facts)
	if errors.Is(err, db.ErrErased) { // the facts may say what was erased
		return t.Import(ctx, b)
	}
	if err != nil {
		return topic, nil, err
	}
	t.Bus.Tell(notify.News{Kind: "training", ID: strconv.FormatInt(topic.ID, 10), Data: t.Status(topic.ID)})
	return topic, m, nil
}

const imported = "imported from a file"

// importedFacts returns what is known of a model that was trained elsewhere.
func (t *Trainer) importedFacts(ctx context.Context, topicID int64, b *model.Bundle) (models.Facts, error) {
	facts := models.Facts{Facts: b.Facts, Gamma: b.Gamma.Value, Calibrated: b.Gamma.Calibrated, Imported: true}
	now, err := trainingdata.KnownOf(ctx, t.Store.DB, topicID)
	if err != nil {
		return facts, err
	}
	facts.Beside, facts.Feedback, facts.Milestones, facts.Positives = now.Sessions, now.Feedback, now.Milestones, now.Positives
	facts.Changes = []string{imported}
	before, err := t.newest(ctx, topicID)
	if err != nil || before == nil {
		return facts, err
	}
	without := *before // the sessions of an imported model are unknown, so they are not compared
	without.facts.Sessions, without.facts.Documents = nil, nil
	compareWith(&facts, without, b)
	facts.Changes = append([]string{imported}, facts.Changes...)
	return facts, nil
}
