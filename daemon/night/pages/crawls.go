package pages

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"nightjar/crawler/fetch"
	"nightjar/daemon/chart"
	"nightjar/daemon/db"
	"nightjar/daemon/learn/calibration"
	"nightjar/daemon/learn/overview"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/forecast"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/night/tonight"
	"nightjar/daemon/store/settings"
	"nightjar/daemon/web/frame"
)

// topHosts and shownFetches bound the tables of a crawl's page; curvePoints its curve.
const (
	topHosts     = 8
	shownFetches = 10
	curvePoints  = 240
)

// crawlsPage lists the crawls, and the topics that can be crawled.
type crawlsPage struct {
	Of     string // the topic whose crawls these are, "" for all
	Topics []topicLine
	Crawls []crawls.View
	Night  settings.Window
	Opens  time.Time // when the next night starts; zero during a night, and when nights are off
	Closes time.Time // when this night ends; zero outside a night

	Foretold  map[int64]*forecast.Foretold // by crawl
	Forecasts *forecastsView               // nil when no crawl that was foreseen has ended

	Off      *tonight.Off // nil while the night is on
	Openings []string     // private addresses that crawls may contact

	Workers  settings.Workers
	RunPages int // of a crawl that a person starts
}

// topicLine is a topic with its open crawl, if any, and the state from which its next crawl continues.
type topicLine struct {
	overview.TopicView
	Crawl *crawls.View
	Queue crawls.TopicQueue
}

// crawlPage shows one crawl.
type crawlPage struct {
	Crawl      crawls.View
	Options    crawls.Options
	Running    time.Duration
	Plot       *frame.Plots
	Likely     *calibration.Yield // nil when it cannot be told
	Promised   *frame.Plots       // what the next pages promised; nil without an estimate
	Rest       []crawls.NightRest // of the night's budget, after the crawl ended early
	Similarity float64            // average maximal similarity so far
	Outcomes   []outcomeLine
	Missing    int // fetches whose host said that there is no such page; they used up budget
	Blank      int // pages that show nothing without JavaScript
	Renders    bool
	Queued     int // links, at most crawls.MostLinks
	Dropped    int
	Looks      progress.Looks
	Hosts      []hostLine // those that sent the most bytes
	Ledger     ledgerSums
	Last       []progress.FetchLine
	Watch      watchView
	RunPages   int                // of a crawl that a person starts
	Foretold   *forecast.Foretold // nil when nothing was foretold
	Forecasts  *forecastsView     // of the topic
	Arms       *Arms              // nil for a crawl with one strategy
}

// Many says that a count of links is the bound, so there may be more.
func (crawlPage) Many(n int) bool { return n >= crawls.MostLinks }

// Limited reports whether the limits of pages per host and site kept the crawl from following links.
func (p crawlPage) Limited() bool {
	return strings.Contains(p.Crawl.StopReason, "the limits of pages per host and site")
}

// Spent reports whether the crawl read all that its start pages lead to.
func (p crawlPage) Spent() bool {
	return strings.HasPrefix(p.Crawl.StopReason, "no links left") && !p.Limited()
}

type outcomeLine struct {
	Name    string
	Count   int
	Share   float64
	Example string
	Todo    string // what the person can do
}

func (s *server) handleCrawls(w http.ResponseWriter, r *http.Request) error {
	var p crawlsPage
	topics, err := overview.Topics(r.Context(), s.Store.DB)
	if err != nil {
		return err
	}
	of, topics := overview.Chosen(r.URL.Query().Get("topic"), topics)
	p.Of = of.Name
	if p.Crawls, err = crawls.Before(r.Context(), s.Store.DB, of.ID, 0, 200); err != nil {
		return err
	}
	foretold, err := forecast.OfTopic(r.Context(), s.Store.DB, of.ID, 0, 200)
	if err != nil {
		return err
	}
	p.Foretold, p.Forecasts = foretoldByCrawl(foretold), forecastsOf(foretold)
	for _, t := range topics {
		line := topicLine{TopicView: t}
		if line.Queue, err = crawls.QueueOf(r.Context(), s.Store.DB, t.ID); err != nil {
			return err
		}
		if t.CrawlID != 0 {
			c, err := crawls.ByID(r.Context(), s.Store.DB, t.CrawlID)
			if err != nil {
				return err
			}
			line.Crawl = &c
		}
		p.Topics = append(p.Topics, line)
	}
	settings, err := s.Store.Settings(r.Context())
	if err != nil {
		return err
	}
	p.Night, p.RunPages = settings.Night, tonight.PagesOfRun(settings.Budget)
	p.Openings = slices.Concat(s.Openings, settings.Resolve, settings.AllowPrivate)
	p.Workers = settings.Workers
	if p.Off, err = s.night.Off(r.Context(), topics, "/crawls"); err != nil {
		return err
	}
	if status := s.Scheduler.Status(); status.Open {
		p.Closes = status.Closes
	} else {
		p.Opens = status.Opens
	}
	return s.Render(w, r, http.StatusOK, "crawls", frame.Layout{Title: "Nights", Section: "crawls"}, p)
}

func (s *server) handleCrawl(w http.ResponseWriter, r *http.Request, id int64) error {
	ctx := r.Context()
	p, err := s.crawlPage(ctx, id)
	if err != nil {
		return err
	}
	p.Running = p.Crawl.Spent
	if err := s.foretold(ctx, p); err != nil {
		return err
	}
	views, err := calibration.Likely(ctx, s.Store.DB, []int64{id})
	if err != nil {
		return err
	}
	p.Likely = views[id]
	if err := s.promised(ctx, p); err != nil {
		return err
	}
	counts, err := progress.Outcomes(ctx, s.Store.DB, id)
	if err != nil {
		return err
	}
	p.count(counts)
	if p.Queued, p.Dropped, err = crawls.FrontierCounts(ctx, s.Store.DB, id); err != nil {
		return err
	}
	if p.Looks, err = progress.LooksOf(ctx, s.Store.DB, id); err != nil {
		return err
	}
	hosts, err := s.ledger(ctx, id)
	if err != nil {
		return err
	}
	p.Ledger = sums(hosts)
	sortHosts(hosts, "bytes")
	p.Hosts = hosts[:min(topHosts, len(hosts))]
	if p.Arms, err = s.crawlArms(ctx, p.Crawl); err != nil {
		return err
	}
	last, err := progress.LastFetches(ctx, s.Store.DB, id, drawnPages)
	if err != nil {
		return err
	}
	p.Last = last[:min(shownFetches, len(last))]
	if err := s.watch(ctx, p, last); err != nil {
		return err
	}
	now, err := s.Store.Settings(ctx)
	if err != nil {
		return err
	}
	p.RunPages, p.Renders = tonight.PagesOfRun(now.Budget), now.Render.Enabled
	title := "Crawl " + strconv.FormatInt(id, 10) + ": " + p.Crawl.Topic
	return s.Render(w, r, http.StatusOK, "crawl", frame.Layout{Title: title, Section: "crawls"}, p)
}

// crawlPage reads a crawl with its curve.
func (p Pages) crawlPage(ctx context.Context, id int64) (*crawlPage, error) {
	var v crawlPage
	var err error
	if v.Crawl, err = crawls.ByID(ctx, p.Store.DB, id); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(v.Crawl.Options, &v.Options); err != nil {
		return nil, err
	}
	curve, err := progress.Curve(ctx, p.Store.DB, id, curvePoints)
	if err != nil {
		return nil, err
	}
	v.plot(curve)
	return &v, nil
}

// CrawlPart is a crawl with its plot, for pages that show a part of it.
func (p Pages) CrawlPart(ctx context.Context, id int64) (any, error) {
	v, err := p.crawlPage(ctx, id)
	if err != nil {
		return nil, err
	}
	return v, nil
}

func (p *crawlPage) plot(curve []progress.CurvePoint) {
	if len(curve) == 0 {
		return
	}
	var c chart.Course
	for _, at := range curve {
		c.Fetched = append(c.Fetched, at.Fetched)
		c.Relevant = append(c.Relevant, float64(at.Relevant)/float64(at.Fetched))
		p.Similarity = at.Similarity / float64(max(at.Pages, 1))
		c.Similarity = append(c.Similarity, p.Similarity)
	}
	p.Plot = courseOf(c)
}

func courseOf(c chart.Course) *frame.Plots {
	return frame.PlotsOf("plot", "Relevant pages and similarity over pages fetched", 760, func(width float64) chart.Plot { return chart.Curves(c, width) },
		"Pages fetched", "Relevant", "Mean similarity")
}

func (p *crawlPage) count(counts []progress.OutcomeCount) {
	all := 0
	for _, o := range counts {
		all += o.Count
	}
	for _, o := range counts {
		line := outcomeLine{Name: progress.OutcomeName(o.Outcome, o.Status), Count: o.Count, Share: float64(o.Count) / float64(all)}
		if o.Outcome != "ok" {
			line.Example = o.Example
		}
		if o.Outcome == progress.Blank {
			p.Blank = o.Count
		}
		if o.Status == http.StatusNotFound || o.Status == http.StatusGone {
			p.Missing += o.Count
		}
		if o.Outcome == string(fetch.Robots) {
			line.Todo = "Nightjar follows robots.txt. Choose start pages that it allows, or ask the site's owner to allow Nightjar."
		}
		p.Outcomes = append(p.Outcomes, line)
	}
}

// handleRun starts a crawl of a topic and shows it.
func (s *server) handleRun(w http.ResponseWriter, r *http.Request, topic int64) error {
	now, err := s.Store.Settings(r.Context())
	if err != nil {
		return err
	}
	id, err := s.Scheduler.RunNow(r.Context(), topic, tonight.PagesOfRun(now.Budget))
	if err != nil {
		return err
	}
	return frame.SeeOther(w, r, crawlPath(id))
}

func stopCrawl(all Scheduler, ctx context.Context, id int64) error { return all.Stop(ctx, id, "") }

func startAnew(d *db.DB, ctx context.Context, id int64) error { return crawls.StartAnew(ctx, d, id) }

func goBack(d *db.DB, ctx context.Context, id int64) error { return crawls.GoBack(ctx, d, id) }

func crawlPath(id int64) string { return "/crawls/" + strconv.FormatInt(id, 10) }
