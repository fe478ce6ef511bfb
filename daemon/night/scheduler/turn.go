package scheduler

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/failpoint"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
)

const (
	turnTime  = time.Minute     // longest turn
	turnIdle  = 2 * time.Second // a turn in which no fetch can start for so long ends, for the sake of the other crawls
	retry     = time.Minute     // pause after a failed turn
	maxFailed = 5               // failed turns in a row after which a crawl ends
)

// all returns a copy of the list of runs.
func (s *Scheduler) all() []*run {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.runs)
}

func (s *Scheduler) reason(r *run) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.reason
}

// turn lets a crawl fetch a few pages and ends the crawl when there is a reason to.
func (s *Scheduler) turn(ctx context.Context, r *run) {
	turnCtx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.mu.Lock()
	if r.reason != "" || r.rests() || r.halted {
		s.mu.Unlock()
		return // look ends or forgets it
	}
	r.cancel, s.current = cancel, r
	s.mu.Unlock()
	reason, err := s.crawl(turnCtx, r)
	if err != nil && turnCtx.Err() != nil { // what it was doing was cut; the next turn does it again
		reason, err = stopped(turnCtx), nil
	}
	s.mu.Lock()
	r.cancel, s.current = nil, nil
	s.mu.Unlock()
	if paused(turnCtx) {
		s.forget(r)
		s.tell(r.crawl.ID)
	}
	if ctx.Err() != nil {
		return // the daemon ends; its next start resumes the crawl
	}
	if err != nil {
		s.fail(ctx, r, err)
		return
	}
	r.failed = 0
	if reason != "" {
		if err := s.end(ctx, r, reason); err != nil {
			s.fail(ctx, r, err)
		}
	}
}

// forget commits the results of a crawl's fetches in flight and drops the crawl from memory; its next turn loads it again
// from the store, where interrupted fetches are still queued.
func (s *Scheduler) forget(r *run) {
	if r.c != nil {
		if err := r.c.Close(); err != nil {
			s.o.Log.Error("commit the fetches in flight", "crawl", r.crawl.ID, "error", err)
		}
	}
	if r.lent != nil {
		r.lent.Close()
		r.lent = nil
	}
	s.mu.Lock()
	r.c, r.halted, r.offline, r.hosts = nil, false, "", ""
	s.mu.Unlock()
	if r.web != nil {
		r.web = nil
		s.leave()
	}
}

// hopeless is an error that a retry would not fix.
type hopeless struct{ error }

// fail makes a crawl whose turn failed wait for retry, and ends the crawl after maxFailed failures in a row or a hopeless
// error. Its next turn loads it again from the store.
func (s *Scheduler) fail(ctx context.Context, r *run, err error) {
	s.forget(r)
	r.failed++
	why := "an error; it tries again within a minute"
	if store.IsFull(err) {
		r.failed, why = 0, "the disk is full" // wait until there is space again or the window closes
	}
	s.onPause(r, why)
	s.mu.Lock()
	r.after = s.o.Clock.Now().Add(retry)
	s.mu.Unlock()
	s.o.Log.Error("crawl", "crawl", r.crawl.ID, "error", err)
	_, never := errors.AsType[hopeless](err)
	if errors.Is(err, crawls.ErrEnded) {
		never = true
	} else if _, gone := crawls.Get(ctx, s.st.DB, r.crawl.ID); errors.Is(gone, store.ErrNotFound) {
		never = true // erased with its topic
	}
	if never || r.failed >= maxFailed {
		if err := s.end(ctx, r, "an error: "+err.Error()); err != nil {
			s.o.Log.Error("end crawl", "crawl", r.crawl.ID, "error", err)
		}
	}
}

// crawl runs one turn and returns why the crawl must end, "" when it goes on.
func (s *Scheduler) crawl(ctx context.Context, r *run) (reason string, err error) {
	r.early = false
	turn := crawler.Budget{Pages: s.o.Turn, Time: turnTime, Idle: turnIdle}
	if r.crawl.OfNight() != "" {
		crawls, err := s.nightCrawls(ctx, r.crawl.Night)
		if err != nil {
			return "", err
		}
		rest, used := left(r.crawl.Options.Budget, crawls)
		if used != "" {
			return used, nil
		}
		turn = tighter(turn, rest)
		if rest.Pages > 0 { // pages in flight may be all that is left
			free := rest.Pages - s.inFlight(r.crawl.Night)
			r.full, turn.Pages = free <= 0, min(turn.Pages, max(free, 1))
		}
	}
	if r.c == nil {
		if err := s.prepare(ctx, r); err != nil {
			return "", err
		}
		s.onPause(r, "")
		s.tell(r.crawl.ID)
	}
	watched := s.watch(ctx, r)
	release := machine.HoldMemory()
	result, err := r.c.Run(ctx, turn)
	release()
	watched()
	r.spent = result.Spent
	if err != nil {
		return "", err
	}
	if stop := stopped(ctx); stop != "" {
		return stop, nil
	}
	if result.End == crawler.Turn || paused(ctx) {
		return "", nil
	}
	r.early = result.End == crawler.Unpromising
	return result.StopReason, nil
}

// nightCrawls lists a night's crawls. The store has their running time as of the last batch, a run as of the last turn; the
// greater one counts.
func (s *Scheduler) nightCrawls(ctx context.Context, night string) ([]crawls.Crawl, error) {
	crawls, err := crawls.OfNight(ctx, s.st.DB, night)
	for _, r := range s.all() {
		for i := range crawls {
			if c := &crawls[i]; c.ID == r.crawl.ID {
				c.Totals.Spent = max(c.Totals.Spent, r.spent)
			}
		}
	}
	return crawls, err
}

// inFlight returns how many fetches of a night's crawls are in flight; they count for the budget.
func (s *Scheduler) inFlight(night string) (n int) {
	for _, r := range s.all() {
		if r.crawl.OfNight() == night && r.c != nil {
			n += r.c.InFlight()
		}
	}
	return n
}

// tighter limits the turn's budget to the rest of the night's.
func tighter(turn, rest crawler.Budget) crawler.Budget {
	if rest.Time > 0 {
		turn.Time = min(turn.Time, rest.Time)
	}
	turn.Bytes = rest.Bytes
	return turn
}

// prepare loads a crawl from the store into memory.
func (s *Scheduler) prepare(ctx context.Context, r *run) error {
	m, err := models.ByID(ctx, s.st.DB, r.crawl.ModelID)
	if err != nil {
		return fmt.Errorf("model of crawl %d: %w", r.crawl.ID, err)
	}
	bundle, err := m.Bundle()
	if err != nil {
		return hopeless{err}
	}
	strat, err := s.o.Strategy(ctx, r.crawl.Strategy, bundle)
	switch {
	case mayRead(err):
		return err
	case err != nil:
		return hopeless{err}
	}
	if strat, err = s.chooser.paired(ctx, r.crawl, bundle, strat); err != nil {
		return err
	}
	if err := s.refused.read(ctx, s.st); err != nil {
		return err
	}
	resume, err := crawls.Resume(ctx, s.st.DB, r.crawl.ID)
	if err != nil {
		return err
	}
	if err := crawls.Start(ctx, s.st.DB, r.crawl.ID); err != nil {
		return err
	}
	if r.web == nil {
		if r.web, err = s.use(ctx); err != nil {
			return err
		}
	}
	o := s.options(r, bundle)
	o.Resume = resume
	if o.Visited, err = visited(ctx, s.st, r.crawl); err != nil {
		return err
	}
	o.Trap = s.o.guard(r.crawl, resume.Fetched-resume.Totals.Fetched)
	if err := s.share(ctx, r.web, r.crawl, &o); err != nil {
		return err
	}
	if r.lent == nil && r.web.lends && s.o.On != nil && s.o.On(ctx) {
		if r.lent, err = s.o.Leases.Crawl(ctx, r.crawl.ID); err != nil {
			return err
		}
	}
	if r.lent != nil {
		o.Dispatch = r.lent
	}
	c, err := crawler.New(r.web.fetcher, strat, o)
	if err != nil {
		return err
	}
	s.mu.Lock()
	r.c = c
	s.mu.Unlock()
	if forgot := c.Forgot(); forgot != nil {
		s.o.Log.Warn("cannot read what the crawl had learned; continuing with its model only", "crawl", r.crawl.ID, "error", forgot)
	}
	return nil
}

// fetched is called after each recorded fetch.
func (s *Scheduler) fetched(r *run, f *crawler.Fetch) {
	s.noteNext(r, f.URL)
	s.tell(r.crawl.ID)
	if f.StrategyError != nil {
		s.o.Log.Warn("the strategy could not learn from a page", "crawl", r.crawl.ID, "n", f.N, "error", f.StrategyError)
	}
	s.o.Log.Debug("fetched", "crawl", r.crawl.ID, "n", f.N, "url", f.URL, "outcome", f.Response.Outcome, "relevant", f.Relevant)
	s.check(context.Background(), r)
}

// check reads the settings and enforces them on the run whose turn it is.
func (s *Scheduler) check(ctx context.Context, r *run) {
	settings, err := s.st.Settings(ctx)
	if err != nil {
		return // the next look reports it
	}
	if err := s.refused.read(ctx, s.st); err != nil && ctx.Err() == nil {
		s.o.Log.Warn("read the refused sites", "error", err) // the next check reads them again
	}
	s.enforce(ctx, r, settings)
}

// mayBegin reports whether a crawl may start a fetch. If more than a tick has passed since the last check, or the clock was
// set back, it first checks the window and the machine: while the machine slept, the window may have closed.
func (s *Scheduler) mayBegin(r *run, now time.Time) bool {
	s.mu.Lock()
	since := now.Sub(r.checked)
	late := since < 0 || since > s.o.Tick
	if late {
		r.checked = now
	}
	s.mu.Unlock()
	if late {
		s.check(context.Background(), r)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.reason == "" && !r.rests() && !r.full
}

// watch checks the clock while a turn waits for slow hosts. The returned function stops it and waits until it has ended.
func (s *Scheduler) watch(ctx context.Context, r *run) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		for {
			tick := s.o.Clock.NewTimer(s.o.Tick)
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
				s.check(ctx, r)
			}
		}
	}()
	return func() {
		cancel()
		<-over
	}
}

// end commits the results of the fetches in flight, ends a crawl in the store, and removes its run.
func (s *Scheduler) end(ctx context.Context, r *run, why string) error {
	saveQuestions(ctx, s.st, s.o.Log, r)
	s.forget(r)
	failpoint.Here("crawl.before-end")
	if err := s.endStored(ctx, r, why); err != nil {
		return err
	}
	s.chooser.settleEnded(ctx, r.crawl)
	if s.o.Reasons != nil {
		s.renewing = append(s.renewing, renewal{crawl: r.crawl})
	}
	s.o.Log.Info("crawl ended", "crawl", r.crawl.ID, "reason", why)
	return nil
}

// endStored ends a crawl that is not in memory in the store, and removes its run.
func (s *Scheduler) endStored(ctx context.Context, r *run, reason string) error {
	end := crawls.End
	if r.early {
		end = crawls.EndEarly
	}
	if err := end(ctx, s.st.DB, r.crawl.ID, reason); err != nil {
		return err
	}
	s.mu.Lock()
	if i := slices.Index(s.runs, r); i >= 0 { // Stop, too, may have ended it when Run began or ended
		s.runs = slices.Delete(s.runs, i, i+1)
		close(r.ended) // after this the crawl writes nothing more, so that Stop's caller may erase a site
	}
	s.mu.Unlock()
	s.tell(r.crawl.ID)
	return nil
}
