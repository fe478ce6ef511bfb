package tonight

import (
	"context"
	"errors"
	"math"
	"slices"

	"nightjar/crawler/strategy"
	"nightjar/daemon/chart"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/night/forecast"
	"nightjar/daemon/store"
	"nightjar/daemon/store/settings"
)

// Foreseen says what a night of a topic is expected to bring.
type Foreseen struct {
	Says string // follows "Tonight: "
	Hint string // what the forecast is based on, or what to do to get one
	Left *Left
}

// foreseen forecasts a night of a topic from its start pages and page budget.
func (n Night) foresee(ctx context.Context, topicID int64, starts []string, chosen string, pages int) (Foreseen, error) {
	in, err := forecast.Foresee(ctx, n.Store.DB, topicID, starts, strategy.Choose(chosen), pages)
	if err != nil {
		return Foreseen{}, err
	}
	f, lack := forecast.Make(in)
	if lack != forecast.Nothing {
		return Foreseen{Says: "too little to tell", Hint: lacking(lack)}, nil
	}
	left, err := n.left(ctx, topicID, in)
	return Foreseen{Says: Expects(f, in.Budget), Hint: goesBy(in), Left: left}, err
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

// Expects writes a forecast for a night with a page budget: about 14 useful pages of 500, most likely 8 to 24.
func Expects(f forecast.Forecast, pages int) string {
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
func (n Night) foreseenNight(ctx context.Context, topicID int64, starts []string, now settings.Settings) (*Foreseen, error) {
	if len(starts) == 0 {
		return nil, nil
	}
	topics, err := startpages.Topics(ctx, n.Store.DB)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(topics, topicID) {
		topics = append(topics, topicID)
	}
	v, err := n.foresee(ctx, topicID, starts, now.Strategy, forecast.Part(now.Budget.Pages, len(topics)))
	if errors.Is(err, store.ErrNotFound) { // its model was erased
		return nil, nil
	}
	return &v, err
}

// ForeseenTopic is foreseenNight with the start pages and settings of now.
func (n Night) ForeseenTopic(ctx context.Context, topicID int64) (*Foreseen, error) {
	now, err := n.Store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	choices, err := n.Choices(ctx, topicID)
	if err != nil {
		return nil, err
	}
	return n.foreseenNight(ctx, topicID, choices.URLs(), now)
}
