package explore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"nightjar/daemon/store"
	"nightjar/daemon/thesus/links"
	"nightjar/model/conceptset"
)

// mostViews is how many groupings are kept in memory, those that were shown last.
const mostViews = 3

// loaded is a finished grouping in memory. Nothing of it is changed.
type loaded struct {
	key    loadedKey
	result *Result
	view   View          // without what may change: see Maker.fresh
	place  map[int64]int // in View.Pages, of the number of a page
	sets   []conceptset.Set
	labels []conceptset.Set // of the clusters of the default level

	mu    sync.Mutex
	asked *asking // what Ask needs; nil until it is first called
}

// loadedKey tells whether what is loaded is still so: a grouping gets another end when it is made again.
type loadedKey struct {
	ended    int64
	erasures int64
}

// View returns a finished grouping, also while it is made again. The errors are store.ErrNotFound, and ErrNotReady when it has
// no result. Its lists must not be changed.
func (m *Maker) View(ctx context.Context, id int64) (*View, error) {
	g, l, err := m.load(ctx, id)
	if err != nil {
		return nil, err
	}
	return m.fresh(ctx, g, l)
}

// load returns a grouping with its result.
func (m *Maker) load(ctx context.Context, id int64) (Grouping, *loaded, error) {
	g, err := GroupingByID(ctx, m.Store.DB, id)
	if err != nil {
		return g, nil, err
	}
	key := loadedKey{g.EndedAt.UnixMilli(), m.Store.Erasures()}
	if l, ok := m.views.Get(id); ok && l.key == key {
		return g, l, nil
	}
	text, err := StoredResult(ctx, m.Store.DB, id)
	if errors.Is(err, store.ErrNotFound) {
		return g, nil, ErrNotReady
	}
	if err != nil {
		return g, nil, err
	}
	l := &loaded{key: key, result: &Result{}}
	if err := json.Unmarshal(text, l.result); err != nil {
		return g, nil, fmt.Errorf("read grouping %d: %w", id, err)
	}
	if err := l.read(ctx, m.Store); err != nil {
		return g, nil, fmt.Errorf("read grouping %d: %w", id, err)
	}
	m.views.Add(id, l)
	return g, l, nil
}

// read completes a result by what the store has of its pages.
func (l *loaded) read(ctx context.Context, st *store.Store) error {
	r := l.result
	if err := readWords(ctx, st, r); err != nil {
		return err
	}
	ids := make([]int64, len(r.Pages))
	for i, p := range r.Pages {
		ids[i] = p.ID
	}
	all, err := links.PagesByID(ctx, st.DB, ids)
	if err != nil {
		return err
	}
	pages := make(map[int64]links.Page, len(all))
	for _, p := range all {
		pages[p.ID] = p
	}
	r.drop(func(id int64) bool { _, ok := pages[id]; return ok })
	l.place, l.sets = make(map[int64]int, len(r.Pages)), make([]conceptset.Set, len(r.Pages))
	l.view = View{Mode: r.Mode, Default: r.Default, Few: r.Few, Pages: make([]Page, len(r.Pages)), Levels: make([]Level, len(r.Levels))}
	for i, p := range r.Pages {
		l.place[p.ID], l.sets[i] = i, setOf(p.Concepts, p.Weights)
		l.view.Pages[i] = r.page(p, pages[p.ID])
	}
	for i := range r.Levels {
		l.view.Levels[i] = r.level(i)
	}
	if len(r.Levels) > 0 {
		for c := range r.Levels[r.Default].Clusters {
			l.labels = append(l.labels, r.Levels[r.Default].Clusters[c].label())
		}
	}
	return nil
}

// fresh is a loaded grouping as it is shown now.
func (m *Maker) fresh(ctx context.Context, g Grouping, l *loaded) (*View, error) {
	v := l.view
	v.Grouping = g
	v.Grouping.Options = l.result.Options
	scope, ontology, err := GroupingNames(ctx, m.Store.DB, g)
	if err != nil {
		return nil, err
	}
	v.Title, v.Ontology = scopeTitle(g, scope), ontology
	v.Warnings = append([]string{}, l.result.Warnings...)
	if err := m.since(ctx, g, l.result.Newest, &v); err != nil {
		return nil, err
	}
	return &v, nil
}

// mostSince is how many new links are looked at.
const mostSince = 100_000

// since warns of links that were read after a grouping was made. Of a topic, crawl or session, those to its pages count.
func (m *Maker) since(ctx context.Context, g Grouping, newest int64, v *View) (err error) {
	n, to := 0, " to these pages"
	if g.Scope == links.AllPages {
		to = ""
		n, err = links.Since(ctx, m.Store.DB, newest, mostSince)
	} else {
		n, err = GroupedLinksSince(ctx, m.Store.DB, g.ID, newest, mostSince)
	}
	switch {
	case n == 1:
		v.Warnings = append(v.Warnings, "A link"+to+" was read since these groups were made: make them again to have it count.")
	case n >= mostSince:
		v.Warnings = append(v.Warnings, fmt.Sprintf("%d or more links%s were read since these groups were made: make them again to have them count.", n, to))
	case n > 1:
		v.Warnings = append(v.Warnings, fmt.Sprintf("New links%s were read since these groups were made, %d of them: make them again to have them count.", to, n))
	}
	return err
}
