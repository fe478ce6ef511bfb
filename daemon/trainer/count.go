package trainer

import (
	"context"

	"nightjar/daemon/session"
	"nightjar/model/webgraph"
)

// countPages stores how many pages the web graphs of sessions have, and how many of these are useful. The store counts
// without the texts, which alone show which pages are variants of one; from the first training on, every place shows what
// was learned from.
func (t *Trainer) countPages(ctx context.Context, recs []*session.Session) error {
	for _, r := range recs {
		g := webgraph.Build(r.Loads())
		useful := 0
		for _, p := range g.Pages {
			if p.Target {
				useful++
			}
		}
		if err := t.store.SetCounts(ctx, r.ID, len(g.Pages), useful); err != nil {
			return err
		}
	}
	return nil
}
