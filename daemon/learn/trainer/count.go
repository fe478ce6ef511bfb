package trainer

import (
	"context"

	"nightjar/daemon/browse/session"
	"nightjar/daemon/browse/sessions"
	"nightjar/model/webgraph"
)

// countPages stores how many pages the web graphs of sessions have, and how many of these are useful; what browsers recorded
// together is one graph. The store counts
// without the texts, which alone show which pages are variants of one; from the first training on, every place shows what
// was learned from.
func (t *Trainer) countPages(ctx context.Context, recs []*session.Session) error {
	for _, whole := range session.Together(recs) {
		var loads []webgraph.Load
		for _, r := range whole {
			loads = append(loads, r.Loads()...)
		}
		g := webgraph.Build(loads)
		useful := 0
		for _, p := range g.Pages {
			if p.Target {
				useful++
			}
		}
		if err := sessions.SetCounts(ctx, t.Store.DB, whole[0].ID, len(g.Pages), useful); err != nil {
			return err
		}
	}
	return nil
}
