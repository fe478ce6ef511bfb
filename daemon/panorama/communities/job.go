package communities

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"nightjar/daemon/base/jobs"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/panorama/maps"
)

// Maker makes maps of communities, one step at a time. Create it with New. Its methods may be called concurrently.
//
// Requests are stored before they run. They run only while Run is running; the next Run resumes them.
type Maker struct {
	Deps
	drawing chan struct{} // full while a map is drawn; drawing one uses all processors
	loop    jobs.Loop
	running jobs.Running[Progress]
	group   sync.WaitGroup // of the goroutines of running
}

const (
	retryLook = 5 * time.Second // after the maps could not be listed
	retryStep = time.Minute     // after the end of a step could not be stored; some steps take long
)

// errStopped is the cause of the end of a job that the person stopped.
var errStopped = errors.New(Stopped)

// New returns a Maker.
func New(d Deps) *Maker {
	d.Log = cmp.Or(d.Log, slog.Default())
	if d.Now == nil {
		d.Now = time.Now
	}
	m := &Maker{Deps: d, drawing: make(chan struct{}, 1)}
	m.running.Tell = m.tellProgress
	m.loop.Step, m.loop.Retry = m.begin, retryLook
	m.loop.Failed = func(err error) { m.Log.Error("list the maps to be made", "error", err) }
	return m
}

// Run does the steps of maps until ctx ends. It begins with the maps that were working when the program last ended.
func (m *Maker) Run(ctx context.Context) error {
	defer m.group.Wait()
	return m.loop.Run(ctx)
}

// begin starts the jobs of working maps that have none.
func (m *Maker) begin(ctx context.Context) (time.Duration, error) {
	all, err := maps.All(ctx, m.Store.DB)
	for _, one := range all {
		if one.State != maps.Working || m.running.Busy(one.ID) {
			continue
		}
		job, end := m.running.Begin(ctx, one.ID)
		m.group.Go(func() {
			m.work(job, one.ID)
			end()
			m.tell(one.ID)
			m.loop.Wake() // the person may have told it to go on while it ended
		})
	}
	return jobs.Never, err
}

// halt ends the job of a map, waits for its end, and calls then before another one begins.
func (m *Maker) halt(ctx context.Context, id int64, then func() error) error {
	defer m.loop.Wake()
	return m.running.Stop(ctx, id, errStopped, then)
}

// note records the progress of a step. It is published when the step changes, otherwise at most every 200 ms.
func (m *Maker) note(id int64, p Progress) { m.running.Note(id, string(p.Step), p) }

// Progress returns the progress of a map's current step, the zero Progress if none is running.
func (m *Maker) Progress(id int64) Progress { return m.running.Progress(id) }

// tell announces on the bus that a map has changed.
func (m *Maker) tell(id int64) { m.tellProgress(id, m.Progress(id)) }

func (m *Maker) tellProgress(id int64, p Progress) {
	m.Bus.Tell(notify.News{Kind: "map", ID: strconv.FormatInt(id, 10), Data: p})
}

// Wait waits until a map waits for the person, failed or is done, and tells its progress, which may be nil. When nothing
// runs the Maker, Wait waits until ctx ends.
func (m *Maker) Wait(ctx context.Context, id int64, progress func(Progress)) (one maps.Map, err error) {
	var last Progress
	err = m.Bus.Until(ctx, time.Second, func() (bool, error) {
		one, err = maps.ByID(ctx, m.Store.DB, id)
		if err != nil || one.State != maps.Working {
			return true, err
		}
		if p := m.Progress(id); p != last && progress != nil {
			progress(p)
			last = p
		}
		return false, nil
	})
	return one, err
}
