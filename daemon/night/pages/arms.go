package pages

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"

	"nightjar/crawler/strategy"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/chart"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store"
	"nightjar/daemon/thesus/ontologies"
	"nightjar/daemon/thesus/themes"
	"nightjar/daemon/web/frame"
	"nightjar/model/arms"
	"nightjar/model/measure"
)

// Arms says which of two strategies brings more for a topic.
type Arms struct {
	Topic    int64
	Says     string // in sentences, "" when no crawl had two strategies
	Figures  string // how much each brought
	Plots    []frame.Intervals
	Uses     string // the strategy in use, and who chose it
	Undo     bool   // the nights chose it
	Off      bool   // the settings have no second strategy
	Options  []themes.Option
	Selected string
}

// ArmsOf compares the strategies of a topic's newest crawl that had two.
func ArmsOf(ctx context.Context, st *store.Store, topicID int64) (Arms, error) {
	v := Arms{Topic: topicID}
	settings, err := st.Settings(ctx)
	if err != nil {
		return v, err
	}
	topic, err := scheduler.StrategyOf(ctx, st.DB, topicID)
	if err != nil {
		return v, err
	}
	crawls, err := scheduler.ArmCrawls(ctx, st.DB, topicID)
	if err != nil {
		return v, err
	}
	all, err := ontologies.All(ctx, st.DB)
	if err != nil {
		return v, err
	}
	v.Off = settings.SecondShare == 0
	v.Uses, v.Undo = usesStrategy(topic, settings.Strategy), topic.ChosenBy == scheduler.ByNights
	if v.Selected = "free"; topic.Fixed {
		v.Selected = topic.Strategy
	}
	v.Options = []themes.Option{{Name: "free", Label: "Let the nights decide"}, {Label: "The one of Settings: " + strategy.Choose(settings.Strategy)}}
	v.Options = append(v.Options, themes.Options(all, strategy.Choose(topic.Strategy))[1:]...)
	if len(crawls) > 0 {
		last := crawls[len(crawls)-1]
		v.compare(last.First, last.Second, scheduler.CompareArms(crawls, last.First, last.Second))
	}
	return v, nil
}

// usesStrategy says by which strategy a topic is crawled, and who chose it.
func usesStrategy(t scheduler.TopicStrategy, ofSettings string) string {
	name := frame.Printable(strategy.Choose(t.Strategy))
	switch {
	case t.Strategy == "" && t.Fixed:
		return "This topic is crawled by the strategy of Settings, " + frame.Printable(strategy.Choose(ofSettings)) + ", and its nights do not change that."
	case t.Strategy == "":
		return "This topic is crawled by the strategy of Settings, " + frame.Printable(strategy.Choose(ofSettings)) + "."
	case t.ChosenBy == scheduler.ByNights:
		return "This topic is crawled by " + name + ", since it brought more than " + frame.Printable(t.Second) + " by more than chance."
	case t.Fixed:
		return "This topic is crawled by " + name + ", as you chose."
	}
	return "This topic is crawled by " + name + "."
}

// compare fills in sentences and pictures. a and b are the names of the verdict's strategies.
func (v *Arms) compare(a, b string, got arms.Verdict) {
	v.Says, v.Figures = armsSay(frame.Printable(a), frame.Printable(b), got), armsFigures(frame.Printable(a), frame.Printable(b), got)
	if !got.Enough {
		return
	}
	most := 0.0
	var lines []chart.Measured
	for k, name := range []string{a, b} {
		h := got.Arms[k].Harvest
		most = max(most, h.High)
		lines = append(lines, chart.Measured{Name: frame.Printable(name), Class: []string{"main", "other"}[k], Figure: measure.Figure{
			Value: h.Value, Low: h.Low, High: h.High, N: got.Arms[k].Picks,
		}})
	}
	p := chart.DrawIntervals(chart.Scale{Name: "useful of the links that it chose, more is better", To: min(1, most*1.1), Percent: true}, lines)
	v.Plots = []frame.Intervals{{ID: "arms", Title: "Useful pages of 100 links", Plot: p, Caption: "Dots are what each brought, lines their 95 % intervals."}}
}

// armsSay says which of two strategies brings more, and how sure that is.
func armsSay(a, b string, v arms.Verdict) string {
	useful := v.Arms[0].Useful + v.Arms[1].Useful
	if !v.Enough {
		return "It is too little to tell whether " + a + " or " + b + " brings you more: " + usefulPages(useful) + " so far, and " +
			strconv.Itoa(arms.LeastUseful) + " are needed. Let more nights crawl with both, and mark what they find."
	}
	r := v.Ratio
	if r.Value < 1 {
		a, b = b, a
		r = arms.Interval{Value: inverse(r.Value), Low: inverse(r.High), High: inverse(r.Low)}
	}
	text := "The strategy " + b + " brings " + timesAsMuch(r.Value) + " as much as " + a + ", most likely " + timesBetween(r) + "."
	switch {
	case r.Value == arms.Unbounded:
		text = "Only " + b + " found useful pages, most likely at least " + timesAsMuch(r.Low) + " as many as " + a + "."
	case v.Winner == arms.None && r.Value < 1.05:
		text = "The strategies " + a + " and " + b + " seem to bring about as much: " + b + " most likely " + timesBetween(r) + " as much as " + a + "."
	case v.Winner == arms.None:
		text = "The strategy " + b + " seems to bring " + timesAsMuch(r.Value) + " as much as " + a + ", most likely " + timesBetween(r) + "."
	}
	if v.Winner != arms.None {
		return text + " That is more than chance, also for one who looks every morning."
	}
	return text + " That may be chance. More nights with both will tell."
}

// usefulPages writes a number of useful pages, some of which are only likely to be useful.
func usefulPages(n float64) string {
	if n < .05 {
		return "no useful pages"
	}
	return "about " + frame.Tenth(n) + " useful pages"
}

// inverse is 1/x, where 0 and arms.Unbounded are inverses.
func inverse(x float64) float64 {
	switch {
	case x == 0:
		return arms.Unbounded
	case x == arms.Unbounded:
		return 0
	}
	return 1 / x
}

// timesAsMuch writes a ratio, such as 1.3 times.
func timesAsMuch(r float64) string {
	if r >= 10 {
		return chart.Number(int(math.Round(r))) + " times"
	}
	return strconv.FormatFloat(r, 'f', 1, 64) + " times"
}

// timesBetween writes the interval of a ratio.
func timesBetween(r arms.Interval) string {
	low := strconv.FormatFloat(r.Low, 'f', 1, 64)
	if r.High > 1000 {
		return low + " times or more"
	}
	return low + " to " + timesAsMuch(r.High)
}

// armsFigures says how much each of two strategies brought.
func armsFigures(a, b string, v arms.Verdict) string {
	one := func(name string, arm arms.Arm) string {
		text := name + " chose " + chart.Plural(arm.Picks, "link", "links") + ", which brought " + usefulPages(arm.Useful)
		if v.Enough {
			text += ": " + frame.Percent(arm.Harvest.Value) + ", most likely " + frame.Percent(arm.Harvest.Low) + " to " + frame.Percent(arm.Harvest.High)
		}
		return text + "."
	}
	return "In " + chart.Plural(v.Nights, "crawl", "crawls") + " with both, " + one(a, v.Arms[0]) + " The strategy " + one(b, v.Arms[1])
}

// handleStrategy chooses by which strategy a topic is crawled.
func (s *server) handleStrategy(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	name := r.PostFormValue("strategy")
	chosen := scheduler.TopicStrategy{ChosenBy: scheduler.ByYou, Strategy: name, Fixed: true}
	switch {
	case name == "free":
		now, err := scheduler.StrategyOf(r.Context(), s.Store.DB, t.ID)
		if err != nil {
			return err
		}
		chosen = scheduler.TopicStrategy{ChosenBy: scheduler.ByYou, Strategy: now.Strategy, Second: now.Second}
	case name != "" && (!strategy.Known(name) || len(name) > maxStrategyName):
		return frame.BadInput("There is no such strategy. Choose one of the list.")
	}
	if err := scheduler.ChooseStrategy(r.Context(), s.Store.DB, t.ID, chosen); err != nil {
		return err
	}
	return frame.Done(w, r, "/model/"+strconv.FormatInt(t.ID, 10), "saved")
}

// maxStrategyName is the longest name of a strategy in bytes, with its ontology.
const maxStrategyName = 400

// handleStrategyUndo takes back what the nights chose.
func (s *server) handleStrategyUndo(w http.ResponseWriter, r *http.Request, t topics.Topic) error {
	if err := scheduler.UndoStrategy(r.Context(), s.Store.DB, t.ID); err != nil {
		return err
	}
	return frame.Done(w, r, "/model/"+strconv.FormatInt(t.ID, 10), "strategy-undone")
}

// crawlArms compares the strategies of a crawl that has two; nil for others.
func (s *server) crawlArms(ctx context.Context, c crawls.View) (*Arms, error) {
	one, err := scheduler.ArmCrawlByID(ctx, s.Store.DB, c.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	v := &Arms{Topic: c.TopicID}
	v.compare(one.First, one.Second, scheduler.CompareArms([]scheduler.ArmCrawl{one}, one.First, one.Second))
	return v, nil
}
