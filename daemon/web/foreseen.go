package web

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"nightjar/crawler/strategy"
	"nightjar/daemon/chart"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/forecast"
	"nightjar/daemon/night/settings"
	"nightjar/daemon/store"
)

// shownForecasts is how many nights the picture of forecasts shows, and heldOf from how many on it is counted how many held.
const (
	shownForecasts = 12
	heldOf         = 3
)

// foreseenView says what a night of a topic is expected to bring.
type foreseenView struct {
	Says string // follows "Tonight: "
	Hint string // what the forecast is based on, or what to do to get one
	Left *leftView
}

// foreseen forecasts a night of a topic from its start pages and page budget.
func (s *Server) foreseen(ctx context.Context, topicID int64, starts []string, chosen string, pages int) (foreseenView, error) {
	in, err := forecast.Foresee(ctx, s.Store.DB, topicID, starts, strategy.Choose(chosen), pages)
	if err != nil {
		return foreseenView{}, err
	}
	f, lack := forecast.Make(in)
	if lack != forecast.Nothing {
		return foreseenView{Says: "too little to tell", Hint: lacking(lack)}, nil
	}
	left, err := s.left(ctx, topicID, in)
	return foreseenView{Says: expects(f, in.Budget), Hint: goesBy(in), Left: left}, err
}

// lacking says what to do when there is no forecast.
func lacking(l forecast.Lack) string {
	switch l {
	case forecast.FewUseful:
		return "Mark at least " + chart.Plural(forecast.Least, "page", "pages") + " Useful and submit, or let one night run."
	case forecast.NoLimit:
		return "Set how many pages a night may fetch, or let one night run."
	}
	return "What this strategy brings is known after the first night."
}

// expects writes a forecast for a night with a page budget: about 14 useful pages of 500, most likely 8 to 24.
func expects(f forecast.Forecast, pages int) string {
	about := "hardly any new useful page"
	if n := int(math.Round(f.Expected)); n > 0 {
		about = "about " + chart.Plural(n, "useful page", "useful pages")
	}
	return about + " of " + chart.Number(pages) + ", most likely " + chart.FromTo(f.Low, f.High)
}

// goesBy says what a forecast goes by.
func goesBy(in forecast.Inputs) string {
	if len(in.Nights) == 0 {
		return "Based on your session alone, so it may be far off. After the first night, forecasts use what was found."
	}
	last := in.Nights[len(in.Nights)-1]
	by := "The last night brought about " + chart.Plural(int(math.Round(last.Useful)), "useful page", "useful pages") + " of " + chart.Number(last.Fetched)
	if in.NewStarts == 0 {
		return by + ". What was found already is not counted again."
	}
	return by + " from other start pages."
}

// foreseenNight foresees the next night of a topic from the start pages that are ticked or, when none is, proposed; nil without any.
func (s *Server) foreseenNight(ctx context.Context, topicID int64, starts []string, now settings.Settings) (*foreseenView, error) {
	if len(starts) == 0 {
		return nil, nil
	}
	topics, err := startpages.Topics(ctx, s.Store.DB)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(topics, topicID) {
		topics = append(topics, topicID)
	}
	v, err := s.foreseen(ctx, topicID, starts, now.Strategy, forecast.Part(now.Budget.Pages, len(topics)))
	if errors.Is(err, store.ErrNotFound) { // its model was erased
		return nil, nil
	}
	return &v, err
}

// foreseenTopic is foreseenNight with the start pages and settings of now.
func (s *Server) foreseenTopic(ctx context.Context, topicID int64) (*foreseenView, error) {
	now, err := s.Store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	choices, err := s.choices(ctx, topicID)
	if err != nil {
		return nil, err
	}
	return s.foreseenNight(ctx, topicID, choices.URLs(), now)
}

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

func rounded(pages float64) string { return chart.Number(int(math.Round(pages))) }

// foretold fills in the forecasts of a crawl and of the topic's other crawls.
func (s *Server) foretold(ctx context.Context, p *crawlPage) error {
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
