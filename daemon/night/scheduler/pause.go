package scheduler

import (
	"context"
	"errors"
	"time"

	"nightjar/crawler"
	"nightjar/daemon/night/crawls"
)

// errPaused is the cause of a turn that ends because its crawl must wait.
var errPaused = errors.New("paused")

// Pause makes a crawl wait until Resume, even if the daemon restarts. Requests in flight have two seconds to finish. A
// crawl that has ended does not change.
func (s *Scheduler) Pause(ctx context.Context, crawlID int64) error {
	return s.hold(ctx, crawlID, func(r *run) { r.held = true })
}

// Resume continues a crawl that the person paused, or that waits for mains power, another network or the night. Until the daemon
// ends, this crawl then ignores those conditions, or the window.
func (s *Scheduler) Resume(ctx context.Context, crawlID int64) error {
	return s.hold(ctx, crawlID, func(r *run) {
		switch {
		case r.held:
		case r.crawl.Options.Nightly && crawls.ForNight(r.waitsFor()):
			r.byDay = true
		default:
			r.anyway = true
		}
		r.held, r.waits = false, ""
	})
}

// hold changes whether a crawl waits.
func (s *Scheduler) hold(ctx context.Context, crawlID int64, change func(*run)) error {
	s.mu.Lock()
	r, err := s.findOpenLocked(ctx, crawlID)
	if r == nil {
		s.mu.Unlock()
		return err
	}
	change(r)
	s.cutLocked(r)
	s.mu.Unlock()
	s.poke()
	return s.show(ctx, r)
}

// Renew makes the running crawl of a topic apply the present settings at once.
func (s *Scheduler) Renew(topicID int64) {
	s.mu.Lock()
	for _, r := range s.runs {
		switch {
		case r.crawl.TopicID != topicID:
		case r.cancel != nil:
			r.cancel(errPaused)
		default:
			r.haltLocked()
		}
	}
	s.mu.Unlock()
	s.poke()
}

// waitsFor says why the run waits, "" when it does not. A pause by the person comes first.
func (r *run) waitsFor() string {
	switch {
	case r.held:
		return crawls.PausedByYou
	case r.waits != "":
		return r.waits
	case r.offline != "":
		return r.offline
	}
	return r.hosts
}

// whileWaiting returns what to append to a stop reason when the run was waiting.
func (r *run) whileWaiting() string {
	switch why := r.waitsFor(); why {
	case "":
		return ""
	case crawls.PausedByYou:
		return "; it was " + why
	case r.hosts: // a stop reason names no host, since it is kept for longer than what is known of hosts may be
		return "; it was waiting for hosts that must not be asked yet"
	default:
		return "; it was waiting: " + why
	}
}

// rests reports whether the run gets no turn. A run that waits for the network to come back waits within its turn.
func (r *run) rests() bool { return r.held || r.waits != "" }

// cutLocked ends the turn and the fetches in flight of a run that must wait.
func (s *Scheduler) cutLocked(r *run) {
	switch {
	case !r.rests():
	case r.cancel != nil:
		r.cancel(errPaused)
	default:
		r.haltLocked()
	}
}

// wait sets why a run must wait for the clock or the machine, "" when it need not.
func (s *Scheduler) wait(ctx context.Context, r *run, why string) {
	s.note(ctx, r, func() {
		r.waits = why
		s.cutLocked(r)
	})
}

// onWait sets for which hosts a crawl waits, the zero value when it goes on.
func (s *Scheduler) onWait(r *run, w crawler.Wait) {
	s.note(context.Background(), r, func() { r.hosts = w.String() })
}

// onPause sets why a crawl waits for the network or the database, "" when it goes on.
func (s *Scheduler) onPause(r *run, why string) {
	s.note(context.Background(), r, func() { r.offline = why })
}

// note sets, with mu held, why a run waits, and shows it.
func (s *Scheduler) note(ctx context.Context, r *run, set func()) {
	s.mu.Lock()
	set()
	s.mu.Unlock()
	if err := s.show(ctx, r); err != nil {
		s.o.Log.Error("note why a crawl waits", "crawl", r.crawl.ID, "error", err)
	}
}

// patience is how long a crawl outside of the window waits for hosts that must not be asked yet. It is longer than the pause after a
// robots.txt that could not be read.
const patience = 10 * time.Minute

// tooLate returns crawler.Options.TooLate of a crawl. A night's crawl waits until the window closes, one that continues in other nights
// as long as it takes, and any other for patience.
func (s *Scheduler) tooLate(r *run) func(at time.Time) string {
	of := r.crawl.OfNight()
	switch {
	case r.crawl.Options.Nightly:
		return nil
	case of == "":
		return crawler.Within(patience, s.o.Clock.Now)
	}
	return func(at time.Time) string {
		chosen, err := s.st.Settings(context.Background())
		if err != nil {
			return "" // the next look reports it
		}
		if n, ok := chosen.Night.On(of, s.o.Clock.Now()); !ok || at.Before(n.Closes) {
			return ""
		}
		return "before the window closes at " + chosen.Night.End
	}
}

// show stores why a run waits and announces it, if it changed.
func (s *Scheduler) show(ctx context.Context, r *run) error {
	s.showing.Lock() // or an older reason could overtake a newer one
	defer s.showing.Unlock()
	s.mu.Lock()
	why := r.waitsFor()
	s.mu.Unlock()
	if why == r.shown {
		return nil
	}
	if err := SetPaused(ctx, s.st.DB, r.crawl.ID, why); err != nil {
		return err
	}
	r.shown = why
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

// stopped returns the reason with which the context of a turn was stopped, "" without one.
func stopped(ctx context.Context) string {
	stop, _ := errors.AsType[crawler.Stop](context.Cause(ctx))
	return string(stop)
}
