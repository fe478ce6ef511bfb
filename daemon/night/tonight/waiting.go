package tonight

import (
	"context"

	"nightjar/daemon/night/crawls"
)

// Waiting lists the crawls that have not ended and wait for something.
func (n Night) Waiting(ctx context.Context) (waiting []crawls.View, err error) {
	open, err := crawls.Open(ctx, n.Store.DB)
	if err != nil {
		return nil, err
	}
	for _, c := range open {
		if c.Paused == "" {
			continue
		}
		v, err := crawls.ByID(ctx, n.Store.DB, c.ID)
		if err != nil {
			return nil, err
		}
		waiting = append(waiting, v)
	}
	return waiting, nil
}

// EarlyLine is a crawl that ended since the next pages promised too little, and who got the rest of its night's budget.
type EarlyLine struct {
	crawls.View
	Rest []crawls.NightRest
}

// EndedEarly lists the crawls of the last night that ended early.
func (n Night) EndedEarly(ctx context.Context) (all []EarlyLine, err error) {
	early, err := crawls.EndedEarly(ctx, n.Store.DB)
	for _, c := range early {
		rest, err := crawls.RestOfNight(ctx, n.Store.DB, c)
		if err != nil {
			return nil, err
		}
		all = append(all, EarlyLine{c, rest})
	}
	return all, err
}
