package scheduler

import (
	"context"

	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/forecast"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// foresee returns the forecast of a crawl that is about to be created, nil when there is none: too little is known, or it could
// not be made, which must not keep the crawl from running.
func (o *Options) foresee(ctx context.Context, st *store.Store, c crawls.Crawl, pages int) *forecast.Made {
	if c.Options.ForMap {
		return nil
	}
	in, err := forecast.Foresee(ctx, st.DB, c.TopicID, c.Options.First(), c.Strategy, pages)
	if err != nil {
		o.Log.Warn("foresee what a crawl brings", "topic", c.TopicID, "error", err)
		return nil
	}
	f, lack := forecast.Make(in)
	if lack != forecast.Nothing {
		return nil
	}
	return &forecast.Made{Forecast: f, Pages: in.Budget, Version: forecast.Version, Inputs: in}
}

// part is the part of a night's pages for each topic that is crawled in it, 0 for no limit.
func part(ctx context.Context, st *store.Store, night string, b settings.Budget) (int, error) {
	if night == "" || b.Pages == 0 {
		return b.Pages, nil
	}
	topics, err := startpages.Topics(ctx, st.DB)
	if err != nil {
		return 0, err
	}
	return forecast.Part(b.Pages, len(topics)), nil
}
