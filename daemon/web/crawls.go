package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"nightjar/crawler/fetch"
	"nightjar/crawler/weburl"
	"nightjar/daemon/scheduler"
	"nightjar/daemon/settings"
	"nightjar/daemon/store"
	"nightjar/daemon/web/chart"
)

// topHosts and shownFetches bound the tables of a crawl's page; curvePoints its curve.
const (
	topHosts     = 8
	shownFetches = 10
	curvePoints  = 240
)

// crawlsPage lists the crawls, and the topics that can be crawled.
type crawlsPage struct {
	Topics []topicLine
	Crawls []store.CrawlView
	Night  settings.Window
	Opens  time.Time // when the next night starts; zero during a night, and when nights are off
	Closes time.Time // when this night ends; zero outside a night

	Foretold  map[int64]foretoldView // by crawl
	Forecasts *forecastsView         // nil when no crawl that was foreseen has ended

	Off      *nightOff // nil while the night is on
	Openings []string  // private addresses that crawls may contact

	Workers *workersPart // nil where there can be none
}

// topicLine is a topic with its open crawl, if any, and the state from which its next crawl continues.
type topicLine struct {
	store.TopicView
	Crawl *store.CrawlView
	Queue store.TopicQueue
}

// crawlPage shows one crawl.
type crawlPage struct {
	Crawl      store.CrawlView
	Options    store.CrawlOptions
	Running    time.Duration
	Plot       *courseView
	Likely     *likelyView       // nil when it cannot be told
	Promised   *courseView       // what the next pages promised; nil without an estimate
	Rest       []store.NightRest // of the night's budget, after the crawl ended early
	Similarity float64           // average maximal similarity so far
	Outcomes   []outcomeLine
	Queued     int // links, at most store.MostLinks
	Dropped    int
	Looks      store.Looks
	Hosts      []hostLine // those that sent the most bytes
	Ledger     ledgerSums
	Last       []fetchLine
	Foretold   *foretoldView  // nil when nothing was foretold
	Forecasts  *forecastsView // of the topic
	Arms       *armsView      // nil for a crawl with one strategy
}

// Many says that a count of links is the bound, so there may be more.
func (crawlPage) Many(n int) bool { return n >= store.MostLinks }

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

type fetchLine struct {
	store.FetchLine
	Link    link
	Site    string
	Outcome string
}

// outcomes names the outcomes of a fetch for people.
var outcomes = map[string]string{
	"ok": "Read", "missing": "Not in the recording", "robots": "Forbidden by robots.txt", "refused": "Forbidden by Nightjar's rules",
	"status": "Error status", "type": "Not a web page", "size": "Too large", "timeout": "Timed out",
	"redirect": "Too many redirects", "network": "Unreachable", "canceled": "Canceled by a stop", "lost": "Lost by a worker", "visited": "Visited by you", "listed": "A list of pages",
}

func outcomeName(outcome string, status int) string {
	name := outcomes[outcome]
	if name == "" {
		name = outcome
	}
	if status > 0 {
		name += " " + strconv.Itoa(status)
	}
	return name
}

func (s *Server) handleCrawls(w http.ResponseWriter, r *http.Request) error {
	var p crawlsPage
	topics, err := s.Store.TopicViews(r.Context())
	if err != nil {
		return err
	}
	if p.Crawls, err = s.Store.CrawlViews(r.Context(), 200); err != nil {
		return err
	}
	foretold, err := s.Store.Forecasts(r.Context(), 0, 0, 200)
	if err != nil {
		return err
	}
	p.Foretold, p.Forecasts = foretoldByCrawl(foretold), forecastsOf(foretold)
	for _, t := range topics {
		line := topicLine{TopicView: t}
		if line.Queue, err = s.Store.TopicQueue(r.Context(), t.ID); err != nil {
			return err
		}
		if t.CrawlID != 0 {
			c, err := s.Store.CrawlView(r.Context(), t.CrawlID)
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
	p.Night = settings.Night
	p.Openings = slices.Concat(s.Openings, settings.Resolve, settings.AllowPrivate)
	p.Workers = s.workersPart(settings.Workers)
	if p.Off, err = s.nightOff(r.Context(), topics, "/crawls"); err != nil {
		return err
	}
	if status := s.Scheduler.Status(); status.Open {
		p.Closes = status.Closes
	} else {
		p.Opens = status.Opens
	}
	return s.render(w, r, http.StatusOK, "crawls", layout{Title: "Crawls", Section: "crawls"}, p)
}

func (s *Server) handleCrawl(w http.ResponseWriter, r *http.Request) error {
	ctx := r.Context()
	id, err := number64(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	var p crawlPage
	if p.Crawl, err = s.Store.CrawlView(ctx, id); err != nil {
		return err
	}
	if err := json.Unmarshal(p.Crawl.Options, &p.Options); err != nil {
		return err
	}
	p.Running = p.Crawl.Spent
	if err := s.foretold(ctx, &p); err != nil {
		return err
	}
	curve, err := s.Store.CrawlCurve(ctx, id, curvePoints)
	if err != nil {
		return err
	}
	p.plot(curve)
	views, err := s.likely(ctx, []int64{id})
	if err != nil {
		return err
	}
	p.Likely = views[id]
	if err := s.promised(ctx, &p); err != nil {
		return err
	}
	counts, err := s.Store.CrawlOutcomes(ctx, id)
	if err != nil {
		return err
	}
	p.count(counts)
	if p.Queued, p.Dropped, err = s.Store.FrontierCounts(ctx, id); err != nil {
		return err
	}
	if p.Looks, err = s.Store.CrawlLooks(ctx, id); err != nil {
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
	last, err := s.Store.LastFetches(ctx, id, shownFetches)
	if err != nil {
		return err
	}
	for _, f := range last {
		p.Last = append(p.Last, fetchLine{f, link{f.URL, titleOr(f.Title, f.URL)}, weburl.Host(f.URL), outcomeName(f.Outcome, 0)})
	}
	title := "Crawl " + strconv.FormatInt(id, 10) + ": " + p.Crawl.Topic
	return s.render(w, r, http.StatusOK, "crawl", layout{Title: title, Section: "crawls"}, p)
}

func (p *crawlPage) plot(curve []store.CurvePoint) {
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

// courseView is the course of a crawl, drawn for wide and for narrow windows.
type courseView struct{ Wide, Narrow plotView }

// plotView is a plot with what its elements are called.
type plotView struct {
	ID, Class, Title string
	Plot             chart.Plot
}

func courseOf(c chart.Course) *courseView {
	const title = "Relevant pages and similarity over pages fetched"
	return &courseView{
		Wide:   plotView{"plot", "row-of", title, chart.Curves(c, 760)},
		Narrow: plotView{"plot-narrow", "column-of", title, chart.Curves(c, 340)},
	}
}

func (p *crawlPage) count(counts []store.OutcomeCount) {
	all := 0
	for _, o := range counts {
		all += o.Count
	}
	for _, o := range counts {
		line := outcomeLine{Name: outcomeName(o.Outcome, o.Status), Count: o.Count, Share: float64(o.Count) / float64(all)}
		if o.Outcome != "ok" {
			line.Example = o.Example
		}
		if o.Outcome == string(fetch.Robots) {
			line.Todo = "Nightjar follows robots.txt. Choose start pages that it allows, or ask the site's owner to allow Nightjar."
		}
		p.Outcomes = append(p.Outcomes, line)
	}
}

// handleRun starts a crawl of a topic now.
func (s *Server) handleRun(w http.ResponseWriter, r *http.Request) error {
	t, err := s.topic(r)
	if err != nil {
		return err
	}
	return s.run(w, r, t.ID)
}

// run starts a crawl of a topic and shows it.
func (s *Server) run(w http.ResponseWriter, r *http.Request, topic int64) error {
	id, err := s.Scheduler.RunNow(r.Context(), topic)
	for _, known := range []error{scheduler.ErrNoStart, scheduler.ErrNoModel} {
		if errors.Is(err, known) {
			return badInput{known.Error()}
		}
	}
	if err != nil {
		return err
	}
	http.Redirect(w, r, "/crawls/"+strconv.FormatInt(id, 10), http.StatusSeeOther)
	return nil
}

// handleAnew lets a topic's next crawl begin at its start pages.
func (s *Server) handleAnew(w http.ResponseWriter, r *http.Request) error {
	return s.anew(w, r, s.Store.StartAnew, "anew")
}

// handleAnewUndo lets it go on where the last one stopped.
func (s *Server) handleAnewUndo(w http.ResponseWriter, r *http.Request) error {
	return s.anew(w, r, s.Store.GoBack, "not-anew")
}

func (s *Server) anew(w http.ResponseWriter, r *http.Request, choose func(context.Context, int64) error, notice string) error {
	t, err := s.topic(r)
	if err != nil {
		return err
	}
	if err := choose(r.Context(), t.ID); err != nil {
		return err
	}
	return done(w, r, "/crawls", notice)
}

// handleStop stops a crawl and keeps its finds.
func (s *Server) handleStop(w http.ResponseWriter, r *http.Request) error {
	id, err := number64(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if err := s.Scheduler.Stop(r.Context(), id, ""); err != nil {
		return err
	}
	return done(w, r, "/crawls/"+strconv.FormatInt(id, 10), "stopped")
}

// handlePause pauses a crawl until the person resumes it.
func (s *Server) handlePause(w http.ResponseWriter, r *http.Request) error {
	id, err := number64(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if err := s.Scheduler.Pause(r.Context(), id); err != nil {
		return err
	}
	return done(w, r, "/crawls/"+strconv.FormatInt(id, 10), "paused")
}

// handleResume resumes a paused crawl, or runs a waiting one although its condition does not hold.
func (s *Server) handleResume(w http.ResponseWriter, r *http.Request) error {
	id, err := number64(chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	if err := s.Scheduler.Resume(r.Context(), id); err != nil {
		return err
	}
	return done(w, r, "/crawls/"+strconv.FormatInt(id, 10), "resumed")
}
