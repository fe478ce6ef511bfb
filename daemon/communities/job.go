package communities

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"nightjar/daemon/notify"
	"nightjar/daemon/store"
)

// Maker makes maps of communities, one step at a time. Create it with New. Its methods may be called concurrently.
//
// Requests are stored before they run. They run only while Run is running; the next Run resumes them.
type Maker struct {
	Deps
	drawing chan struct{} // full while a map is drawn; drawing one uses all processors

	mu    sync.Mutex
	run   context.Context // of Run; nil while it is not running
	jobs  map[int64]*job
	group sync.WaitGroup
}

// job runs the steps of a map.
type job struct {
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed at the end
	again    bool          // begin was called meanwhile: look once more before the end
	progress Progress
	told     time.Time
}

// errStopped is the cause of the end of a job that the person stopped.
var errStopped = errors.New(Stopped)

// tellEvery is the minimum time between two progress messages of one map.
const tellEvery = 200 * time.Millisecond

// New returns a Maker.
func New(d Deps) *Maker {
	d.Log = cmp.Or(d.Log, slog.Default())
	if d.Now == nil {
		d.Now = time.Now
	}
	return &Maker{Deps: d, drawing: make(chan struct{}, 1), jobs: map[int64]*job{}}
}

// Run does the steps of maps until ctx ends. It begins with the maps that were working when the program last ended.
func (m *Maker) Run(ctx context.Context) error {
	m.mu.Lock()
	m.run = ctx
	m.mu.Unlock()
	all, err := m.Store.Maps(ctx)
	for _, one := range all {
		if one.State == store.MapWorks {
			m.begin(one.ID)
		}
	}
	if err == nil {
		<-ctx.Done()
	}
	m.mu.Lock()
	m.run = nil
	m.mu.Unlock()
	m.group.Wait()
	if err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// begin runs the steps of a working map. A job that is about to end looks once more. begin does nothing while Run is
// not running.
func (m *Maker) begin(id int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.run == nil || m.run.Err() != nil {
		return
	}
	if j := m.jobs[id]; j != nil {
		j.again = true
		return
	}
	ctx, cancel := context.WithCancelCause(m.run)
	j := &job{cancel: cancel, done: make(chan struct{})}
	m.jobs[id] = j
	m.group.Go(func() {
		for more := true; more; more = m.goesOn(ctx, id, j) {
			m.work(ctx, id)
		}
		cancel(nil)
		close(j.done)
		m.tell(id)
	})
}

// goesOn reports whether begin was called while a job was ending, and removes the job otherwise.
func (m *Maker) goesOn(ctx context.Context, id int64, j *job) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if j.again && ctx.Err() == nil {
		j.again = false
		return true
	}
	delete(m.jobs, id)
	return false
}

// halt ends the job of a map and waits for its end. It reports whether there was one.
func (m *Maker) halt(ctx context.Context, id int64, why error) (bool, error) {
	m.mu.Lock()
	j := m.jobs[id]
	m.mu.Unlock()
	if j == nil {
		return false, nil
	}
	j.cancel(why)
	select {
	case <-j.done:
		return true, nil
	case <-ctx.Done():
		return true, ctx.Err()
	}
}

// note records the progress of a step. It is published when the step changes, otherwise at most every tellEvery.
func (m *Maker) note(id int64, p Progress) {
	m.mu.Lock()
	j := m.jobs[id]
	tell := false
	if j != nil {
		now := time.Now()
		tell = p.Step != j.progress.Step || now.Sub(j.told) >= tellEvery
		if j.progress = p; tell {
			j.told = now
		}
	}
	m.mu.Unlock()
	if tell {
		m.tell(id)
	}
}

// Progress returns the progress of a map's current step, the zero Progress if none is running.
func (m *Maker) Progress(id int64) Progress {
	m.mu.Lock()
	defer m.mu.Unlock()
	if j := m.jobs[id]; j != nil {
		return j.progress
	}
	return Progress{}
}

// Working lists the maps with a running step.
func (m *Maker) Working() []int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.jobs))
}

// tell announces on the bus that a map has changed.
func (m *Maker) tell(id int64) {
	m.Bus.Tell(notify.News{Kind: "map", ID: strconv.FormatInt(id, 10), Data: m.Progress(id)})
}

// Wait waits until a map waits for the person, failed or is done, and tells its progress, which may be nil. When nothing
// runs the Maker, Wait waits until ctx ends.
func (m *Maker) Wait(ctx context.Context, id int64, progress func(Progress)) (store.Map, error) {
	news, end := m.Bus.Listen()
	defer end()
	tick := time.NewTicker(time.Second) // a message may be lost
	defer tick.Stop()
	var last Progress
	for {
		one, err := m.Store.MapByID(ctx, id)
		if err != nil || one.State != store.MapWorks {
			return one, err
		}
		if p := m.Progress(id); p != last && progress != nil {
			progress(p)
			last = p
		}
		select {
		case <-ctx.Done():
			return one, ctx.Err()
		case <-tick.C:
		case <-news:
		}
	}
}
