package explore

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"nightjar/daemon/base/jobs"
	"nightjar/daemon/base/notify"
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
	WordNet wordnet.Source   // nil means that there is none
	Shelf   Shelf            // nil means that there are no ontologies
	Now     func() time.Time // nil means time.Now
}

// Shelf gives ontologies; see daemon/thesus/ontologies.
type Shelf interface {
	// Terms returns an ontology, with its terms as words are mapped to them. The error is store.ErrNotFound when it is gone.
	Terms(ctx context.Context, id int64) (*ontology.Tree, *senses.Terms, error)
}

// Maker makes groupings, one at a time, and shows them. Create it with New. Its methods may be called concurrently.
//
// Requests are stored before they run. They run only while Run is running; the next Run begins with them.
type Maker struct {
	Deps
	loop    jobs.Loop
	running jobs.Running[Progress]
	views   *lru.Cache[int64, *loaded] // finished groupings, by their number

	mostAll   int   // pages of which all pairs are compared
	mostPairs int64 // that are kept when not all are compared
}

// Causes of the end of a job.
var (
	errStopped = errors.New(Stopped)
	errAgain   = errors.New("it is made again with other options")
)

// New returns a Maker.
func New(d Deps) *Maker {
	d.Log = cmp.Or(d.Log, slog.Default())
	if d.Now == nil {
		d.Now = time.Now
	}
	views, _ := lru.New[int64, *loaded](mostViews) // the only error is a size of 0
	m := &Maker{Deps: d, views: views, mostAll: conceptset.MaxAll, mostPairs: conceptset.MaxKept}
	m.running.Tell = m.tell
	m.loop.Step, m.loop.Retry = m.next, 5*time.Second
	m.loop.Failed = func(err error) { m.Log.Error("make groups of pages", "error", err) }
	return m
}

// Run makes groupings until ctx ends. It begins with those that were in the making when the program last ended.
func (m *Maker) Run(ctx context.Context) error { return m.loop.Run(ctx) }

// next makes the next grouping.
func (m *Maker) next(ctx context.Context) (time.Duration, error) {
	g, err := NextGrouping(ctx, m.Store.DB)
	if err != nil {
		return jobs.Never, nilIf(err, store.ErrNotFound)
	}
	return 0, m.work(ctx, g)
}

// work makes one grouping. The error is one of the store, which may be gone at the next try.
func (m *Maker) work(ctx context.Context, g Grouping) error {
	defer m.tell(g.ID, Progress{})
	ctx, end := m.running.Begin(ctx, g.ID)
	defer end()
	// Group or Stop may have come between the reading of g and the line above, and found no job.
	g, err := GroupingByID(ctx, m.Store.DB, g.ID)
	if err != nil || g.State != GroupingWorks {
		return nilIf(err, store.ErrNotFound)
	}
	err = m.make(ctx, g)
	if err == nil || ctx.Err() != nil {
		return nil // when the program ends, the grouping is still working
	}
	if errors.Is(err, ErrGroupingChanged) {
		return nil
	}
	m.Log.Warn("the making of groups failed", "grouping", g.ID, "error", err)
	return nilIf(FailGrouping(context.WithoutCancel(ctx), m.Store.DB, g, err.Error()), ErrGroupingChanged)
}

// nilIf leaves out an error that is expected.
func nilIf(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// Waiting is the Step of a grouping that is made after the one that is being made.
const Waiting = "Waiting for the grouping before it"

// Progress returns the progress of a grouping that the store has as working. It is zero before the first step.
func (m *Maker) Progress(id int64) Progress {
	if all := m.running.IDs(); len(all) > 0 && all[0] != id {
		return Progress{Step: Waiting}
	}
	return m.running.Progress(id)
}

// tell says on the bus that a grouping has changed.
func (m *Maker) tell(id int64, p Progress) {
	m.Bus.Tell(notify.News{Kind: "groupings", ID: strconv.FormatInt(id, 10), Data: p})
}

// net is the current WordNet, or nil.
func (m *Maker) net() *wordnet.Net { return wordnet.Of(m.WordNet) }
