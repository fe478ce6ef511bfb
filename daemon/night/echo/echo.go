package echo

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"nightjar/daemon/base/jobs"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/learn/models"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store"
	"nightjar/model"
)

const (
	pause = 900 * time.Millisecond // without a mark, before the training begins
	shown = 10                     // links of a crawl that are compared one by one
	ahead = 50                     // links of a crawl whose sites are counted
	again = 2                      // further trainings without the marks, by which changes of links are judged
)

// Trainer trains a topic with and without its last marks, and stores no model.
type Trainer interface {
	Try(ctx context.Context, topicID, since int64) (*trainer.Trial, error)
	Again(ctx context.Context, trial *trainer.Trial, seed uint64) (*model.Bundle, error)
}

// Previewer says what a crawl would follow first.
type Previewer interface {
	Preview(ctx context.Context, of scheduler.Previewed, n int) (scheduler.Preview, error)
}

// Echo is what the last marks changed, or refusing a site.
type Echo struct {
	At       time.Time // of the last mark
	Site     string    // that was refused or allowed, "" for marks; then only topics whose first links changed are listed
	Learning bool      // some topics are not compared yet
	Topics   []Change  // compared, by name
}

// Change is what marks changed for one topic.
type Change struct {
	TopicID int64
	Topic   string
	Marks   int      // times that the person marked, or took marks back; the change is of all of them
	Site    string   // that was refused or allowed, "" for marks
	Gained  []string // words of the marked pages that count more for a useful page by the marks, the largest change first
	Lost    []string // words that count less
	Sites   []Site   // whose number of links among the first 50 changed, the largest change first
	Before  []scheduler.PreviewLink
	After   []scheduler.PreviewLink // the first ten links of the next crawl
	Usual   bool                    // the first ten changed, but no more than when it is trained again without the marks
	NoLinks bool                    // it is not known which links come first
	Problem string                  // why there is no comparison, in words; "" when there is one
}

// Site is a site whose share of the links that a crawl follows first changed.
type Site struct {
	Name    string
	Was, Is int // of the first 50 links
}

// Same reports whether the first ten links stay the same, in the same order.
func (c *Change) Same() bool {
	return slices.EqualFunc(c.Before, c.After, func(a, b scheduler.PreviewLink) bool { return a.URL == b.URL })
}

// Echoes works out echoes. Create it with New and start Run. Its methods may be called concurrently.
type Echoes struct {
	st        *store.Store
	trainer   Trainer
	scheduler Previewer
	bus       *notify.Bus
	log       *slog.Logger
	loop      jobs.Loop

	mu      sync.Mutex
	waiting map[int64]unheard // topics to compare
	site    *siteChange       // to compare, nil for none
	cancel  context.CancelFunc
	now     Echo
}

// unheard are marks that are to be compared together.
type unheard struct {
	since int64 // id of the last mark before them
	times int
}

// siteChange is that a site was refused, or allowed again.
type siteChange struct {
	site    string
	refused bool
}

// New makes Echoes.
func New(st *store.Store, t Trainer, s Previewer, bus *notify.Bus, log *slog.Logger) *Echoes {
	e := &Echoes{st: st, trainer: t, scheduler: s, bus: bus, log: log, waiting: map[int64]unheard{}}
	e.loop.First, e.loop.Settle = pause, pause
	e.loop.Step = func(ctx context.Context) (time.Duration, error) {
		e.compareAll(ctx)
		return jobs.Never, nil
	}
	return e
}

// Marked says that marks changed from which trainings of these topics learn. since is the id of the last mark before them.
// Marked returns at once.
func (e *Echoes) Marked(topics []int64, since int64) {
	if len(topics) == 0 {
		return
	}
	e.mu.Lock()
	for _, id := range topics {
		marks, waits := e.waiting[id]
		if !waits || since < marks.since {
			marks.since = since
		}
		marks.times++
		e.waiting[id] = marks
	}
	if e.cancel != nil {
		e.cancel() // what is being compared is out of date
	}
	e.now = Echo{At: e.st.Now(), Learning: true}
	e.mu.Unlock()
	e.loop.Wake()
}

// Refused says that a site was refused, or allowed again. It returns at once.
func (e *Echoes) Refused(site string, refused bool) {
	e.mu.Lock()
	e.site = &siteChange{site, refused}
	if e.cancel != nil {
		e.cancel()
	}
	e.now = Echo{At: e.st.Now(), Site: site, Learning: true}
	e.mu.Unlock()
	e.loop.Wake()
}

// Now returns the echo of the last marks.
func (e *Echoes) Now() Echo {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now
	now.Topics = slices.Clone(now.Topics)
	return now
}

// Forget drops what the last marks changed.
func (e *Echoes) Forget() {
	e.mu.Lock()
	e.now = Echo{At: e.now.At, Learning: len(e.waiting) > 0 || e.site != nil}
	e.mu.Unlock()
}

// Run works out echoes until ctx ends.
func (e *Echoes) Run(ctx context.Context) error { return e.loop.Run(ctx) }

// compareAll compares the waiting topics. When a mark comes in between, it leaves the rest for the next time.
func (e *Echoes) compareAll(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	e.mu.Lock()
	e.cancel = cancel
	waiting, site := maps.Clone(e.waiting), e.site
	e.mu.Unlock()
	defer func() {
		cancel()
		e.mu.Lock()
		e.cancel = nil
		e.mu.Unlock()
	}()
	if site != nil && !e.compareSite(ctx, site) {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(waiting)) {
		change := e.compare(ctx, id, waiting[id])
		e.mu.Lock()
		if ctx.Err() != nil { // more marks: they are waiting with these
			e.mu.Unlock()
			return
		}
		delete(e.waiting, id)
		if change != nil && e.now.Site == "" { // a site's echo has nothing of the marks before it
			e.add(*change)
		}
		e.now.Learning = len(e.waiting) > 0
		e.mu.Unlock()
		e.bus.Tell(notify.News{Kind: "echo"})
	}
}

// add lists a change by the name of its topic. The caller holds mu.
func (e *Echoes) add(c Change) {
	e.now.Topics = append(e.now.Topics, c)
	slices.SortFunc(e.now.Topics, func(a, b Change) int { return cmp.Compare(a.Topic, b.Topic) })
}

// compare trains a topic with and without the marks since one, and compares the models. The change is nil for a topic that is
// gone or has no model, and when something was erased meanwhile, which the models may hold.
func (e *Echoes) compare(ctx context.Context, id int64, marks unheard) *Change {
	topic, err := topics.ByID(ctx, e.st.DB, id)
	if err != nil {
		return nil
	}
	if _, err := models.Latest(ctx, e.st.DB, id); errors.Is(err, store.ErrNotFound) {
		return nil
	}
	c := &Change{TopicID: id, Topic: topic.Name, Marks: marks.times}
	erasures := e.st.Erasures()
	trial, err := e.trainer.Try(ctx, id, marks.since)
	if err == nil {
		err = e.say(ctx, c, trial)
	}
	if err != nil {
		if ctx.Err() == nil && !trainer.Untrainable(err) && !errors.Is(err, store.ErrNotFound) {
			e.log.Warn("what a mark changes is not known", "topic", id, "error", err)
		}
		c.Problem = trainer.Problem(err)
	}
	if e.st.Erasures() != erasures {
		return nil
	}
	return c
}

// say notes what the marks of a trial changed.
func (e *Echoes) say(ctx context.Context, c *Change, t *trainer.Trial) error {
	if t.Without == nil {
		c.NoLinks, c.Problem = true, "Without these marks there is too little to train a model."
		return nil
	}
	c.Gained, c.Lost = words(t)
	was, is := e.preview(ctx, c.TopicID, t.Without), e.preview(ctx, c.TopicID, t.With)
	if was == nil || is == nil {
		c.NoLinks = true
		return nil
	}
	c.Before, c.After = first(was.Links), first(is.Links)
	usual, err := e.usual(ctx, c, t, was, is)
	if err != nil {
		return err
	}
	c.Usual = !c.Same() && !usual.less(differenceOf(c.Before, c.After))
	c.Sites = sites(was.Links, is.Links, usual.site)
	return nil
}

// usual is the largest difference that further trainings without the marks make to the first links. None is needed when the
// marks changed nothing.
func (e *Echoes) usual(ctx context.Context, c *Change, t *trainer.Trial, was, is *scheduler.Preview) (most difference, err error) {
	if c.Same() && len(sites(was.Links, is.Links, 0)) == 0 {
		return most, nil
	}
	for i := range uint64(again) {
		b, err := e.trainer.Again(ctx, t, t.Without.Settings.Seed+1+i)
		if err != nil {
			return most, err
		}
		p := e.preview(ctx, c.TopicID, b)
		if p == nil {
			continue
		}
		d := differenceOf(c.Before, first(p.Links))
		most.fresh, most.moved = max(most.fresh, d.fresh), max(most.moved, d.moved)
		if all := sites(was.Links, p.Links, 0); len(all) > 0 {
			most.site = max(most.site, all[0].by())
		}
	}
	return most, nil
}

// preview returns nil when there is none, as for a topic without start pages.
func (e *Echoes) preview(ctx context.Context, id int64, b *model.Bundle) *scheduler.Preview {
	p, err := e.scheduler.Preview(ctx, scheduler.Previewed{Topic: id, Model: b}, ahead)
	if err != nil || len(p.Links) == 0 {
		if err != nil && ctx.Err() == nil && !errors.Is(err, scheduler.ErrNoStart) && !errors.Is(err, scheduler.ErrNoModel) {
			e.log.Warn("what a crawl would follow first is not known", "topic", id, "error", err)
		}
		return nil
	}
	return &p
}

func first(links []scheduler.PreviewLink) []scheduler.PreviewLink {
	return links[:min(shown, len(links))]
}
