package corpus

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// walker is a person on a walk.
type walker struct {
	*recorder
	o        WalkOptions
	graph    *Graph
	relevant map[string]bool
	starts   []string
	opened   int // start pages typed so far
	wrong    int // length of the current wrong turn
	known    int // marks when a start page was typed last
	rng      *rand.Rand
}

// walk walks until enough pages are visited, or nothing new can be reached.
func (w *walker) walk(ctx context.Context) error {
	for len(w.seen) < w.o.Pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		ok, err := w.step(ctx)
		if err != nil {
			return err
		}
		if !ok {
			w.summary.Note = "no more pages can be reached from the start pages"
			break
		}
	}
	return nil
}

// step takes a step; it reports false when none is left.
func (w *walker) step(ctx context.Context) (bool, error) {
	if w.Shown() == nil || w.startDue() || w.o.Restart && len(w.marked) > w.known {
		return true, w.open(ctx)
	}
	here := w.Shown().Page.URL
	if w.wrong > 0 && w.CanGoBack() && (w.wrong >= maxWrong || w.rng.Float64() < chanceBack) {
		w.wrong--
		return true, w.back()
	}
	if w.wantsTarget() {
		if e, ok := w.toward(here, w.unmarked); ok {
			w.wrong = 0
			return true, w.follow(ctx, e)
		}
	}
	if e, ok := w.wrongTurn(here); ok {
		w.wrong++
		return true, w.follow(ctx, e)
	}
	if w.CanGoBack() && w.rng.IntN(2) == 0 {
		w.wrong = max(0, w.wrong-1)
		return true, w.back()
	}
	// All pages nearby are known: go on through seen pages, or back.
	if e, ok := w.toward(here, w.fresh); ok {
		return true, w.follow(ctx, e)
	}
	if w.CanGoBack() {
		return true, w.back()
	}
	return w.elsewhere(ctx)
}

// toward is the first link to the nearest wanted page.
func (w *walker) toward(from string, wanted func(url string) bool) (edge, bool) {
	return w.graph.toward(w.rng, from, wanted, func(url string) bool { return w.unmarked(url) && len(w.marked) >= w.o.Targets })
}

// wantsTarget draws whether the person now goes to a useful page; always, when few pages are left.
func (w *walker) wantsTarget() bool {
	left, missing := w.o.Pages-len(w.seen), w.o.Targets-len(w.marked)
	switch {
	case missing <= 0:
		return false
	case left <= 3*missing:
		return true
	case len(w.marked)*w.o.Pages <= w.o.Targets*len(w.seen):
		return w.rng.Float64() < chanceBehind
	}
	return w.rng.Float64() < chanceAhead
}

// unmarked reports whether a page is useful and not marked.
func (w *walker) unmarked(url string) bool { return w.relevant[url] && !w.marked[url] }

// fresh reports whether a page is new and not useful.
func (w *walker) fresh(url string) bool { return !w.seen[url] && !w.relevant[url] }

// wrongTurn draws a link to a fresh page.
func (w *walker) wrongTurn(here string) (edge, bool) {
	var fresh []edge
	for _, e := range w.graph.from(here) {
		if w.fresh(e.to) {
			fresh = append(fresh, e)
		}
	}
	if len(fresh) == 0 {
		return edge{}, false
	}
	return fresh[w.rng.IntN(len(fresh))], true
}

// startDue reports whether the next start page's share of the walk has begun.
func (w *walker) startDue() bool {
	return w.opened < len(w.starts) && len(w.seen)*len(w.starts) >= w.opened*w.o.Pages
}

// open opens the next start page.
func (w *walker) open(ctx context.Context) error {
	url := w.starts[w.opened%len(w.starts)]
	w.opened++
	w.wrong = 0
	if err := w.Open(ctx, url); err != nil {
		return fmt.Errorf("walk: %w", err)
	}
	err := w.visited(w.useful)
	w.known = len(w.marked)
	return err
}

// elsewhere opens a start page from which something new can be reached.
func (w *walker) elsewhere(ctx context.Context) (bool, error) {
	for range w.starts {
		url := w.starts[w.opened%len(w.starts)]
		wanted := w.fresh
		if len(w.marked) < w.o.Targets {
			wanted = func(url string) bool { return w.fresh(url) || w.unmarked(url) }
		}
		if _, ok := w.toward(url, wanted); ok {
			return true, w.open(ctx)
		}
		w.opened++
	}
	return false, nil
}

// follow follows a link and marks the page if it is useful.
func (w *walker) follow(ctx context.Context, e edge) error {
	if err := w.Follow(ctx, e.link); err != nil {
		return fmt.Errorf("walk: %w", err)
	}
	return w.visited(w.useful)
}

// useful reports whether the person marks a page: it has the label, and more marks are needed.
func (w *walker) useful(url string) bool { return w.relevant[url] && len(w.marked) < w.o.Targets }
