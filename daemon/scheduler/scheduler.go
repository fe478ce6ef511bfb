// Package scheduler runs crawls: at night by itself, and when the person asks.
//
// A night's crawls share its budget and take turns of a few pages, so that each topic gets on. A turn does not wait for
// its fetches: those in flight at its end go on, and the crawl takes in what they brought in its next turn, or when it is
// forgotten. They count as pages of the night's budget. One goroutine, Run, owns the crawls in memory; the store has the
// truth, so that a daemon that is started again goes on with what was running. The clock is looked at often and never trusted to run evenly: sleep, restarts and changes of the clock only
// move the moment at which a window is found open or closed.
//
// A crawl waits while the person paused it, and while the machine's power, network or disk are not as the settings ask:
// it gets no turn, and says why (Pause, Resume, conditions.go). One that waits for the network to come back has its turn
// and waits in it. Crawls that run at a time share fetcher, archive and browser (web.go).
package scheduler

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/archive"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/daemon/machine"
	"nightjar/daemon/notify"
	"nightjar/daemon/settings"
	"nightjar/daemon/store"
	"nightjar/daemon/trainer"
	"nightjar/model"
)

// Errors of RunNow, in words for the person.
var (
	ErrNoModel = errors.New("this topic has learned nothing yet: submit a session first")
	ErrNoStart = errors.New("tick at least one start page first")
)

// Options are the parts and choices a scheduler needs. The zero value crawls the live web by the settings.
type Options struct {
	Clock        clock.Clock      // of local time; nil means the machine's
	Log          *slog.Logger     // nil means slog.Default
	Resolve      []string         // PATTERN=ADDR:PORT of the command line, added to the settings' own
	AllowPrivate []string         // CIDR, added to the settings' own
	Self         []string         // addresses the daemon listens on, never fetched
	Version      string           // for the User-Agent
	Trainer      *trainer.Trainer // trains a topic anew before its crawl; nil takes models as they are
	Tick         time.Duration    // how often the clock is looked at while nothing runs; 0 means a second
	Turn         int              // pages of a turn; 0 means 25
	Workers      int              // fetches in flight; 0 means 8

	// Machine tells what crawls may have to wait for: power, network, disk. nil means that nothing is known of it.
	Machine func(context.Context) machine.State

	// Archive keeps what crawls of the live web fetch, when the settings say so. nil means that nothing is kept.
	Archive *archive.Archive

	// Fetcher makes what fetches for the crawls; nil means the live web.
	Fetcher func(settings.Settings) (fetch.Fetcher, error)

	// Strategy makes the strategy of a name for a crawl; nil means strategy.New.
	Strategy func(ctx context.Context, name string, b *model.Bundle) (strategy.Strategy, error)
}

// Scheduler runs crawls. Make it with New; its methods may be called concurrently.
type Scheduler struct {
	st   *store.Store
	bus  *notify.Bus
	o    Options
	wake chan struct{}

	making  sync.Mutex // held while a crawl is made, so that a topic never has two
	showing sync.Mutex // held while it is kept why a crawl waits

	mu      sync.Mutex
	runs    []*run // not ended, in order of their turns
	current *run   // whose turn it is
	alive   bool   // Run runs

	web *web // Run's own; nil while there is nothing to fetch
}

// run is a crawl that has not ended.
type run struct {
	crawl  store.Crawl
	c      *crawler.Crawl          // nil before its first turn; only Run's goroutine calls more than Halt
	cancel context.CancelCauseFunc // of the turn, nil between turns
	reason string                  // why it shall stop, "" while it may go on
	halted bool                    // its fetches in flight are being ended, after which it is read again from the store
	full   bool                    // what is left of the night's pages is in flight
	spent  time.Duration           // running time at the end of its last turn
	failed int                     // turns in a row that ended with an error
	after  time.Time               // no turn before
	ended  chan struct{}

	held    bool      // the person paused it
	anyway  bool      // the person told it to run whatever the machine's power and network
	waits   string    // why the clock or the machine keeps it from going on, "" when they do not
	offline string    // why it waits for the network, "" when it does not
	checked time.Time // when its window and the machine were last looked at
}

// New makes a scheduler. The error tells which of the openings cannot be read.
func New(st *store.Store, bus *notify.Bus, o Options) (*Scheduler, error) {
	o.Clock = clock.Or(o.Clock)
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Strategy == nil {
		o.Strategy = strategy.New
	}
	o.Tick = positive(o.Tick, time.Second)
	o.Turn = positive(o.Turn, 25)
	o.Workers = positive(o.Workers, 8)
	s := &Scheduler{st: st, bus: bus, o: o, wake: make(chan struct{}, 1)}
	if _, err := s.liveOptions(settings.Settings{}); err != nil {
		return nil, err
	}
	return s, nil
}

func positive[T int | time.Duration](value, otherwise T) T {
	if value > 0 {
		return value
	}
	return otherwise
}

// Run opens and closes windows and gives crawls their turns until ctx ends; crawls that run then are left to the next
// start. It first takes up what was running when the daemon ended.
func (s *Scheduler) Run(ctx context.Context) error {
	open, err := s.st.OpenCrawls(ctx)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("take up crawls: %w", err)
	}
	s.mu.Lock()
	s.alive = true
	for _, c := range open {
		s.addLocked(c)
	}
	s.mu.Unlock()
	defer s.close()
	for ctx.Err() == nil {
		err := s.look(ctx)
		if err != nil && ctx.Err() == nil {
			s.o.Log.Error("look at the night", "error", err)
		}
		if r := s.next(); r != nil && err == nil {
			s.turn(ctx, r)
			continue
		}
		tick := s.o.Clock.NewTimer(s.o.Tick)
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-tick.C:
		}
		tick.Stop()
	}
	return nil
}

// close keeps what is in flight and lets go of the web.
func (s *Scheduler) close() {
	s.mu.Lock()
	s.alive = false
	for _, r := range s.runs {
		r.haltLocked() // all at a time, so that two seconds do for all
	}
	s.mu.Unlock()
	for _, r := range s.all() {
		s.forget(r)
	}
	s.closeWeb()
}

// RunNow begins a crawl of the topic, whatever the time, and returns its id; when one is under way already, that one's.
// The errors are ErrNoModel and ErrNoStart, and those of the store.
func (s *Scheduler) RunNow(ctx context.Context, topicID int64) (crawlID int64, err error) {
	chosen, err := s.st.Settings(ctx)
	if err != nil {
		return 0, err
	}
	c, err := s.create(ctx, topicID, "", chosen)
	if err != nil {
		return 0, err
	}
	s.poke()
	return c.ID, nil
}

// Stop ends a crawl for a reason in words ("" means "stopped by you") and waits until it has ended. A crawl that has
// ended stays as it is.
func (s *Scheduler) Stop(ctx context.Context, crawlID int64, reason string) error {
	if reason == "" {
		reason = "stopped by you"
	}
	s.mu.Lock()
	i := slices.IndexFunc(s.runs, func(r *run) bool { return r.crawl.ID == crawlID })
	if i < 0 || !s.alive {
		if i >= 0 {
			s.runs = slices.Delete(s.runs, i, i+1)
		}
		s.mu.Unlock()
		if _, err := s.st.CrawlByID(ctx, crawlID); err != nil {
			return err
		}
		return s.st.EndCrawl(ctx, crawlID, reason)
	}
	r := s.runs[i]
	s.stopLocked(r, reason)
	s.mu.Unlock()
	s.poke()
	select {
	case <-r.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stopLocked tells a run to stop.
func (s *Scheduler) stopLocked(r *run, reason string) {
	if r.reason == "" {
		r.reason = reason
	}
	if r.cancel != nil {
		r.cancel(crawler.Stop(r.reason))
	} else {
		r.haltLocked()
	}
}

// haltLocked ends what a run has in flight from an earlier turn. What it brought is kept when the run is forgotten.
func (r *run) haltLocked() {
	if r.c != nil {
		r.halted = true
		r.c.Halt()
	}
}

// Status is what the scheduler is doing.
type Status struct {
	Open    bool      // the window is open
	Closes  time.Time // when it does, while open
	Opens   time.Time // when it does next; zero when nights are off
	Crawls  []int64   // not ended, in order of their turns
	Current int64     // whose turn it is, 0 for none
	Machine machine.State
	Floor   int64 // bytes of disk that crawls leave free, 0 for none
}

// machine is what is known of the machine.
func (s *Scheduler) machine(ctx context.Context) machine.State {
	if s.o.Machine == nil {
		return machine.State{Free: -1, Size: -1}
	}
	return s.o.Machine(ctx)
}

// Status says what the scheduler is doing.
func (s *Scheduler) Status() Status {
	var status Status
	if chosen, err := s.st.Settings(context.Background()); err == nil {
		now := s.o.Clock.Now()
		n, open := chosen.Night.At(now)
		status.Open, status.Closes, status.Opens = open, n.Closes, chosen.Night.Next(now)
		status.Machine = s.machine(context.Background())
		status.Floor = floor(chosen, status.Machine)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		status.Crawls = append(status.Crawls, r.crawl.ID)
	}
	if s.current != nil {
		status.Current = s.current.crawl.ID
	}
	return status
}

// create makes a crawl with the topic's latest model and its ticked start pages; when the topic has one that has not
// ended, it returns that.
func (s *Scheduler) create(ctx context.Context, topicID int64, night string, chosen settings.Settings) (store.Crawl, error) {
	s.making.Lock()
	defer s.making.Unlock()
	if r := s.ofTopic(topicID); r != nil {
		return r.crawl, nil
	}
	if s.o.Trainer != nil {
		if err := s.o.Trainer.Refresh(ctx, topicID); err != nil {
			s.o.Log.Warn("train before the crawl", "topic", topicID, "error", err)
		}
	}
	m, err := s.st.LatestModel(ctx, topicID)
	if errors.Is(err, store.ErrNotFound) {
		err = ErrNoModel
	}
	if err != nil {
		return store.Crawl{}, err
	}
	starts, err := s.st.TickedStarts(ctx, topicID)
	if err != nil {
		return store.Crawl{}, err
	}
	if len(starts) == 0 {
		return store.Crawl{}, ErrNoStart
	}
	id, err := s.st.CreateCrawl(ctx, store.Crawl{
		TopicID: topicID, ModelID: m.ID, Night: night, Strategy: strategy.Choose(chosen.Strategy),
		Options: store.CrawlOptions{
			Starts: starts, Budget: chosen.Budget,
			Resolve:      slices.Concat(chosen.Resolve, s.o.Resolve),
			AllowPrivate: slices.Concat(chosen.AllowPrivate, s.o.AllowPrivate),
		},
	})
	if err != nil {
		return store.Crawl{}, err
	}
	c, err := s.st.CrawlByID(ctx, id)
	if err != nil {
		return store.Crawl{}, err
	}
	s.mu.Lock()
	s.addLocked(c)
	s.mu.Unlock()
	s.tell(id)
	return c, nil
}

func (s *Scheduler) addLocked(c store.Crawl) {
	known := slices.ContainsFunc(s.runs, func(r *run) bool { return r.crawl.ID == c.ID })
	if !known {
		s.runs = append(s.runs, &run{crawl: c, held: c.Paused == store.PausedByYou, ended: make(chan struct{})})
	}
}

func (s *Scheduler) ofTopic(topicID int64) *run {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		if r.crawl.TopicID == topicID {
			return r
		}
	}
	return nil
}

func (s *Scheduler) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Scheduler) tell(crawlID int64) {
	s.bus.Tell(notify.News{Kind: "crawl", ID: strconv.FormatInt(crawlID, 10)})
}
