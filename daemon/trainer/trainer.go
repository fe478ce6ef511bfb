// Package trainer turns what the person recorded and marked into models. Trainings run one at a time; a topic that is
// submitted again while it waits is trained once.
package trainer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"nightjar/daemon/notify"
	"nightjar/daemon/store"
	"nightjar/model"
)

// Status says how far a topic's training is, or how the last one ended.
type Status struct {
	TopicID int64  `json:"topic_id"`
	Topic   string `json:"topic"`
	Running bool   `json:"running"`
	Stage   string `json:"stage"` // model.Progress.Stage, "waiting", "reading", "saving", "done", "failed"
	Done    int    `json:"done"`
	Total   int    `json:"total"`
	Problem string `json:"problem,omitempty"` // why it failed, in words
}

// Trainer trains topics' models in the background.
type Trainer struct {
	store *store.Store
	bus   *notify.Bus
	log   *slog.Logger

	queue chan int64
	one   sync.Mutex // held by the training under way

	mu      sync.Mutex
	waiting map[int64]bool
	status  map[int64]Status
}

// New returns a trainer; Run does its work.
func New(st *store.Store, bus *notify.Bus, log *slog.Logger) *Trainer {
	return &Trainer{
		store: st, bus: bus, log: log,
		queue: make(chan int64, 256), waiting: make(map[int64]bool), status: make(map[int64]Status),
	}
}

// Run trains what is submitted until ctx ends. It begins with the topics that a killed process left untrained.
func (t *Trainer) Run(ctx context.Context) error {
	if err := t.submitStale(ctx); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case id := <-t.queue:
			t.mu.Lock()
			delete(t.waiting, id)
			t.mu.Unlock()
			if _, err := t.Train(ctx, id); err != nil && ctx.Err() == nil {
				t.log.Warn("training failed", "topic", id, "error", err)
			}
		}
	}
}

// Submit asks for a training of the topic; it returns at once.
func (t *Trainer) Submit(topicID int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting[topicID] {
		return
	}
	select {
	case t.queue <- topicID:
		t.waiting[topicID] = true
		s := Status{TopicID: topicID, Topic: t.status[topicID].Topic, Running: true, Stage: "waiting"}
		t.status[topicID] = s
		t.tell(s)
	default:
		t.log.Warn("training queue is full", "topic", topicID)
	}
}

// Status returns the state of a topic's last training; the zero Status when there was none since the start.
func (t *Trainer) Status(topicID int64) Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status[topicID]
}

func (t *Trainer) set(s Status) {
	t.mu.Lock()
	t.status[s.TopicID] = s
	t.mu.Unlock()
	t.tell(s)
}

func (t *Trainer) tell(s Status) {
	t.bus.Tell(notify.News{Kind: "training", ID: strconv.FormatInt(s.TopicID, 10), Data: s})
}

// Train trains a topic now and stores the next version of its model. A session that cannot be trained is opened again
// and says why.
func (t *Trainer) Train(ctx context.Context, topicID int64) (*store.Model, error) {
	t.one.Lock()
	defer t.one.Unlock()
	topic, err := t.store.TopicByID(ctx, topicID)
	if err != nil {
		return nil, fmt.Errorf("train topic %d: %w", topicID, err)
	}
	s := Status{TopicID: topicID, Topic: topic.Name, Running: true, Stage: "reading"}
	t.set(s)
	m, err := t.train(ctx, topic, func(p model.Progress) {
		s.Stage, s.Done, s.Total = p.Stage, p.Done, p.Total
		t.set(s)
	})
	s.Running, s.Stage = false, "done"
	if err != nil {
		s.Stage, s.Problem = "failed", Words(err)
		if Untrainable(err) {
			err = errors.Join(err, t.reopen(ctx, topicID, s.Problem))
		}
	}
	t.set(s)
	if err != nil {
		return nil, fmt.Errorf("train %q: %w", topic.Name, err)
	}
	return m, nil
}

// reopen takes the session that was submitted last back to recording: what it holds cannot be trained yet, and the
// person goes on.
func (t *Trainer) reopen(ctx context.Context, topicID int64, problem string) error {
	sessions, err := t.store.TopicSessions(ctx, topicID)
	if err != nil || len(sessions) == 0 {
		return err
	}
	last := sessions[len(sessions)-1]
	if err := t.store.ReopenSession(ctx, last.ID, problem); err != nil {
		return err
	}
	t.bus.Tell(notify.News{Kind: "session", ID: last.UUID})
	return nil
}

// Untrainable reports whether the data, not the program, is why a training failed.
func Untrainable(err error) bool {
	return errors.Is(err, model.ErrNoTarget) || errors.Is(err, model.ErrTooFewPages) || errors.Is(err, model.ErrNoText)
}

// Words says to a person why a training failed.
func Words(err error) string {
	switch {
	case Untrainable(err):
		text := err.Error()
		return strings.ToUpper(text[:1]) + text[1:] + "."
	case errors.Is(err, context.Canceled):
		return "The training was stopped; the model before it stays in use."
	default:
		return "The training failed; the model before it stays in use. The log says more."
	}
}

// train is one training: read, learn, save.
func (t *Trainer) train(ctx context.Context, topic store.Topic, progress func(model.Progress)) (*store.Model, error) {
	in, err := t.read(ctx, topic)
	if err != nil {
		return nil, err
	}
	settings, err := t.settings(ctx)
	if err != nil {
		return nil, err
	}
	b, err := model.Train(ctx, in.set, settings, progress)
	if err != nil {
		return nil, err
	}
	progress(model.Progress{Stage: "saving"})
	facts := store.ModelFacts{
		Facts: b.Facts, Gamma: b.Gamma.Value, Calibrated: b.Gamma.Calibrated,
		Sessions: in.sessions, Feedback: in.feedback,
	}
	before, err := t.store.LatestModel(ctx, topic.ID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, err
	}
	if before != nil {
		facts.Changes = changes(before.Facts, facts)
	}
	if err := t.store.ProposeStarts(ctx, topic.ID, in.entries); err != nil {
		return nil, err
	}
	return t.store.SaveModel(ctx, topic.ID, b, facts)
}

// settings are the model's defaults with what the person chose.
func (t *Trainer) settings(ctx context.Context) (model.Settings, error) {
	chosen, err := t.store.Settings(ctx)
	if err != nil {
		return model.Settings{}, err
	}
	s := model.DefaultSettings()
	s.Gamma = chosen.Gamma
	if chosen.States > 0 {
		s.States = chosen.States
	}
	return s, nil
}
