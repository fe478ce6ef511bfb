package bookmarks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"nightjar/crawler/fetch"
	"nightjar/crawler/texts"
	"nightjar/daemon/base/jobs"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/linkstates"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/store"
	"nightjar/model"
)

// Web is the web that crawls share; *scheduler.Scheduler is one.
type Web interface {
	Borrow(ctx context.Context) (f fetch.Fetcher, release func(), err error)
	Refusal(ctx context.Context) (func(url string) error, error)
}

// Deps are what a Maker needs. All are required.
type Deps struct {
	Store  *store.Store
	Web    Web
	Bus    *notify.Bus
	Log    *slog.Logger
	Now    func() time.Time
	Import func(ctx context.Context, file io.Reader) error // stores a session file and trains its topic
}

// Maker makes sessions of bookmarks, one at a time. A session is stored whole or not at all: when the daemon ends before, the next
// one knows that a session was cut off.
type Maker struct {
	Deps
	work    chan work
	running jobs.Running[Progress]

	mu     sync.Mutex
	list   *List // that the person is choosing from, nil for none
	status Status
}

// work is a session to make.
type work struct {
	topic  string
	chosen []Chosen
}

const (
	theOne   = 1           // number of the job: there is one at a time
	newsKind = "bookmarks" // of news about it
)

// Status is what a Maker does, or did last.
type Status struct {
	Progress
	Running bool
	Topic   string
	Session string   // id of the last session that was stored
	Pages   int      // in it
	Useful  int      // of these
	Failed  []Failed // that could not be fetched
	Problem string   // why there is no session, in words
}

// State of a link in the list.
type State struct {
	Link
	Known   string // protocol.KnownUseful, …; "" if nothing is known of it
	Refused string // why it is not requested, in words; "" if it may be
}

// Errors of Start. They are for people.
var (
	ErrBusy     = errors.New("a session is being made of other bookmarks: wait until it is finished, or stop it")
	ErrTopic    = fmt.Errorf("name the topic, in at most %d characters", protocol.MaxTopic)
	ErrNoUseful = errors.New("tick at least one page as useful")
	ErrTooMany  = fmt.Errorf("a session is made of at most %d bookmarks: choose a smaller folder, or untick some", MaxChosen)
	errStopped  = errors.New("you stopped it; nothing was stored")
)

// startedKey is the setting that says that a session is being made. Its value is the number of chosen pages.
const startedKey = "bookmarks"

// New makes a Maker.
func New(ctx context.Context, d Deps) (*Maker, error) {
	m := &Maker{Deps: d, work: make(chan work, 1)}
	m.running.Tell = func(int64, Progress) { d.Bus.Tell(notify.News{Kind: newsKind}) }
	chosen := 0
	_, err := d.Store.Setting(ctx, startedKey, &chosen)
	if chosen > 0 {
		m.status.Problem = fmt.Sprintf("Nightjar ended while it fetched %d bookmarks; nothing of them was stored. Choose the file again", chosen)
	}
	return m, err
}

// Keep keeps a list for the person to choose from, until a session is made of it or the daemon ends; nil forgets it.
func (m *Maker) Keep(l *List) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list = l
}

// List is the list that is kept, nil for none.
func (m *Maker) List() *List {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.list
}

// Status returns what the Maker does.
func (m *Maker) Status() Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.status
	if p := m.running.Progress(theOne); s.Running && p.Total > 0 {
		s.Progress = p
	}
	return s
}

// States says what is known of links. Nothing is requested.
func (m *Maker) States(ctx context.Context, links []Link) ([]State, error) {
	refuse, err := m.refusal(ctx)
	if err != nil {
		return nil, err
	}
	urls := make([]string, len(links))
	for i, l := range links {
		urls[i] = l.URL
	}
	known, err := linkstates.Of(ctx, m.Store.DB, 0, urls)
	if err != nil {
		return nil, err
	}
	all := make([]State, len(links))
	for i, l := range links {
		all[i] = State{l, known[l.URL], refuse(l.URL)}
	}
	return all, nil
}

// refusal returns a function that says why a page must not be requested or recorded.
func (m *Maker) refusal(ctx context.Context) (func(url string) string, error) {
	settings, err := m.Store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	refused, err := m.Web.Refusal(ctx)
	if err != nil {
		return nil, err
	}
	rules := protocol.Rules{Never: settings.NeverRecord, Listen: m.Store.Listen}
	return func(url string) string {
		if why := rules.Refusal(url, false); why != "" {
			return why
		}
		if err := refused(url); err != nil {
			return err.Error()
		}
		return ""
	}, nil
}

// Start begins to make a session of what the person chose. It returns when that is noted; Run does the rest.
func (m *Maker) Start(ctx context.Context, topic string, chosen []Chosen) error {
	topic = strings.Join(strings.Fields(topic), " ")
	useful := func(c Chosen) bool { return c.Useful }
	switch {
	case topic == "" || utf8.RuneCountInString(topic) > protocol.MaxTopic:
		return ErrTopic
	case !slices.ContainsFunc(chosen, useful):
		return ErrNoUseful
	case len(chosen) > MaxChosen:
		return ErrTooMany
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.status.Running {
		return ErrBusy
	}
	if err := m.Store.SetSetting(ctx, startedKey, len(chosen)); err != nil {
		return err
	}
	m.list, m.status = nil, Status{Running: true, Topic: topic, Progress: Progress{Total: len(chosen)}}
	m.work <- work{topic, chosen}
	return nil
}

// Stop ends the session that is being made. Nothing of it is stored.
func (m *Maker) Stop(ctx context.Context) error { return m.running.Stop(ctx, theOne, errStopped, nil) }

// Forget stops what is being made, and forgets the list and what became of the last session: everything is erased.
func (m *Maker) Forget(ctx context.Context) error {
	if err := m.Stop(ctx); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.list, m.status = nil, Status{Running: m.status.Running}
	return nil
}

// Run makes the sessions that are started, until ctx ends.
func (m *Maker) Run(ctx context.Context) error {
	for {
		select {
		case w := <-m.work:
			if err := m.make(ctx, w); err != nil {
				return nil // the daemon ends; the next one says so
			}
		case <-ctx.Done():
			return nil
		}
	}
}

// make makes a session and notes how that ended. The error is that of ctx.
func (m *Maker) make(ctx context.Context, w work) error {
	job, end := m.running.Begin(ctx, theOne)
	done, err := m.session(job, w)
	end()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	done.Topic = w.topic
	switch cause := context.Cause(job); {
	case err != nil && errors.Is(cause, errStopped):
		done = Status{Topic: w.topic, Problem: errStopped.Error()}
	case err != nil:
		m.Log.Warn("no session could be made of bookmarks", "err", err)
		done.Problem = err.Error()
	}
	if err := m.Store.SetSetting(ctx, startedKey, 0); err != nil {
		m.Log.Warn("the end of the work on bookmarks could not be noted", "err", err) // the next daemon says that it was cut off
	}
	m.mu.Lock()
	m.status = done
	m.mu.Unlock()
	m.Bus.Tell(notify.News{Kind: newsKind})
	return nil
}

// session fetches the pages and imports a session of them.
func (m *Maker) session(ctx context.Context, w work) (done Status, err error) {
	refuse, err := m.refusal(ctx)
	if err != nil {
		return done, err
	}
	f, release, err := m.Web.Borrow(ctx)
	if err != nil {
		return done, err
	}
	defer release()
	begun := m.Now()
	note := func(p Progress) { m.running.Note(theOne, fmt.Sprint(p.Around), p) }
	pages, failed, err := (&Gatherer{Fetch: f, Refuse: refuse, Note: note, Now: m.Now}).Gather(ctx, w.chosen)
	done.Failed = failed
	if err != nil {
		return done, err
	}
	for _, p := range pages {
		if p.Useful {
			done.Useful++
		}
	}
	done.Pages = len(pages)
	if others := done.Pages - done.Useful; model.Trainable(done.Useful, others) != nil {
		return done, fmt.Errorf("%s and %s could be fetched, which is too little to learn from; nothing was stored: choose more pages, and untick some that are not useful",
			texts.Plural(done.Useful, "useful page"), texts.Plural(others, "other page"))
	}
	events, id := Events(w.topic, pages, begun, rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())))
	var file bytes.Buffer
	if err := session.Write(&file, events); err != nil {
		return done, err
	}
	if err := m.Import(ctx, &file); err != nil {
		return done, err
	}
	done.Session = id
	return done, nil
}
