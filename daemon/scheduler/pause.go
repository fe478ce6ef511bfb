package scheduler

import (
	"context"
	"errors"
	"slices"

	"nightjar/crawler"
	"nightjar/daemon/store"
)

// errPaused is the cause of a turn that ends because its crawl must wait.
var errPaused = errors.New("paused")

// Pause makes a crawl wait until Resume, over restarts of the daemon too. Requests that are under way get two seconds to
// end. A crawl that has ended stays as it is.
func (s *Scheduler) Pause(ctx context.Context, crawlID int64) error {
	return s.hold(ctx, crawlID, func(r *run) { r.held = true })
}

// Resume lets a crawl go on that the person paused, or that waits for mains power or another network: this one crawl
// then runs anyway, as long as the daemon does.
func (s *Scheduler) Resume(ctx context.Context, crawlID int64) error {
	return s.hold(ctx, crawlID, func(r *run) {
		r.anyway = r.anyway || !r.held
		r.held, r.waits = false, ""
	})
}

// hold changes whether a crawl waits.
func (s *Scheduler) hold(ctx context.Context, crawlID int64, change func(*run)) error {
	s.mu.Lock()
	i := slices.IndexFunc(s.runs, func(r *run) bool { return r.crawl.ID == crawlID })
	if i < 0 { // it ended, or the daemon has not taken it up yet
		s.mu.Unlock()
		c, err := s.st.CrawlByID(ctx, crawlID)
		if err != nil || c.Status == store.CrawlEnded {
			return err
		}
		r := &run{crawl: c, held: c.Paused == store.PausedByYou}
		change(r)
		return s.st.SetPaused(ctx, crawlID, r.waitsFor())
	}
	r := s.runs[i]
	change(r)
	s.cutLocked(r)
	s.mu.Unlock()
	s.poke()
	return s.show(ctx, r)
}

// waitsFor says why the run waits, "" when it does not: first what the person said.
func (r *run) waitsFor() string {
	switch {
	case r.held:
		return store.PausedByYou
	case r.waits != "":
		return r.waits
	}
	return r.offline
}

// whileWaiting is what stands behind the reason for the end of a run that was waiting then.
func (r *run) whileWaiting() string {
	switch why := r.waitsFor(); why {
	case "":
		return ""
	case store.PausedByYou:
		return "; it was " + why
	default:
		return "; it was waiting: " + why
	}
}

// rests reports whether the run gets no turn. One that waits for the network has its turn and waits in it.
func (r *run) rests() bool { return r.held || r.waits != "" }

// cutLocked ends the turn of a run that must wait, and what it has in flight.
func (s *Scheduler) cutLocked(r *run) {
	switch {
	case !r.rests():
	case r.cancel != nil:
		r.cancel(errPaused)
	default:
		r.haltLocked()
	}
}

// wait notes why a run must wait for the machine, "" when it need not.
func (s *Scheduler) wait(ctx context.Context, r *run, why string) {
	s.mu.Lock()
	r.waits = why
	s.cutLocked(r)
	s.mu.Unlock()
	if err := s.show(ctx, r); err != nil {
		s.o.Log.Error("note why a crawl waits", "crawl", r.crawl.ID, "error", err)
	}
}

// onPause notes that a crawl waits for the network, or with "" that it goes on.
func (s *Scheduler) onPause(r *run, why string) {
	s.mu.Lock()
	r.offline = why
	s.mu.Unlock()
	if err := s.show(context.Background(), r); err != nil {
		s.o.Log.Error("note why a crawl waits", "crawl", r.crawl.ID, "error", err)
	}
}

// show keeps in the store why a run waits, and tells, when that changed.
func (s *Scheduler) show(ctx context.Context, r *run) error {
	s.showing.Lock() // or an older reason could overtake a newer one
	defer s.showing.Unlock()
	s.mu.Lock()
	why := r.waitsFor()
	same := why == r.crawl.Paused
	s.mu.Unlock()
	if same {
		return nil
	}
	if err := s.st.SetPaused(ctx, r.crawl.ID, why); err != nil {
		return err
	}
	s.mu.Lock()
	r.crawl.Paused = why
	s.mu.Unlock()
	if why == "" {
		s.o.Log.Info("crawl goes on", "crawl", r.crawl.ID)
	} else {
		s.o.Log.Info("crawl waits", "crawl", r.crawl.ID, "why", why)
	}
	s.tell(r.crawl.ID)
	return nil
}

// paused reports whether the context of a turn ended because its crawl must wait.
func paused(ctx context.Context) bool { return errors.Is(context.Cause(ctx), errPaused) }

// stopped is the reason for which the context of a turn ended, "" when it did not.
func stopped(ctx context.Context) string {
	stop, _ := errors.AsType[crawler.Stop](context.Cause(ctx))
	return string(stop)
}
