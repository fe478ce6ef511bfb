package month

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"nightjar/crawler/clock"
	"nightjar/crawler/fetch"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/marks"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/morning/reason"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/forecast"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
	"nightjar/model"
)

// way is a way to spend nights.
type way struct {
	name   string
	anew   bool // each night begins at the start pages
	one    bool // one night has the budget of all, and mornings come while it runs
	marks  bool // the person marks finds, and the model is trained again
	oracle bool // it knows the web and the useful pages
}

var ways = []way{
	{name: "go on", marks: true},
	{name: "go on, without marks"},
	{name: "begin anew", anew: true, marks: true},
	{name: "are one", one: true, marks: true},
	{name: "know what is useful", oracle: true},
}

// begin is when the first night begins, as the window of the settings does.
var begin = time.Date(2030, time.January, 1, 1, 0, 0, 0, time.Local)

// month is a person's nights.
type month struct {
	count
	known []forecast.Inputs // after each night
	web   *web
	st    *store.Store
	clock *clock.Fast
	topic int64

	during func() error // a morning while the one night runs
	every  int          // requests between two of these, 0 for none
	most   int          // requests of the night
	failed error        // what went wrong in them
}

// live lives the nights of one way.
func (w *web) live(ctx context.Context, o *options, how way) (m *month, err error) {
	if how.oracle {
		return w.oracle(o), nil
	}
	dir, err := os.MkdirTemp("", "month-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	m = &month{count: newCount(w.change, w.useful), web: w, clock: clock.NewFast(begin, 1)}
	if m.st, err = store.Open(ctx, filepath.Join(dir, "nightjar.db")); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.st.Close()) }()
	m.st.Now = m.clock.Now
	var bus notify.Bus
	log := command.NewLogger(os.Stderr, slog.LevelWarn)
	tr := trainer.New(trainer.Deps{Store: m.st, Bus: &bus, Log: log})
	running, stop := context.WithCancel(ctx)
	defer stop()
	go skipReports(running, &bus, tr)
	if err := m.begin(ctx, tr); err != nil {
		return nil, err
	}
	options := scheduler.Options{
		Log: log, Clock: m.clock, Workers: 1, Tick: 10 * time.Millisecond, Trainer: tr, Guard: !o.unguarded, Reasons: reason.Keeper{Store: m.st},
		Fetcher: func(settings.Settings) (fetch.Fetcher, error) { return m, nil },
	}
	if how.one {
		options.StopBelow = -1
	}
	s, err := scheduler.New(m.st, &bus, options)
	if err != nil {
		return nil, err
	}
	over := make(chan error, 1)
	go func() { over <- s.Run(running) }()
	defer func() {
		stop()
		err = errors.Join(err, <-over)
	}()
	return m, m.nights(ctx, o, how, rand.New(rand.NewPCG(uint64(w.seed), 0x6d6f6e7468)), &bus)
}

// begin imports the session, trains and ticks the start pages.
func (m *month) begin(ctx context.Context, tr *trainer.Trainer) error {
	if err := m.sends(ctx, m.web.events); err != nil {
		return err
	}
	topics, err := topics.List(ctx, m.st.DB)
	if err != nil || len(topics) == 0 {
		return errors.Join(err, errors.New("the session has no topic"))
	}
	m.topic = topics[0].ID
	if _, err := tr.Train(ctx, m.topic); err != nil {
		return err
	}
	for _, url := range m.web.Starts {
		if _, err := startpages.Add(ctx, m.st.DB, m.topic, url); err != nil {
			return err
		}
	}
	return nil
}

// skipReports stops each training once its model is saved. The report takes as long again to make, and all that a crawl reads of it is the
// test of relevance, which the training chose already.
func skipReports(ctx context.Context, bus *notify.Bus, tr *trainer.Trainer) {
	news, end := bus.Listen()
	defer end()
	for {
		select {
		case <-ctx.Done():
			return
		case n := <-news:
			if s, ok := n.Data.(trainer.Status); ok && s.Stage == model.StageAssess && s.Done == 0 {
				tr.Cancel(s.TopicID)
			}
		}
	}
}

// sends imports a session that is submitted now, right after it was recorded: how old its pages are decides when they are looked at again.
func (m *month) sends(ctx context.Context, events []protocol.Event) error {
	admitted, refused := session.AdmitAll(ending(events, m.clock.Now()))
	if len(refused) > 0 {
		return fmt.Errorf("the session is refused: %v", refused[0])
	}
	_, err := sessions.Ingest(ctx, m.st, admitted)
	return err
}

// ending returns the events at the same distances, the last one at a time.
func ending(events []protocol.Event, at time.Time) []protocol.Event {
	moved := slices.Clone(events)
	last := slices.MaxFunc(moved, func(a, b protocol.Event) int { return a.At.Compare(b.At) }).At
	for i := range moved {
		moved[i].At = moved[i].At.Add(at.Sub(last)).UTC()
	}
	return moved
}

// nights lives the nights. The scheduler opens each by the clock, and trains before it if the person marked finds or sent a session.
func (m *month) nights(ctx context.Context, o *options, how way, rng *rand.Rand, bus *notify.Bus) error {
	first, pages := 1, o.Pages
	look := func() error { return m.morning(ctx, o, how.marks, rng) }
	if how.one { // on the last night, when all pages that appear are there
		first, pages = o.Nights, o.Nights*o.Pages
		m.during, m.every, m.most = look, o.Pages, pages
	}
	chosen := settings.Default()
	chosen.Night.Enabled, chosen.OnMains, chosen.Unmetered = true, false, false
	chosen.Budget, chosen.Delay = settings.Budget{Pages: pages}, 0
	for night := first; night <= o.Nights; night++ {
		m.begins(night)
		if night == first {
			if err := m.st.SaveSettings(ctx, chosen); err != nil {
				return err
			}
		}
		if err := m.wait(ctx, bus); err != nil {
			return err
		}
		if err := errors.Join(m.failed, look()); err != nil {
			return err
		}
		known, err := forecast.Foresee(ctx, m.st.DB, m.topic, m.web.Starts, forecast.Followed, o.Pages)
		if err != nil {
			return err
		}
		m.known = append(m.known, known)
		if night == m.web.again {
			if err := m.sends(ctx, m.web.second); err != nil {
				return err
			}
		}
		if how.anew {
			if err := crawls.StartAnew(ctx, m.st.DB, m.topic); err != nil {
				return err
			}
		}
		m.clock.Jump(24 * time.Hour)
	}
	return nil
}

// wait waits until the crawl of the night has ended.
func (m *month) wait(ctx context.Context, bus *notify.Bus) error {
	date := m.clock.Now().Format(time.DateOnly)
	return bus.Until(ctx, time.Second, func() (bool, error) {
		all, err := crawls.OfNight(ctx, m.st.DB, date)
		return len(all) > 0 && all[0].Status == crawls.Ended, err
	})
}

// morning counts the finds of the night, and has the person look at the best ones.
func (m *month) morning(ctx context.Context, o *options, marked bool, rng *rand.Rand) error {
	finds, err := finds.List(ctx, m.st.DB, finds.Filter{Topic: m.topic, State: "open", Limit: 100_000})
	if err != nil {
		return err
	}
	m.lists(finds)
	for _, f := range finds[:min(o.Looks, len(finds))] {
		useful := m.looks(f)
		if !marked {
			continue
		}
		says := useful != (o.Wrong > 0 && rng.IntN(o.Wrong) == 0)
		if err := marks.Put(ctx, m.st.DB, f.ID, map[bool]string{true: store.MarkUseful, false: store.MarkNotUseful}[says]); err != nil {
			return err
		}
	}
	return nil
}

// ReadyAt lets every host be asked at any time.
func (m *month) ReadyAt(string) time.Time { return time.Time{} }

// Fetch answers as the web does tonight, and counts the request.
func (m *month) Fetch(ctx context.Context, url string) fetch.Response {
	r := m.web.change.fetch(ctx, url, m.night)
	before := m.requests
	m.fetched(r)
	if n := m.requests; m.every > 0 && n > before && n%m.every == 0 && n < m.most {
		m.failed = errors.Join(m.failed, m.during())
	}
	return r.Response
}
