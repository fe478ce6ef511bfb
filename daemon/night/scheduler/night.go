package scheduler

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/crawler"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store/settings"
)

// look applies the clock, the settings and the state of the machine: it stops a night's crawls when the window is closed,
// lets crawls wait or go on, and creates a crawl for each topic that can be crawled while the window is open.
func (s *Scheduler) look(ctx context.Context) error {
	chosen, err := s.st.Settings(ctx)
	if err != nil {
		return err
	}
	for _, r := range s.all() {
		s.enforce(ctx, r, chosen)
		if reason := s.reason(r); reason != "" {
			if err := s.end(ctx, r, reason); err != nil {
				return err
			}
		} else if r.halted { // only between turns
			s.forget(r)
			s.tell(r.crawl.ID)
		}
	}
	n, open := chosen.Night.At(s.o.Clock.Now())
	if !open {
		return nil
	}
	return s.open(ctx, n, chosen)
}

// enforce stops a run or makes it wait when the clock, the settings or the machine require it.
func (s *Scheduler) enforce(ctx context.Context, r *run, chosen settings.Settings) {
	now := s.o.Clock.Now()
	s.mu.Lock()
	stop, wait := standing(chosen.Night, r.crawl.OfNight(), now)
	if r.crawl.Options.Nightly && !r.byDay {
		wait = nightly(chosen.Night, now)
	}
	if stop != "" {
		s.stopLocked(r, stop+r.whileWaiting())
	}
	anyway, before := r.anyway, r.waits
	s.mu.Unlock()
	if stop != "" {
		return
	}
	if wait == "" {
		m := s.o.machine(ctx)
		wait = waits(chosen, m, s.o.floor(m), anyway, before)
	}
	s.wait(ctx, r, wait)
}

// setBack is the reason for which a crawl ends whose night now lies in the future.
const setBack = "the clock was set back"

// standing says why the clock makes a crawl of the given night stop, or wait; a crawl started by hand has the night "". If
// the clock was set back to less than a day before the window opens, the crawl waits, so that a correction by seconds
// costs no night.
func standing(w settings.Window, of string, now time.Time) (stop, wait string) {
	if of == "" {
		return "", ""
	}
	if !w.Enabled {
		return "nightly crawls were switched off", ""
	}
	if !settings.ClockSet(now) {
		return "", noClock
	}
	n, ok := w.On(of, now)
	switch {
	case ok && n.Contains(now):
		return "", ""
	case ok && now.Before(n.Opens) && n.Opens.Sub(now) <= 24*time.Hour:
		return "", crawls.OpensAt(w.Start)
	case ok && now.Before(n.Opens):
		return setBack, ""
	}
	return "window closed at " + w.End, ""
}

// open creates the night's crawls, one for each topic that can be crawled and has none yet, while the night's budget
// lasts.
func (s *Scheduler) open(ctx context.Context, n settings.Night, chosen settings.Settings) error {
	topics, err := startpages.Topics(ctx, s.st.DB)
	if err != nil {
		return err
	}
	crawls, err := crawls.OfNight(ctx, s.st.DB, n.Date)
	if err != nil {
		return err
	}
	has := map[int64]bool{}
	for _, c := range crawls {
		has[c.TopicID] = has[c.TopicID] || c.StopReason != setBack // a crawl that ended so did not have its night
	}
	if _, used := left(chosen.Budget, crawls); used != "" {
		return nil
	}
	for _, topic := range topics {
		if has[topic] {
			continue
		}
		if r, err := s.ofTopic(ctx, topic); err != nil {
			return err
		} else if r != nil {
			continue
		}
		if err := s.openOne(ctx, topic, n, chosen); err != nil {
			return err
		}
	}
	return nil
}

// openOne creates a night's crawl of one topic, if it can be crawled. While something is erased (Apart), it leaves that to the next
// look: Apart waits for crawls that only Run ends.
func (s *Scheduler) openOne(ctx context.Context, topic int64, n settings.Night, chosen settings.Settings) error {
	s.o.refresh(ctx, topic)
	if !s.making.TryLock() {
		return nil
	}
	defer s.making.Unlock()
	c, err := s.create(ctx, topic, n.Date, chosen)
	switch {
	case errors.Is(err, ErrNoModel), errors.Is(err, ErrNoStart):
		return nil
	case err != nil:
		return err
	}
	s.o.Log.Info("night crawl", "crawl", c.ID, "topic", topic, "night", n.Date)
	return nil
}

// left returns what remains of a budget that crawls share, with 0 for no limit, and names the limit that is reached in
// words, "" for none.
func left(b settings.Budget, crawls []crawls.Crawl) (rest crawler.Budget, used string) {
	var t crawler.Totals
	for _, c := range crawls {
		t.Fetched += c.Totals.Fetched
		t.Bytes += c.Totals.Bytes
		t.Spent += c.Totals.Spent
	}
	rest = budget(b)
	used = rest.Over(t, 0)
	if used != "" {
		if len(crawls) > 1 {
			used += fmt.Sprintf(", shared by %d topics", len(crawls)) // at least 2
		}
		return crawler.Budget{}, used
	}
	if rest.Pages > 0 {
		rest.Pages -= t.Fetched
	}
	if rest.Bytes > 0 {
		rest.Bytes -= t.Bytes
	}
	if rest.Time > 0 {
		rest.Time -= t.Spent
	}
	return rest, ""
}

// budget converts a budget of the settings to the crawler's units.
func budget(b settings.Budget) crawler.Budget {
	return crawler.Budget{
		Pages: b.Pages, Bytes: int64(b.Megabytes) << 20, Time: time.Duration(b.Minutes) * time.Minute, PerHost: b.PerHost,
		PerSite: b.PerSite,
	}
}
