package echo

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"nightjar/daemon/notify"
	"nightjar/daemon/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/trainer"
	"nightjar/model"
)

const (
	pause = 900 * time.Millisecond // without a mark, before the training begins
	shown = 10                     // links of a crawl that are compared one by one
	ahead = 50                     // links of a crawl whose sites are counted
	most  = 4                      // topics whose models are kept in memory
)

// Trainer trains a topic without storing the model.
type Trainer interface {
	Try(ctx context.Context, topicID int64) (*model.Bundle, error)
}

// Previewer says what a crawl with a model would follow first.
type Previewer interface {
	PreviewWith(ctx context.Context, topicID int64, b *model.Bundle, n int) (scheduler.Preview, error)
	PreviewSite(ctx context.Context, topicID int64, b *model.Bundle, n int, site string, refused bool) (scheduler.Preview, error)
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
	Site    string   // that was refused or allowed, "" for marks
	Gained  []string // words that count more for a useful page than before, the largest change first
	Lost    []string // words that count less
	Sites   []Site   // whose number of links among the first 50 changed, the largest change first
	Before  []scheduler.PreviewLink
	After   []scheduler.PreviewLink // the first ten links of the next crawl
	Since   int                     // version of the model before, 0 when that was an echo's own
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
	pause     time.Duration
	wake      chan struct{}

	mu      sync.Mutex
	waiting map[int64]bool // topics to compare
	site    *siteChange    // to compare, nil for none
	cancel  context.CancelFunc
	now     Echo

	known map[int64]*tried // only Run's goroutine uses it
}

// siteChange is that a site was refused, or allowed again.
type siteChange struct {
	site    string
	refused bool
}

// tried is what is known of a topic as of its last echo.
type tried struct {
	bundle   *model.Bundle
	preview  *scheduler.Preview // nil when it could not be made
	version  int                // the newest stored version then
	stored   bool               // the bundle is that version
	erasures int64              // of the store then
}

// New makes Echoes.
func New(st *store.Store, t Trainer, s Previewer, bus *notify.Bus, log *slog.Logger) *Echoes {
	return &Echoes{st: st, trainer: t, scheduler: s, bus: bus, log: log, pause: pause, wake: make(chan struct{}, 1),
		waiting: map[int64]bool{}, known: map[int64]*tried{}}
}

// Marked says that marks changed from which trainings of these topics learn. It returns at once.
func (e *Echoes) Marked(topics []int64) {
	if len(topics) == 0 {
		return
	}
	e.mu.Lock()
	for _, id := range topics {
		e.waiting[id] = true
	}
	if e.cancel != nil {
		e.cancel() // what is being compared is out of date
	}
	e.now = Echo{At: e.st.Now(), Learning: true}
	e.mu.Unlock()
	e.rouse()
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
	e.rouse()
}

func (e *Echoes) rouse() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
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
func (e *Echoes) Run(ctx context.Context) error {
	timer := time.NewTimer(e.pause)
	timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-e.wake:
			timer.Reset(e.pause)
		case <-timer.C:
			e.compareAll(ctx)
		}
	}
}

// compareAll compares the waiting topics. When a mark comes in between, it leaves the rest for the next time.
func (e *Echoes) compareAll(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e.mu.Lock()
	e.cancel = cancel
	var topics []int64
	for id := range e.waiting {
		topics = append(topics, id)
	}
	site := e.site
	e.mu.Unlock()
	if site != nil && !e.compareSite(ctx, site) {
		return
	}
	slices.Sort(topics)
	for _, id := range topics {
		change, is := e.compare(ctx, id)
		e.mu.Lock()
		if ctx.Err() != nil { // more marks: they are waiting, and the baseline stays
			e.cancel = nil
			e.mu.Unlock()
			return
		}
		delete(e.waiting, id)
		if is != nil {
			e.keep(id, is)
		}
		if change != nil && e.now.Site == "" { // a site's echo has nothing of the marks before it
			e.add(*change)
		}
		e.now.Learning = len(e.waiting) > 0
		e.mu.Unlock()
		e.bus.Tell(notify.News{Kind: "echo"})
	}
	e.mu.Lock()
	e.cancel = nil
	e.mu.Unlock()
}

// add lists a change by the name of its topic. The caller holds mu.
func (e *Echoes) add(c Change) {
	e.now.Topics = append(e.now.Topics, c)
	slices.SortFunc(e.now.Topics, func(a, b Change) int { return cmp.Compare(a.Topic, b.Topic) })
}

// keep notes what the next echo of a topic is compared with.
func (e *Echoes) keep(id int64, is *tried) {
	if e.known[id] == nil && len(e.known) >= most {
		clear(e.known)
	}
	e.known[id] = is
}

// compare trains a topic and compares the model with the one before. The change is nil for a topic that is gone.
func (e *Echoes) compare(ctx context.Context, id int64) (*Change, *tried) {
	topic, err := e.st.TopicByID(ctx, id)
	if err != nil {
		return nil, nil
	}
	c := &Change{TopicID: id, Topic: topic.Name}
	fail := func(err error) (*Change, *tried) {
		if ctx.Err() == nil && !trainer.Untrainable(err) && !errors.Is(err, store.ErrNotFound) {
			e.log.Warn("what a mark changes is not known", "topic", id, "error", err)
		}
		c.Problem = trainer.Problem(err)
		return c, nil
	}
	was, err := e.before(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil // no model: nothing to compare with
	}
	if err != nil {
		return fail(err)
	}
	is := &tried{version: was.version, erasures: e.st.Erasures()}
	if is.bundle, err = e.trainer.Try(ctx, id); err != nil {
		return fail(err)
	}
	if e.st.Erasures() != is.erasures {
		return nil, nil // it may hold what was erased
	}
	if was.stored {
		c.Since = was.version
	}
	c.Gained, c.Lost = words(was.bundle, is.bundle)
	is.preview = e.preview(ctx, id, is.bundle)
	if was.preview == nil {
		was.preview = e.preview(ctx, id, was.bundle)
	}
	if was.preview == nil || is.preview == nil {
		c.NoLinks = true
		return c, is
	}
	c.Sites = sites(was.preview.Links, is.preview.Links)
	c.Before, c.After = first(was.preview.Links), first(is.preview.Links)
	return c, is
}

// before returns what a topic's next echo is compared with: the last echo's model, or the newest stored one when that is
// newer or something was erased since.
func (e *Echoes) before(ctx context.Context, id int64) (*tried, error) {
	m, err := e.st.LatestModel(ctx, id)
	if err != nil {
		return nil, err
	}
	if k := e.known[id]; k != nil && k.version == m.Version && k.erasures == e.st.Erasures() {
		return k, nil
	}
	b, err := m.Bundle()
	if err != nil {
		return nil, err
	}
	return &tried{bundle: b, version: m.Version, stored: true, erasures: e.st.Erasures()}, nil
}

// preview returns nil when there is none, as for a topic without start pages.
func (e *Echoes) preview(ctx context.Context, id int64, b *model.Bundle) *scheduler.Preview {
	p, err := e.scheduler.PreviewWith(ctx, id, b, ahead)
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
