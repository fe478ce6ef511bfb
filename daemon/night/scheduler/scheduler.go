// Package scheduler runs crawls: every night, and when the person asks for one.
//
// A night's crawls share its budget and take turns of a few pages, so that every topic makes progress. A turn does not wait
// for its fetches: those in flight at its end continue, and the crawl processes their results in its next turn, or when it
// leaves memory. They count as pages of the night's budget. One goroutine, Run, owns the crawls in memory. Their state is in
// the store, so that a restarted daemon resumes them. Run reads the clock often and does not expect it to run evenly: sleep,
// restarts and clock changes only affect when it notices that a window has opened or closed.
//
// A crawl waits while the person has paused it, or while power, network or disk do not meet the settings: it then gets no
// turn, and the dashboard shows why (Pause, Resume, conditions.go). A crawl that waits for the network to come back waits
// within its turn. Concurrent crawls share fetcher, archive and browser (web.go).
package scheduler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/archive"
	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/crawler/work"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/model"
)

// Errors of RunNow, worded for the person.
var (
	ErrNoModel = errors.New("this topic has no model yet: submit a session first")
	ErrNoStart = errors.New("tick at least one start page first")
)

// Options configure a scheduler. The zero value crawls the live web by the settings.
type Options struct {
	Clock        clock.Clock      // of local time; nil means the machine's
	Log          *slog.Logger     // nil means slog.Default
	Resolve      []string         // PATTERN=ADDR:PORT of the command line, added to the settings' own
	AllowPrivate []string         // CIDR, added to the settings' own
	Self         []string         // addresses the daemon listens on, never fetched
	SelfNow      func() []string  // more of them, which change while it runs; nil for none
	Version      string           // for the User-Agent
	Trainer      *trainer.Trainer // retrains a topic before its crawl if needed; nil uses models as they are
	Tick         time.Duration    // how often the clock is read while nothing runs; 0 means a second
	Turn         int              // pages of a turn; 0 means 25
	Workers      int              // fetches in flight; 0 means 8

	// Machine returns the state of power, network and disk, for which crawls may wait. nil means that it is unknown.
	Machine func(context.Context) machine.State

	// Dial connects to the addresses that Resolve gives, in place of the machine's network; nil for that.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Page is that of fetch.LiveOptions; nil for reading HTML only.
	Page func(ctx context.Context, url string, body []byte) (html []byte, err error)

	// FillDisk lets crawls go on when little disk space is free, such as those of a demonstration.
	FillDisk bool

	// StopBelow ends a night's crawl when its next 100 pages promise fewer useful ones. 0 means 1, and a negative number never.
	StopBelow float64

	// Archive stores what crawls of the live web fetch, if the settings say so. nil means that nothing is archived.
	Archive *archive.Archive

	// Hosts is what hosts asked for, the same for Leases; nil for one of its own.
	Hosts *crawls.HostMemory

	// Leases gives the pages of crawls of the live web to workers on other machines while On says so. nil means never.
	Leases Leases
	On     func(ctx context.Context) bool

	// Fetcher creates the fetcher of the crawls; nil means the live web.
	Fetcher func(settings.Settings) (fetch.Fetcher, error)

	// Guard gives crawls with a Fetcher a trap guard, too, which knows near-duplicates.
	Guard bool

	// Themes returns the ontology of a name for a strategy that needs one; "" means the only one there is. The error is a
	// *strategy.NoOntology when there is none, or when several have no name to choose by. nil means that there is none.
	Themes func(ctx context.Context, name string) (*strategy.Themes, error)

	// Reasons says why pages are finds; nil means that nobody does.
	Reasons Reasons

	// Strategy creates a crawl's strategy by its name; nil means strategy.NewWith, with Themes.
	Strategy func(ctx context.Context, name string, b *model.Bundle) (strategy.Strategy, error)
}

// Reasons works out and stores why pages are finds; see reason.Keeper.
type Reasons interface {
	// Make does so for one find, by the model that judged it.
	Make(ctx context.Context, b *model.Bundle, topicID, findID int64) error
	// Again does so for a crawl's next finds after one of them (0: from the first), when more is known. It returns the find to go on
	// after, 0 when there is no more.
	Again(ctx context.Context, c crawls.Crawl, after int64) (next int64, err error)
}

// Leases gives the pages of crawls to workers; see leases.Leases.
type Leases interface {
	Open(ctx context.Context, live *fetch.Live, keep bool) error // from now on, hosts are lent by a fetcher
	Shut()                                                       // the end of Open
	Crawl(ctx context.Context, id int64) (Lent, error)           // begins to give the pages of a crawl
	Committed(ids []string)                                      // what came of tasks is stored
}

// Lent gives the pages of one crawl.
type Lent interface {
	work.Dispatcher
	Close()
}

// Scheduler runs crawls. Create it with New; its methods may be called concurrently.
type Scheduler struct {
	*Shared
	chooser chooser
	st      *store.Store
	bus     *notify.Bus
	o       Options
	wake    chan struct{}

	making  sync.Mutex // held while a crawl begins, so that a topic never has two, and by Apart, so that none begins
	showing sync.Mutex // held while the reason for which a crawl waits is stored

	mu      sync.Mutex
	runs    []*run // of the crawls that have not ended in the store, in order of their turns; see loadLocked
	current *run   // whose turn it is
	alive   bool   // Run is running

	renewing []renewal // what Run works out again
}

// run is a crawl that has not ended.
type run struct {
	crawl  crawls.Crawl            // as it was when it was loaded; it does not change
	c      *crawler.Crawl          // nil before its first turn; only Run's goroutine calls more than Halt
	cancel context.CancelCauseFunc // of the turn, nil between turns
	reason string                  // why it must stop, "" while it may go on
	halted bool                    // its fetches in flight are ending; it is then loaded again from the store
	full   bool                    // all remaining pages of the night's budget are in flight
	web    *web                    // that it uses; nil while it is not in memory
	lent   Lent                    // its dispatcher, nil when this process fetches its pages
	spent  time.Duration           // running time at the end of its last turn
	early  bool                    // it ends since the next pages promise too little
	failed int                     // turns in a row that ended with an error
	after  time.Time               // earliest start of its next turn
	turns  float64                 // that it had, each divided by its share
	ended  chan struct{}

	watched int        // pages for which somebody looks at the following
	next    []NextLink // first of its queue
	ranked  []string   // addresses of its first links, more of them
	was     []string   // ranked when the person last marked a find; nil for never

	promised *float64 // useful pages among its next 100, nil while that is not known

	held    bool      // the person paused it
	anyway  bool      // the person told it to run regardless of power and network
	byDay   bool      // the person told a nightly crawl to run while the window is closed
	waits   string    // why it waits for the clock or the machine, "" when it does not
	offline string    // why it waits for the network or the database, "" when it does not
	hosts   string    // for which hosts it waits, "" when it does not; see crawler.Wait
	shown   string    // why it waits, as the store has it; Scheduler.showing guards it
	checked time.Time // when its window and the machine were last checked
}

// New creates a scheduler. The error names the value of Resolve or AllowPrivate that is invalid.
func New(st *store.Store, bus *notify.Bus, o Options) (*Scheduler, error) {
	o.Clock = clock.Or(o.Clock)
	if o.Log == nil {
		o.Log = slog.Default()
	}
	o.Tick = positive(o.Tick, time.Second)
	o.Turn = positive(o.Turn, 25)
	o.Workers = positive(o.Workers, 8)
	o.StopBelow = max(0, cmp.Or(o.StopBelow, stopBelow))
	o.Hosts = cmp.Or(o.Hosts, crawls.NewHostMemory(st.DB))
	s := &Scheduler{st: st, bus: bus, o: o, wake: make(chan struct{}, 1)}
	if o.Strategy == nil {
		s.o.Strategy = s.o.newStrategy
	}
	s.Shared, s.chooser = &Shared{st: st, o: &s.o}, chooser{st, &s.o}
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

// Run resumes the crawls that were running when the daemon last ended. It then opens and closes windows and gives crawls
// their turns until ctx ends; the next Run resumes crawls that have not ended. The store says which these are; see loadLocked.
func (s *Scheduler) Run(ctx context.Context) error {
	s.mu.Lock()
	err := s.loadLocked(ctx)
	s.alive = err == nil
	s.mu.Unlock()
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return fmt.Errorf("resume crawls: %w", err)
	}
	defer s.close()
	for ctx.Err() == nil {
		err := s.look(ctx)
		if err != nil && ctx.Err() == nil {
			s.o.Log.Error("check the night", "error", err)
		}
		more := s.renew(ctx)
		if r := s.next(); r != nil && err == nil {
			s.turn(ctx, r)
			continue
		}
		if more {
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

// close commits the results of fetches in flight, and ends the crawls that were being stopped. The web closes unless it is lent.
func (s *Scheduler) close() {
	s.mu.Lock()
	for _, r := range s.runs {
		r.haltLocked() // all at once, so that it takes two seconds in all
	}
	s.mu.Unlock()
	for _, r := range s.all() {
		s.forget(r)
	}
	s.mu.Lock()
	s.alive = false
	s.mu.Unlock()
	for _, r := range s.all() {
		if reason := s.reason(r); reason != "" { // Stop waits for it
			if err := s.end(context.Background(), r, reason); err != nil {
				s.o.Log.Error("end crawl", "crawl", r.crawl.ID, "error", err)
			}
		}
	}
}

// loadLocked adds the crawls that are open in the store and have no run. It reads them with mu held, and a crawl ends in the
// store before its run leaves the list. So the list has every open crawl, and a run of one that has ended only until it leaves.
func (s *Scheduler) loadLocked(ctx context.Context) error {
	open, err := crawls.Open(ctx, s.st.DB)
	for _, c := range open {
		if s.findLocked(c.ID) == nil {
			r := &run{crawl: c, held: c.Paused == crawls.PausedByYou, shown: c.Paused, ended: make(chan struct{})}
			s.begins(r)
			s.runs = append(s.runs, r)
		}
	}
	return err
}

// load is loadLocked for a caller that does not hold mu.
func (s *Scheduler) load(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loadLocked(ctx)
}

func (s *Scheduler) findLocked(crawlID int64) *run {
	for _, r := range s.runs {
		if r.crawl.ID == crawlID {
			return r
		}
	}
	return nil
}

// findOpenLocked returns the run of a crawl, nil when it has ended. The error is store.ErrNotFound for one that does not exist.
func (s *Scheduler) findOpenLocked(ctx context.Context, crawlID int64) (*run, error) {
	if err := s.loadLocked(ctx); err != nil {
		return nil, err
	}
	if r := s.findLocked(crawlID); r != nil {
		return r, nil
	}
	_, err := crawls.Get(ctx, s.st.DB, crawlID)
	return nil, err
}

// Stop ends a crawl for a reason in words ("" means "stopped by you") and waits until it has ended. A crawl that has
// already ended does not change.
func (s *Scheduler) Stop(ctx context.Context, crawlID int64, reason string) error {
	if reason == "" {
		reason = "stopped by you"
	}
	s.mu.Lock()
	r, err := s.findOpenLocked(ctx, crawlID)
	if r == nil {
		s.mu.Unlock()
		return err
	}
	s.stopLocked(r, reason)
	alive := s.alive
	s.mu.Unlock()
	if !alive { // its reason keeps Run from giving it a turn
		return s.endStored(ctx, r, reason)
	}
	s.poke()
	select {
	case <-r.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Apart stops the crawls that which selects, for a reason in words, and runs do while none can begin. So what do erases is in no
// crawl's memory, and no crawl begins with what was read before.
func (s *Scheduler) Apart(ctx context.Context, reason string, which func(crawls.Crawl) bool, do func() error) error {
	s.making.Lock()
	defer s.making.Unlock()
	open, err := crawls.Open(ctx, s.st.DB)
	if err != nil {
		return err
	}
	for _, c := range open {
		if which(c) {
			if err := s.Stop(ctx, c.ID, reason); err != nil {
				return err
			}
		}
	}
	return do()
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

// haltLocked ends the fetches that a run has in flight from an earlier turn; forget commits their results.
func (r *run) haltLocked() {
	if r.c != nil {
		r.halted = true
		r.c.Halt()
	}
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
