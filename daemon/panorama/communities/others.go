package communities

import (
	"context"
	"errors"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"nightjar/crawler/page"
	"nightjar/daemon/learn/trainingdata"
	"nightjar/daemon/store"
)

// mostOthers is the number of other pages with which a map is compared, at most.
const mostOthers = 300

// readOthers reads texts of pages that are not on a map: those of other topics, in even steps over all of them. Without any, pages that
// crawls of the topic found not useful stand in.
func (m *Maker) readOthers(ctx context.Context, d *drawing, topic int64) error {
	var others []trainingdata.Example
	background, err := trainingdata.Background(ctx, m.Store.DB, topic, trainingdata.AllMarks)
	for _, p := range background {
		others = append(others, trainingdata.Example{URL: p.URL, Hash: p.Hash})
	}
	if err == nil && len(others) == 0 {
		others, err = trainingdata.NotUsefulPages(ctx, m.Store.DB, topic)
	}
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, p := range d.pages {
		known[p.Final], known[string(p.Hash)] = true, true
	}
	var chosen []trainingdata.Example
	for _, e := range others {
		if !known[e.URL] && !known[string(e.Hash)] {
			known[string(e.Hash)] = true
			chosen = append(chosen, e)
		}
	}
	every := max(1, (len(chosen)+mostOthers-1)/mostOthers)
	texts := make([]string, (len(chosen)+every-1)/every)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range texts {
		group.Go(func() error {
			html, err := m.Store.Content(ctx, chosen[i*every].Hash)
			if errors.Is(err, store.ErrNotFound) {
				return nil // erased meanwhile
			}
			if err != nil {
				return err
			}
			if parsed, err := page.Parse(chosen[i*every].URL, page.ContentUTF8, html); err == nil {
				texts[i] = cut(parsed.Text, mostText)
			}
			return nil
		})
	}
	err = group.Wait()
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			d.others = append(d.others, text)
		}
	}
	return err
}
