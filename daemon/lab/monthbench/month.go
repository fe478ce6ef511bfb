package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/notify"
	"nightjar/daemon/scheduler"
	"nightjar/daemon/session"
	"nightjar/daemon/settings"
	"nightjar/daemon/store"
	"nightjar/daemon/trainer"
)

// way is a way to spend nights.
type way struct {
	name  string
	anew  bool // each night begins at the start pages
	one   bool // one night has the budget of all
	marks bool // the person marks finds, and the model is trained again
}

var ways = []way{
	{name: "go on", marks: true},
	{name: "go on, without marks"},
	{name: "begin anew", anew: true, marks: true},
	{name: "are one", one: true},
}

// month is what nights brought.
type month struct {
	web    *web
	st     *store.Store
	topic  int64
	useful map[string]bool // finds with the label
	shown  int             // finds that the person looked at
	right  int             // of them useful
	met    int             // useful pages that were read, finds or not
	each   []int           // new useful finds of each night
	again  int             // requests of pages that an earlier night had read

	mu    sync.Mutex
	read  map[string]bool
	label map[string]bool // useful pages
}

// live lives the nights of one way.
func (w *web) live(ctx context.Context, o *options, how way, seed int) (m *month, err error) {
	dir, err := os.MkdirTemp("", "monthbench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	m = &month{web: w, useful: map[string]bool{}, read: map[string]bool{}, label: w.labels.With(w.Relevant[0])}
	if m.st, err = store.Open(ctx, filepath.Join(dir, "nightjar.db")); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.st.Close()) }()
	var bus notify.Bus
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	tr := trainer.New(m.st, &bus, log)
	if err := m.begin(ctx, tr); err != nil {
		return nil, err
	}
	s, err := scheduler.New(m.st, &bus, scheduler.Options{
		Log: log, Workers: 1, Tick: 10 * time.Millisecond, Trainer: tr,
		Fetcher: func(settings.Settings) (fetch.Fetcher, error) { return m, nil },
	})
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(ctx)
	over := make(chan error, 1)
	go func() { over <- s.Run(running) }()
	defer func() {
		stop()
		err = errors.Join(err, <-over)
	}()
	return m, m.nights(ctx, o, how, rand.New(rand.NewPCG(uint64(seed), 0x6d6f6e7468)), s, tr, &bus)
}

// begin imports the session, trains and ticks the start pages.
func (m *month) begin(ctx context.Context, tr *trainer.Trainer) error {
	admitted, refused := session.AdmitAll(m.web.events)
	if len(refused) > 0 {
		return fmt.Errorf("the session is refused: %v", refused[0])
	}
	if _, err := m.st.Ingest(ctx, admitted); err != nil {
		return err
	}
	topics, err := m.st.Topics(ctx)
	if err != nil || len(topics) == 0 {
		return errors.Join(err, errors.New("the session has no topic"))
	}
	m.topic = topics[0].ID
	if _, err := tr.Train(ctx, m.topic); err != nil {
		return err
	}
	for _, url := range m.web.Starts {
		if _, err := m.st.AddStart(ctx, m.topic, url); err != nil {
			return err
		}
	}
	return nil
}

func (m *month) nights(ctx context.Context, o *options, how way, rng *rand.Rand, s *scheduler.Scheduler, tr *trainer.Trainer, bus *notify.Bus) error {
	nights, pages := o.Nights, o.Pages
	if how.one {
		nights, pages = 1, o.Nights*o.Pages
	}
	chosen := settings.Default()
	chosen.Budget, chosen.StopBelow, chosen.Delay = settings.Budget{Pages: pages}, 0, 0
	if err := m.st.SaveSettings(ctx, chosen); err != nil {
		return err
	}
	for range nights {
		if how.anew {
			if err := m.st.StartAnew(ctx, m.topic); err != nil {
				return err
			}
		}
		id, err := s.RunNow(ctx, m.topic)
		if err != nil {
			return err
		}
		if err := m.wait(ctx, id, bus); err != nil {
			return err
		}
		marked, err := m.morning(ctx, o, how, rng)
		if err != nil {
			return err
		}
		if marked > 0 {
			if _, err := tr.Train(ctx, m.topic); err != nil {
				return err
			}
		}
	}
	return nil
}

// wait waits for the end of a crawl.
func (m *month) wait(ctx context.Context, id int64, bus *notify.Bus) error {
	news, end := bus.Listen()
	defer end()
	for {
		c, err := m.st.CrawlByID(ctx, id)
		if err != nil || c.Status == store.CrawlEnded {
			return err
		}
		select {
		case <-news:
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// morning counts the finds of the night, and has the person look at the best ones.
func (m *month) morning(ctx context.Context, o *options, how way, rng *rand.Rand) (marked int, err error) {
	finds, err := m.st.FindViews(ctx, store.FindFilter{Topic: m.topic, State: "open", Limit: 100_000})
	if err != nil {
		return 0, err
	}
	fresh := 0
	for _, f := range finds {
		if m.label[f.URL] && !m.useful[f.URL] {
			m.useful[f.URL] = true
			fresh++
		}
	}
	m.each = append(m.each, fresh)
	for _, f := range finds[:min(o.Looks, len(finds))] {
		m.shown++
		if m.label[f.URL] {
			m.right++
		}
		if !how.marks {
			continue
		}
		says := m.label[f.URL] != (o.Wrong > 0 && rng.IntN(o.Wrong) == 0)
		if err := m.st.Mark(ctx, f.ID, map[bool]string{true: store.MarkUseful, false: store.MarkNotUseful}[says]); err != nil {
			return 0, err
		}
		marked++
	}
	return marked, nil
}

// ReadyAt lets every host be asked at any time.
func (m *month) ReadyAt(string) time.Time { return time.Time{} }

// Fetch answers from the recording, and counts pages that were read before.
func (m *month) Fetch(ctx context.Context, url string) fetch.Response {
	r := m.web.replay.Fetch(ctx, url)
	if r.Outcome == fetch.OK {
		m.mu.Lock()
		defer m.mu.Unlock()
		switch {
		case m.read[r.FinalURL]:
			m.again++
		case m.label[r.FinalURL]:
			m.met++
		}
		m.read[r.FinalURL] = true
	}
	return r
}
