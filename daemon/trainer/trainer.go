// Package trainer turns what the person recorded and marked into models. Trainings run one at a time; a topic that is
// submitted again while it waits is trained once.
package trainer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
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
	Stage   string `json:"stage"` // model.Progress.Stage, "waiting", "reading", "saving", "done", "failed", "stopped"
	Done    int    `json:"done"`
	Total   int    `json:"total"`
	Problem string `json:"problem,omitempty"` // why it failed, or that it was stopped, in words
}

// Trainer trains topics' models in the background.
type Trainer struct {
	store *store.Store
	bus   *notify.Bus
	log   *slog.Logger

	queue chan int64
	one   chan struct{} // full while a training is under way

	mu      sync.Mutex
	waiting map[int64]bool
	jobs    map[int64][]*job // not ended, by topic
	status  map[int64]Status
	texts   map[string]string // of the pages that stood for the rest of the web last, by the hash of their content
}

// New returns a trainer; Run does its work.
func New(st *store.Store, bus *notify.Bus, log *slog.Logger) *Trainer {
	return &Trainer{
		store: st, bus: bus, log: log,
		queue: make(chan int64, 256), one: make(chan struct{}, 1),
		waiting: make(map[int64]bool), jobs: make(map[int64][]*job), status: make(map[int64]Status),
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
			t.trainSubmitted(ctx, id)
		}
	}
}

// trainSubmitted trains a topic of the queue, unless that was called off, and submits the combined topics that it is
// part of.
func (t *Trainer) trainSubmitted(ctx context.Context, id int64) {
	t.mu.Lock()
	if !t.waiting[id] {
		t.mu.Unlock()
		return
	}
	delete(t.waiting, id)
	j, jobCtx := t.beginLocked(ctx, id)
	t.mu.Unlock()
	if _, err := t.work(jobCtx, j); err != nil {
		if ctx.Err() == nil && !errors.Is(err, ErrStopped) {
			t.log.Warn("training failed", "topic", id, "error", err)
		}
		return
	}
	wholes, err := t.store.Wholes(ctx, id)
	if err != nil && ctx.Err() == nil {
		t.log.Warn("look for combined topics", "topic", id, "error", err)
	}
	for _, whole := range wholes {
		if stale, err := t.Stale(ctx, whole); err == nil && stale {
			t.Submit(whole)
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
// and says why. A training that was stopped by Cancel ends with ErrStopped.
func (t *Trainer) Train(ctx context.Context, topicID int64) (*store.Model, error) {
	t.mu.Lock()
	j, ctx := t.beginLocked(ctx, topicID)
	t.mu.Unlock()
	return t.work(ctx, j)
}

// work is one training, from waiting for its turn to saying how it ended.
func (t *Trainer) work(ctx context.Context, j *job) (*store.Model, error) {
	defer t.end(j)
	topic, err := t.store.TopicByID(context.WithoutCancel(ctx), j.topic) // also of a training that is stopped already
	if err != nil {
		return nil, fmt.Errorf("train topic %d: %w", j.topic, err)
	}
	s := Status{TopicID: topic.ID, Topic: topic.Name, Running: true, Stage: "waiting"}
	m, err := t.inTurn(ctx, topic, func(p model.Progress) {
		s.Stage, s.Done, s.Total = p.Stage, p.Done, p.Total
		t.set(s)
	})
	s.Running, s.Stage = false, "done"
	if err != nil && stopped(ctx) {
		err = t.remember(ctx, topic.ID)
	}
	if err != nil {
		s.Stage, s.Problem = "failed", Words(err)
	}
	switch {
	case errors.Is(err, ErrStopped):
		s.Stage = "stopped"
	case Untrainable(err):
		err = errors.Join(err, t.reopen(ctx, topic.ID, s.Problem))
	}
	t.set(s)
	if err != nil {
		return nil, fmt.Errorf("train %q: %w", topic.Name, err)
	}
	return m, nil
}

// inTurn waits until no other training is under way, and trains.
func (t *Trainer) inTurn(ctx context.Context, topic store.Topic, progress func(model.Progress)) (*store.Model, error) {
	progress(model.Progress{Stage: "waiting"})
	select {
	case t.one <- struct{}{}:
		defer func() { <-t.one }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	progress(model.Progress{Stage: "reading"})
	return t.train(ctx, topic, progress)
}

// reopen takes the session of the topic that was submitted last back to recording: what it holds cannot be trained yet,
// and the person goes on. Sessions of a combined topic's members are left alone: those can be trained by themselves.
func (t *Trainer) reopen(ctx context.Context, topicID int64, problem string) error {
	sessions, err := t.store.TopicSessions(ctx, topicID)
	sessions = slices.DeleteFunc(sessions, func(s store.Session) bool { return s.TopicID != topicID })
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
	case errors.Is(err, ErrStopped), errors.Is(err, context.Canceled):
		return "The training was stopped; the model before it stays in use."
	default:
		return "The training failed; the model before it stays in use. The log says more."
	}
}

// train reads, learns, saves and assesses. The model is in use from when it is saved: what comes after only says how sure
// it is, and stopping that leaves the model without a report. When something is erased while it learns, it forgets what
// it learned and begins again.
func (t *Trainer) train(ctx context.Context, topic store.Topic, progress func(model.Progress)) (*store.Model, error) {
	for {
		erasures := t.store.Erasures()
		before, err := t.newest(ctx, topic.ID)
		if err != nil {
			return nil, err
		}
		training, m, err := t.learn(ctx, topic, before, progress)
		if err != nil {
			return nil, err
		}
		if t.store.Erasures() != erasures {
			if err := t.store.ForgetModel(context.WithoutCancel(ctx), m.ID); err != nil {
				return nil, err
			}
			continue
		}
		if err := t.assess(ctx, training, m, before); err != nil && ctx.Err() == nil {
			t.log.Warn("the model has no report", "topic", topic.ID, "version", m.Version, "error", err)
		}
		return m, nil
	}
}

// learn makes the next version of a topic's model and saves it.
func (t *Trainer) learn(ctx context.Context, topic store.Topic, before *version, progress func(model.Progress)) (*model.Training, *store.Model, error) {
	in, err := unlessDone(ctx, func() (*input, error) { return t.read(ctx, topic) })
	if err != nil {
		return nil, nil, err
	}
	settings, err := t.settings(ctx)
	if err != nil {
		return nil, nil, err
	}
	training, err := model.Learn(ctx, in.set, settings, progress)
	if err != nil {
		return nil, nil, err
	}
	progress(model.Progress{Stage: "saving"})
	if err := t.store.ProposeStarts(ctx, topic.ID, in.entries); err != nil {
		return nil, nil, err
	}
	m, err := t.store.SaveModel(ctx, topic.ID, training.Bundle(), in.facts(training.Bundle(), before))
	return training, m, err
}

// newest is the version that another will follow, nil when there is none.
func (t *Trainer) newest(ctx context.Context, topicID int64) (*version, error) {
	m, err := t.store.LatestModel(ctx, topicID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	v := &version{facts: m.Facts}
	if b, err := m.Bundle(); err == nil {
		v.bundle = b
	}
	return v, nil
}

// facts says what a new version was trained on, and what differs from the version before.
func (in *input) facts(b *model.Bundle, before *version) store.ModelFacts {
	facts := store.ModelFacts{
		Facts: b.Facts, Gamma: b.Gamma.Value, Calibrated: b.Gamma.Calibrated,
		Sessions: in.sessions, Feedback: in.known.Feedback,
		BackgroundSessions: in.rest.sessions, BackgroundHosts: in.rest.hosts,
	}
	if before != nil {
		facts.Changes, facts.Numbers = compare(*before, version{b, facts})
	}
	return facts
}

// assess measures how sure a saved model is, and keeps the report with it.
func (t *Trainer) assess(ctx context.Context, training *model.Training, m *store.Model, before *version) error {
	report, err := training.Assess(ctx)
	if err != nil {
		return err
	}
	facts := m.Facts
	facts.Verdict = report.Verdict
	if before != nil && before.bundle != nil {
		words, numbers := compareReports(before.bundle.Report, report)
		facts.Changes, facts.Numbers = slices.Concat(facts.Changes, words), slices.Concat(facts.Numbers, numbers)
	}
	return t.store.SaveReport(ctx, m, training.Bundle().WithReport(report), facts)
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
