package pages

import (
	"context"
	"strconv"

	"nightjar/daemon/chart"
	"nightjar/daemon/night/forecast"
)

// shownForecasts is how many nights the picture of forecasts shows, and heldOf from how many on it is counted how many held.
const (
	shownForecasts = 12
	heldOf         = 3
)

// forecastsView shows the forecasts of ended nights beside what came.
type forecastsView struct {
	Plot chart.Forecasts
	Rows []forecast.Foretold
	Says string // how many held, "" for few nights
}

// forecastsOf draws forecasts, newest first; nil when no night has ended. Those of crawls that still run are left out.
func forecastsOf(all []forecast.Foretold) *forecastsView {
	v := &forecastsView{}
	var drawn []chart.Foretold
	held := 0
	for _, f := range all {
		if f.Live || f.Fetched == 0 || len(drawn) == shownForecasts {
			continue
		}
		drawn = append(drawn, chart.Foretold{Name: "Crawl " + strconv.FormatInt(f.CrawlID, 10), Low: f.Low, Expected: f.Expected, High: f.High, Came: f.Came})
		v.Rows = append(v.Rows, f)
		if f.Held() {
			held++
		}
	}
	if len(drawn) == 0 {
		return nil
	}
	if v.Plot = chart.DrawForecasts(drawn); len(drawn) >= heldOf {
		v.Says = "In " + chart.Number(held) + " of " + chart.Plural(len(drawn), "night", "nights") + ", the number found was within the forecast range. 8 of 10 should be."
	}
	return v
}

// foretold fills in the forecasts of a crawl and of the topic's other crawls.
func (s *server) foretold(ctx context.Context, p *crawlPage) error {
	one, err := forecast.OfTopic(ctx, s.Store.DB, 0, p.Crawl.ID, 1)
	if err != nil {
		return err
	}
	if len(one) > 0 {
		p.Foretold = &one[0]
	}
	all, err := forecast.OfTopic(ctx, s.Store.DB, p.Crawl.TopicID, 0, shownForecasts)
	if err == nil {
		p.Forecasts = forecastsOf(all)
	}
	return err
}

// foretoldByCrawl sorts forecasts by crawl.
func foretoldByCrawl(all []forecast.Foretold) map[int64]*forecast.Foretold {
	by := map[int64]*forecast.Foretold{}
	for i, f := range all {
		by[f.CrawlID] = &all[i]
	}
	return by
}
