package scheduler

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/crawler"
	"nightjar/daemon/store"
)

// look sees what the clock and the settings say: it stops a night's crawls when its window is closed, and makes a
// crawl for each topic that can be crawled while one is open.
func (s *Scheduler) look(ctx context.Context) error {
	settings, err := s.st.Settings(ctx)
	if err != nil {
		return err
	}
	n, open := nightAt(settings.Night, s.o.Clock.Now())
	for _, r := range s.all() {
		if reason := closed(settings.Night, r.crawl.Night, n, open); reason != "" {
			s.mu.Lock()
			s.stopLocked(r, reason)
			s.mu.Unlock()
		}
		if s.reason(r) != "" {
			if err := s.end(ctx, r, s.reason(r)); err != nil {
				return err
			}
		}
	}
	if !open {
		return nil
	}
	return s.open(ctx, n, settings)
}

// closed says why a crawl of the given night ("" for one run by hand) must not go on, "" when it may.
func closed(w store.Window, of string, n night, open bool) string {
	switch {
	case of == "" || open && n.date == of:
		return ""
	case !w.Enabled:
		return "nights were switched off"
	}
	return "window closed at " + w.End
}

// open makes the night's crawls: one for each topic that can be crawled and has none yet, as long as the night's
// budget lasts.
func (s *Scheduler) open(ctx context.Context, n night, settings store.Settings) error {
	topics, err := s.st.CrawlableTopics(ctx)
	if err != nil {
		return err
	}
	crawls, err := s.st.NightCrawls(ctx, n.date)
	if err != nil {
		return err
	}
	has := map[int64]bool{}
	for _, c := range crawls {
		has[c.TopicID] = true
	}
	if _, used := left(settings.Budget, crawls); used != "" {
		return nil
	}
	for _, topic := range topics {
		if has[topic] || s.ofTopic(topic) != nil {
			continue
		}
		c, err := s.create(ctx, topic, n.date, settings)
		if errors.Is(err, ErrNoModel) || errors.Is(err, ErrNoStart) {
			continue
		}
		if err != nil {
			return err
		}
		s.o.Log.Info("night crawl", "crawl", c.ID, "topic", topic, "night", n.date)
	}
	return nil
}

// left is what remains of a budget that crawls share; used names the limit that is reached, in words, "" for none.
// What is not limited is 0 in what remains.
func left(b store.Budget, crawls []store.Crawl) (rest crawler.Budget, used string) {
	var t crawler.Totals
	for _, c := range crawls {
		t.Fetched += c.Totals.Fetched
		t.Bytes += c.Totals.Bytes
		t.Spent += c.Totals.Spent
	}
	rest = budget(b)
	switch {
	case rest.Pages > 0 && t.Fetched >= rest.Pages:
		used = fmt.Sprintf("budget of %d pages used", b.Pages)
	case rest.Bytes > 0 && t.Bytes >= rest.Bytes:
		used = fmt.Sprintf("budget of %d MB used", b.Megabytes)
	case rest.Time > 0 && t.Spent >= rest.Time:
		used = fmt.Sprintf("budget of %d minutes used", b.Minutes)
	}
	if used != "" {
		if len(crawls) > 1 {
			used += fmt.Sprintf(", shared by %d topics", len(crawls))
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

// budget is the settings' budget in the crawler's units.
func budget(b store.Budget) crawler.Budget {
	return crawler.Budget{
		Pages: b.Pages, Bytes: int64(b.Megabytes) << 20, Time: time.Duration(b.Minutes) * time.Minute, PerHost: b.PerHost,
		PerSite: b.PerSite,
	}
}
