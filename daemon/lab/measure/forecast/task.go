package forecast

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/crawler/fetch"
	"nightjar/daemon/lab/bench"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/session"
)

// shares are the useful pages of a walk, as shares of its pages. A walker marks as many as it is told to, unlike the person of a
// game: so each seed has another share, and the share of a walk says nothing about its web.
var shares = []float64{0.1, 0.15, 0.25}

// near is how many of the pages nearest to a task's start pages other start pages are drawn from, and otherStarts how many.
const (
	near        = 80
	otherStarts = 3
)

// task is a task of the suite with its opened web.
type task struct {
	bench.Task
	library *bench.Library
	web     string // recording that is crawled
	replay  *fetch.Replay
	labels  *corpus.Labels
	close   []string // pages near the start pages
}

// tasks are those of the suite to measure.
func tasks(o *options) ([]bench.Task, error) {
	suite, err := bench.LoadSuite("real")
	if err != nil {
		return nil, err
	}
	if len(o.Only) > 0 {
		if err := suite.Only(o.Only); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(suite.Tasks, func(t bench.Task) bool { return !t.LookedAt && !o.Held }), nil
}

// open reads a task's web.
func open(ctx context.Context, l *bench.Library, t bench.Task) (*task, error) {
	out := &task{Task: t, library: l, web: strings.TrimSuffix(filepath.Base(t.Corpus[0]), ".warc.gz")}
	if t.Group == "Documentation" {
		out.web = "documentation"
	}
	var err error
	if out.replay, err = l.Replay(t.Corpus); err != nil {
		return nil, err
	}
	if out.labels, err = l.Labels(t.Labels, t.Corpus, t.Rules); err != nil {
		return nil, err
	}
	starts := append(slices.Clone(t.Starts), t.Pool...)
	finals, _ := corpus.Starts(ctx, out.replay, starts)
	web, err := corpus.ReadWeb(ctx, out.replay, finals)
	if err != nil {
		return nil, err
	}
	pages := web.Pages()
	out.close = pages[min(len(finals), len(pages)):min(len(finals)+near, len(pages))]
	return out, nil
}

// starts draws the start pages of a topic's first night (draw 0) and of later ones.
func (t *task) starts(seed, draw int) []string {
	if draw == 0 && len(t.Starts) > 0 {
		return t.Starts
	}
	pool, n := t.close, otherStarts
	if len(t.Pool) > 0 {
		pool, n = t.Pool, t.Draw
	}
	var all []string
	for _, i := range rand.New(rand.NewPCG(uint64(seed), 0x6e696768)).Perm(len(pool)) {
		all = append(all, pool[i])
	}
	at := min(draw*n, max(0, len(all)-n))
	return all[at:min(at+n, len(all))]
}

// sessions makes a session of about so many pages.
func (t *task) sessions(ctx context.Context, seed, size int) ([]*session.Session, error) {
	one := t.Task
	if t.Games != nil {
		games := *t.Games
		games.Pages = size
		one.Games = &games
	}
	one.Walks = slices.Clone(t.Walks)
	for i := range one.Walks {
		pages := size / len(t.Walks)
		one.Walks[i].Pages, one.Walks[i].Targets = pages, max(2, int(shares[seed%len(shares)]*float64(pages)))
	}
	return t.library.Sessions(ctx, &one, uint64(seed))
}
