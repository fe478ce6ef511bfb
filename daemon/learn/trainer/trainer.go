// Package trainer trains models from the sessions that the person submitted, the finds that the person marked, and the positive
// pages of documents.
// Trainings run one at a time; a topic that is submitted twice before its training starts is trained once.
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
	"time"

	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/jobs"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/store"
	"nightjar/model"
	"nightjar/model/crf"
	"nightjar/model/text"
)

// Trainer trains topics' models in the background.
type Trainer struct {
	Deps

	loop    jobs.Loop
	running jobs.Running[struct{}] // trainings from the queue that have begun, and those of Train and Refresh, by topic
	slot    chan struct{}          // full while a training is running

	mu     sync.Mutex
	queue  []request // each topic once
	status map[int64]Status
	texts  map[string]text.Source // of the last training's background pages, by the hash of their content
}

// Deps is what a Trainer works with.
type Deps struct {
	Store *store.Store
	Bus   *notify.Bus
	Log   *slog.Logger

	// Nightly returns the strategy that a night would use with a model of a topic. nil means the one of the settings.
	Nightly func(ctx context.Context, topicID int64, b *model.Bundle) (Nightly, error)

	// Linkers makes what one training asks for the pages that link to positive pages. nil means the links that crawls and visits saw.
	Linkers func() Linkers

	// Before is called before the training of a topic starts, and returns when what it waits for has come; nil for nothing.
	Before func(ctx context.Context, topicID int64)
}

// New returns a trainer. Run does its work.
func New(d Deps) *Trainer {
	t := &Trainer{Deps: d, slot: make(chan struct{}, 1), status: make(map[int64]Status)}
	t.loop.Step = t.next
	return t
}

// Run trains the submitted topics until ctx ends. It starts with the topics that a killed process left untrained, and with the
// reports that it left out.
func (t *Trainer) Run(ctx context.Context) error {
	if err := t.SubmitStale(ctx); err != nil {
		return err
	}
	return t.loop.Run(ctx)
}

// next trains the first topic of the queue, and submits the combined topics that contain it. A training that failed is logged.
func (t *Trainer) next(ctx context.Context) (time.Duration, error) {
	t.mu.Lock()
	if len(t.queue) == 0 {
		t.mu.Unlock()
		return jobs.Never, nil
	}
	r := t.queue[0]
	t.queue = t.queue[1:]
	job, end := t.running.Begin(ctx, r.topic)
	t.mu.Unlock()
	if _, err := t.work(job, end, r); err != nil {
		if ctx.Err() == nil && !errors.Is(err, ErrStopped) && !errors.Is(err, errGone) {
			t.Log.Warn("training failed", "topic", r.topic, "error", err)
		}
		return 0, nil
	}
	wholes, err := topics.CombinedWith(ctx, t.Store.DB, r.topic)
	if err != nil && ctx.Err() == nil {
		t.Log.Warn("look for combined topics", "topic", r.topic, "error", err)
	}
	for _, whole := range wholes {
		if stale, err := t.Stale(ctx, whole); err == nil && stale {
			t.Submit(whole)
		}
	}
	return 0, nil
}

// Submit queues a training of the topic and returns at once.
func (t *Trainer) Submit(topicID int64) {
	t.submit(request{topic: topicID})
}

// submit queues a request. A topic that waits already keeps its place, and is trained without conditions if either request is.
func (t *Trainer) submit(r request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := t.waits(r.topic); i >= 0 {
		if !r.report && !r.stale {
			t.queue[i] = r
		}
		return
	}
	t.queue = append(t.queue, r)
	s := Status{TopicID: r.topic, Topic: t.status[r.topic].Topic, Running: true, Stage: "waiting"}
	t.status[r.topic] = s
	t.tell(s)
	t.loop.Wake()
}

// waits returns the place of a topic in the queue, -1 when it is not there. t.mu is held.
func (t *Trainer) waits(topicID int64) int {
	return slices.IndexFunc(t.queue, func(r request) bool { return r.topic == topicID })
}

// Status returns the status of a topic's last training since the program started, or the zero Status.
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
	t.Bus.Tell(notify.News{Kind: "training", ID: strconv.FormatInt(s.TopicID, 10), Data: s})
}

// Train trains a topic as soon as no other training runs, and stores the next version of its model. When the data is
// not enough, Train reopens the topic's last session, with the reason. It returns ErrStopped when Cancel stopped it.
func (t *Trainer) Train(ctx context.Context, topicID int64) (*models.Model, error) {
	ctx, end := t.running.Begin(ctx, topicID)
	return t.work(ctx, end, request{topic: topicID})
}

// work does one training, from waiting for its turn to noting how it ended; then it calls end.
func (t *Trainer) work(ctx context.Context, end func(), r request) (*models.Model, error) {
	defer end()
	topic, err := topics.ByID(context.WithoutCancel(ctx), t.Store.DB, r.topic) // even when the training was stopped already
	if err != nil && t.gone(ctx, r.topic) {
		err = errGone
	}
	if err != nil {
		return nil, fmt.Errorf("train topic %d: %w", r.topic, err)
	}
	s := Status{TopicID: topic.ID, Topic: topic.Name, Running: true, Stage: "waiting"}
	m, err := t.inTurn(ctx, topic, r, func(p model.Progress) {
		s.Stage, s.Done, s.Total = p.Stage, p.Done, p.Total
		t.set(s)
	})
	s.Running, s.Stage = false, "done"
	if err != nil && t.gone(ctx, topic.ID) {
		return nil, fmt.Errorf("train %q: %w", topic.Name, errGone)
	}
	if err != nil && stopped(ctx) {
		err = t.saveStopped(ctx, topic.ID)
	}
	if err != nil {
		s.Stage, s.Problem = "failed", Problem(err)
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

// errGone says that a topic was erased or deleted before or during its training.
var errGone = fmt.Errorf("the topic is gone: %w", store.ErrNotFound)

// gone reports whether a topic is not there any more. What is known of its training is then forgotten: another topic may get its number.
func (t *Trainer) gone(ctx context.Context, topicID int64) bool {
	_, err := topics.ByID(context.WithoutCancel(ctx), t.Store.DB, topicID)
	if !errors.Is(err, store.ErrNotFound) {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.status, topicID)
	return true
}

// inTurn waits until no other training runs, and trains, or makes the report alone.
func (t *Trainer) inTurn(ctx context.Context, topic topics.Topic, r request, progress func(model.Progress)) (*models.Model, error) {
	if t.Before != nil {
		progress(model.Progress{Stage: "documents"})
		t.Before(ctx, topic.ID)
	}
	progress(model.Progress{Stage: "waiting"})
	end, err := t.takeTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	progress(model.Progress{Stage: "reading"})
	if r.stale {
		if stale, err := t.Stale(ctx, topic.ID); err != nil {
			return nil, err
		} else if !stale { // another training was quicker
			return models.Latest(ctx, t.Store.DB, topic.ID)
		}
	}
	if r.report {
		return t.assessAgain(ctx, topic, progress)
	}
	return t.train(ctx, topic, progress)
}

// reopen sets the topic's last submitted session back to recording, so that the person can add what is missing. It
// leaves the sessions of a combined topic's members alone, since those may be enough for their own topics.
func (t *Trainer) reopen(ctx context.Context, topicID int64, problem string) error {
	own, err := sessions.OfTopic(ctx, t.Store.DB, topicID)
	own = slices.DeleteFunc(own, func(s sessions.Session) bool { return s.TopicID != topicID })
	if err != nil || len(own) == 0 {
		return err
	}
	last := own[len(own)-1]
	if err := sessions.Reopen(ctx, t.Store.DB, last.ID, problem); err != nil {
		return err
	}
	t.Bus.Tell(notify.News{Kind: "session", ID: last.UUID})
	return nil
}

// Untrainable reports whether a training failed because of its data, not because of the program.
func Untrainable(err error) bool {
	return errors.Is(err, model.ErrNoTarget) || errors.Is(err, model.ErrTooFewPages) || errors.Is(err, model.ErrNoText)
}

// Problem tells the person why a training failed.
func Problem(err error) string {
	var stuck *crf.ConvergenceError
	switch {
	case errors.As(err, &stuck):
		return fmt.Sprintf("Learning from the ways failed in iteration %d with c₂ = %g. The previous model stays in use. See the log for details.", stuck.Iteration, stuck.C2)
	case Untrainable(err):
		text := err.Error()
		return strings.ToUpper(text[:1]) + text[1:] + "."
	case errors.Is(err, ErrStopped), errors.Is(err, context.Canceled):
		return "The training was stopped. The previous model stays in use."
	default:
		return "The training failed. The previous model stays in use. See the log for details."
	}
}

// train reads, learns, saves and assesses. The model is in use as soon as it is saved. Assessing only adds its report,
// so a training that is stopped then leaves a model without one. When something is erased before the model is saved, train starts over.
func (t *Trainer) train(ctx context.Context, topic topics.Topic, progress func(model.Progress)) (*models.Model, error) {
	done, err := t.learn(ctx, topic, progress)
	for errors.Is(err, db.ErrErased) {
		done, err = t.learn(ctx, topic, progress)
	}
	if err != nil {
		return nil, err
	}
	failpoint.Here("trainer.saved")
	t.report(ctx, done, progress)
	return done.saved, nil
}

// learned is a model that was saved, and what is needed to assess it.
type learned struct {
	topic    int64
	in       *input
	training *model.Training
	bundle   *model.Bundle
	before   *version // the version before; nil for none
	saved    *models.Model
}

// learn makes the next version of a topic's model and saves it. The error is db.ErrErased when something was erased meanwhile.
func (t *Trainer) learn(ctx context.Context, topic topics.Topic, progress func(model.Progress)) (*learned, error) {
	erasures := t.Store.Erasures()
	before, err := t.newest(ctx, topic.ID)
	if err != nil {
		return nil, err
	}
	in, training, err := t.study(ctx, topic, progress)
	if err != nil {
		return nil, err
	}
	b, err := t.learnWays(ctx, training.Bundle(), in, nil, progress)
	if err != nil {
		return nil, err
	}
	if b, err = learnBayes(ctx, b, in, nil, progress); err != nil {
		return nil, err
	}
	if b, err = t.withAncestors(ctx, b, in); err != nil {
		return nil, err
	}
	progress(model.Progress{Stage: "saving"})
	failpoint.Here("trainer.has-learned")
	if err := startpages.Propose(ctx, t.Store.DB, topic.ID, in.entries, erasures); err != nil {
		return nil, err
	}
	failpoint.Here("trainer.before-save")
	m, err := models.Save(ctx, t.Store.DB, erasures, topic.ID, b, in.facts(b, before))
	return &learned{topic: topic.ID, in: in, training: training, bundle: b, before: before, saved: m}, err
}

// study reads what the topic's model learns from, and learns it.
func (t *Trainer) study(ctx context.Context, topic topics.Topic, progress func(model.Progress)) (*input, *model.Training, error) {
	settings := model.DefaultSettings()
	in, err := unlessDone(ctx, func() (*input, error) { return t.read(ctx, topic, settings.Seed) })
	if err != nil {
		return nil, nil, err
	}
	if err := t.countPages(ctx, in.recs); err != nil {
		return nil, nil, err
	}
	failpoint.Here("trainer.read")
	training, err := model.Learn(ctx, in.set, settings, progress)
	if err != nil {
		return nil, nil, in.lacking(err)
	}
	if err := training.Bundle().Usable(); err != nil {
		return nil, nil, in.lacking(err)
	}
	return in, training, nil
}

// newest returns the topic's newest version, or nil when there is none.
func (t *Trainer) newest(ctx context.Context, topicID int64) (*version, error) {
	m, err := models.Latest(ctx, t.Store.DB, topicID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return versionOf(m), nil
}

// versionOf returns a stored model as a version, without its bundle if that cannot be read.
func versionOf(m *models.Model) *version {
	v := &version{facts: m.Facts}
	if b, err := m.Bundle(); err == nil {
		v.bundle = b
	}
	return v
}

// facts returns what a new version was trained on, and what differs from the version before.
func (in *input) facts(b *model.Bundle, before *version) models.Facts {
	facts := models.Facts{
		Facts: b.Facts, Gamma: b.Gamma.Value, Calibrated: b.Gamma.Calibrated,
		Sessions: in.sessions, Feedback: in.known.Feedback, Milestones: in.known.Milestones,
		Documents: in.examples.Documents, Positives: in.known.Positives,
		BackgroundSessions: in.background.sessions, BackgroundHosts: in.background.hosts,
	}
	if before != nil {
		compareWith(&facts, *before, b)
	}
	return facts
}
