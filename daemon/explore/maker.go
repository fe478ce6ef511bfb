package explore

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"nightjar/daemon/notify"
	"nightjar/daemon/store"
	"nightjar/model/conceptset"
	"nightjar/model/ontology"
	"nightjar/model/senses"
	"nightjar/model/wordnet"
)

// Errors of a Maker, worded for the person. Compare with errors.Is.
var (
	ErrNotReady = errors.New("these groups are not made yet: wait for them, or make them again if that failed")
	ErrOptions  = errors.New("an option of the groups is wrong")
)

// Stopped is the Problem of a grouping that the person stopped.
const Stopped = "stopped by you"

// Deps are what a Maker works with.
type Deps struct {
	Store   *store.Store
	Bus     *notify.Bus
	Log     *slog.Logger     // nil means slog.Default
	WordNet WordNet          // nil means that there is none
	Shelf   Shelf            // nil means that there are no ontologies
	Now     func() time.Time // nil means time.Now
}

// WordNet returns the current WordNet; see daemon/wordnet.
type WordNet interface {
	Net() *wordnet.Net // nil while there is none
}

// Shelf gives ontologies; see daemon/ontologies.
type Shelf interface {
	// Terms returns an ontology, with its terms as words are mapped to them. The error is store.ErrNotFound when it is gone.
	Terms(ctx context.Context, id int64) (*ontology.Tree, *senses.Terms, error)
}

// Maker makes groupings, one at a time, and shows them. Create it with New. Its methods may be called concurrently.
//
// Requests are stored before they run. They run only while Run is running; the next Run begins with them.
type Maker struct {
	Deps
	wake  chan struct{} // full when there may be something to make
	views views

	mostAll   int   // pages of which all pairs are compared
	mostPairs int64 // that are kept when not all are compared

	mu  sync.Mutex
	job *job // that is being done; nil for none
}

// job is a grouping that is being made.
type job struct {
	id       int64
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed at its end
	progress Progress
	told     time.Time
}

// Causes of the end of a job.
var (
	errStopped = errors.New(Stopped)
	errAgain   = errors.New("it is made again with other options")
)

// tellEvery is the least time between two pieces of news about the progress of a grouping.
const tellEvery = 200 * time.Millisecond

// retryAfter is how long Run waits after the database failed.
const retryAfter = 5 * time.Second

// New returns a Maker.
func New(d Deps) *Maker {
	d.Log = cmp.Or(d.Log, slog.Default())
	if d.Now == nil {
		d.Now = time.Now
	}
	return &Maker{Deps: d, wake: make(chan struct{}, 1), mostAll: conceptset.MaxAll, mostPairs: conceptset.MaxKept}
}

// Run makes groupings until ctx ends. It begins with those that were in the making when the program last ended.
func (m *Maker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		g, err := m.Store.NextGrouping(ctx)
		switch {
		case err == nil:
			err = m.work(ctx, g)
		case errors.Is(err, store.ErrNotFound):
			select {
			case <-ctx.Done():
			case <-m.wake:
			}
			continue
		}
		if err != nil && ctx.Err() == nil {
			m.Log.Error("make groups of pages", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(retryAfter):
			}
		}
	}
	return nil
}

// work makes one grouping. The error is one of the store, which may be gone at the next try.
func (m *Maker) work(ctx context.Context, g store.Grouping) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	j := &job{id: g.ID, cancel: cancel, done: make(chan struct{})}
	m.mu.Lock()
	m.job = j
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		m.job = nil
		m.mu.Unlock()
		close(j.done)
		m.tell(g.ID, Progress{})
	}()
	// Group or Stop may have come between the reading of g and the lines above, and found no job.
	g, err := m.Store.Grouping(ctx, g.ID)
	if err != nil || g.State != store.GroupingWorks {
		return nilIf(err, store.ErrNotFound)
	}
	err = m.make(ctx, g)
	if err == nil || ctx.Err() != nil {
		return nil // when the program ends, the grouping is still working
	}
	if errors.Is(err, store.ErrGroupingChanged) {
		return nil
	}
	m.Log.Warn("the making of groups failed", "grouping", g.ID, "error", err)
	return nilIf(m.Store.FailGrouping(context.WithoutCancel(ctx), g, err.Error()), store.ErrGroupingChanged)
}

// nilIf leaves out an error that is expected.
func nilIf(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// wakeUp lets Run look for something to make.
func (m *Maker) wakeUp() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// halt ends the making of a grouping and waits for its end.
func (m *Maker) halt(ctx context.Context, id int64, why error) error {
	m.mu.Lock()
	j := m.job
	m.mu.Unlock()
	if j == nil || j.id != id {
		return nil
	}
	j.cancel(why)
	select {
	case <-j.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Waiting is the Step of a grouping that is made after the one that is being made.
const Waiting = "Waiting for the grouping before it"

// Progress returns the progress of a grouping that the store has as working. It is zero before the first step.
func (m *Maker) Progress(id int64) Progress {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.progress(id)
}

// progress is Progress for a caller that holds mu.
func (m *Maker) progress(id int64) Progress {
	switch {
	case m.job == nil:
		return Progress{}
	case m.job.id != id:
		return Progress{Step: Waiting}
	}
	return m.job.progress
}

// note records the progress of a grouping. It is published when the step changes, otherwise at most every tellEvery.
func (m *Maker) note(id int64, p Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	j := m.job
	if j == nil || j.id != id {
		return
	}
	now := time.Now()
	tell := p.Step != j.progress.Step || now.Sub(j.told) >= tellEvery
	if j.progress = p; tell {
		j.told = now
		m.tell(id, p)
	}
}

// tellProgress reports the progress of a grouping. It holds mu, so that steps are reported in order.
func (m *Maker) tellProgress(id int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tell(id, m.progress(id))
}

// tell says on the bus that a grouping has changed.
func (m *Maker) tell(id int64, p Progress) {
	m.Bus.Tell(notify.News{Kind: "groupings", ID: strconv.FormatInt(id, 10), Data: p})
}

// net is the current WordNet, or nil.
func (m *Maker) net() *wordnet.Net {
	if m.WordNet == nil {
		return nil
	}
	return m.WordNet.Net()
}
