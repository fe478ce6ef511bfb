package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"nightjar/daemon/session"
	"nightjar/daemon/store"
	"nightjar/daemon/trainer"
	"nightjar/model"
)

// Imported is the result of an import. A session file sets the numbers, a model Topic and Version.
type Imported struct {
	Events   int               `json:"events"`
	Sessions int               `json:"sessions"`
	Refused  []session.Refusal `json:"refused"`            // events left out by the privacy rules
	Problems []string          `json:"problems,omitempty"` // why submitted sessions cannot be trained and stay open
	Topic    string            `json:"topic,omitempty"`    // of the imported model
	Version  int               `json:"version,omitempty"`  // that the imported model became
}

// IsModel reports whether a file holds a model and not sessions, by its first bytes or by its name.
func IsModel(name string, text []byte) bool {
	return bytes.HasPrefix(text, []byte("NJBUNDLE")) || strings.HasSuffix(name, ".bundle")
}

// Import stores a session file completely or not at all and trains the topics that it submits. A model becomes the newest
// version of its topic's model.
func (a *App) Import(ctx context.Context, r io.Reader) (*Imported, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("import: %w", err)
	}
	done, topics, err := importFile(ctx, a.Store, a.Trainer, text)
	for _, id := range topics {
		a.Trainer.Submit(id)
	}
	return done, err
}

// importFile stores a session file or a model, and returns the topics that have something new to learn.
func importFile(ctx context.Context, st *store.Store, t *trainer.Trainer, text []byte) (*Imported, []int64, error) {
	if IsModel("", text) {
		done, err := importModel(ctx, t, text)
		return done, nil, err
	}
	return importEvents(ctx, st, text)
}

// importModel stores a model as the newest version of its topic's model.
func importModel(ctx context.Context, t *trainer.Trainer, text []byte) (*Imported, error) {
	b, err := ReadModel(text)
	if err != nil {
		return nil, err
	}
	topic, m, err := t.Import(ctx, b)
	if err != nil {
		return nil, err
	}
	return &Imported{Topic: topic.Name, Version: m.Version}, nil
}

// ReadModel decodes a model. Its errors say what to do.
func ReadModel(text []byte) (*model.Bundle, error) {
	b, err := model.Decode(text)
	switch {
	case errors.Is(err, model.ErrNewerFormat):
		return nil, WithHint(err, "update nightjar, then import the model again; nothing was imported")
	case errors.Is(err, model.ErrOlderFormat):
		return nil, WithHint(err, "import the sessions that it was trained on instead, or export it again with this version; nothing was imported")
	case err != nil:
		return nil, WithHint(err, "the file is incomplete or damaged: export or copy it again; nothing was imported")
	}
	return b, nil
}

// importEvents stores the events of a session file and returns the topics to train.
func importEvents(ctx context.Context, st *store.Store, file []byte) (*Imported, []int64, error) {
	events, refused, err := session.ReadAdmitted(bytes.NewReader(file))
	if err != nil {
		return nil, nil, err
	}
	in, err := st.Ingest(ctx, events)
	if err != nil {
		return nil, nil, fmt.Errorf("import: %w", err)
	}
	sessions := map[string]bool{}
	for _, e := range events {
		sessions[e.Session] = true
	}
	done := &Imported{Events: len(in.Acked), Sessions: len(sessions), Refused: append(refused, in.Refused...)}
	all, err := st.Sessions(ctx)
	if err != nil {
		return nil, nil, err
	}
	var topics []int64
	for _, s := range all {
		for _, part := range s.Parts { // of a session that browsers recorded together, any part may be in the file
			sessions[s.UUID] = sessions[s.UUID] || sessions[part.UUID]
		}
		if sessions[s.UUID] && s.Problem != "" {
			done.Problems = append(done.Problems, fmt.Sprintf("session %s of %q stays open: %s", s.UUID, s.Topic, s.Problem))
		}
		if sessions[s.UUID] && s.Status == "submitted" && !slices.Contains(topics, s.TopicID) {
			topics = append(topics, s.TopicID)
		}
	}
	return done, topics, nil
}

// TrainTopic queues a training of the topic with that name.
func (a *App) TrainTopic(ctx context.Context, name string) (map[string]string, error) {
	topic, err := a.Store.TopicByName(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("topic %q: %w", name, err)
	}
	a.Trainer.Submit(topic.ID)
	return map[string]string{"training": topic.Name}, nil
}

// Import stores a session file or a model in a store that no daemon serves. It trains the topics of sessions before it
// returns. When it returns both a result and an error, the file is stored and a training failed.
func Import(ctx context.Context, st *store.Store, t *trainer.Trainer, text []byte) (*Imported, error) {
	done, topics, err := importFile(ctx, st, t, text)
	if err != nil {
		return nil, err
	}
	for _, id := range topics {
		switch _, err := t.Train(ctx, id); {
		case trainer.Untrainable(err):
			done.Problems = append(done.Problems, err.Error())
		case err != nil:
			return done, err
		}
	}
	return done, nil
}
