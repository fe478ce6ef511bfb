package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/fetch"
	"nightjar/crawler/strategy"
	"nightjar/crawler/texts"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/cli/demo/demoweb"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/morning/finds"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/night/progress"
	"nightjar/daemon/panorama/maps"
	"nightjar/daemon/store/settings"
	"nightjar/model"
)

// The demonstration's browser: an origin such as Chromium gives to extensions.
const (
	demoOrigin  = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
	demoBrowser = "the demonstration's browser"
)

// demoWorkers is how many fetches each crawl has in flight: with one, the same seed gives the same crawl.
const demoWorkers = 1

// demo is a running demonstration.
type demo struct {
	o     demoOptions
	env   *command.Env
	web   *demoweb.Web
	say   io.Writer // progress in words
	dir   string
	sites net.Listener
	app   *app.App
	stop  context.CancelFunc
	ended chan error // how the daemon ended
}

// open serves the made-up web and starts the daemon.
func (d *demo) open(ctx context.Context) (err error) {
	if d.dir, err = os.MkdirTemp("", leftovers.Demo); err != nil {
		return fmt.Errorf("make a data folder: %w", err)
	}
	if d.sites, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return fmt.Errorf("serve the made-up web: %w", err)
	}
	go func() { _ = http.Serve(d.sites, d.web.Handler()) }() // ends when close closes the listener
	c := app.Config{AsRoot: true, Data: d.dir, Listen: d.o.listen, Resolve: []string{d.resolve()}, Workers: demoWorkers, FillDisk: true}
	if err := c.Complete(d.env.Getenv); err != nil {
		return err
	}
	level := slog.LevelError
	if d.o.verbose {
		level = slog.LevelDebug
	}
	if d.app, err = app.Open(ctx, c, command.NewLogger(d.env.Stderr, level)); err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	d.stop, d.ended = stop, make(chan error, 1)
	go func() { d.ended <- d.app.Run(running) }()
	return nil
}

// resolve maps the made-up hosts to the address on which they are served.
func (d *demo) resolve() string { return "*.test=" + d.sites.Addr().String() }

// close stops the daemon and the made-up web and deletes the data folder.
func (d *demo) close() error {
	var errs []error
	if d.stop != nil {
		d.stop()
		errs = append(errs, <-d.ended)
	}
	if d.app != nil {
		errs = append(errs, d.app.Close())
	}
	if d.sites != nil {
		errs = append(errs, d.sites.Close())
	}
	return errors.Join(append(errs, os.RemoveAll(d.dir))...)
}

// play runs the demonstration and returns its result.
func (d *demo) play(ctx context.Context) (*demoResult, error) {
	budget := len(d.web.Pages()) * 2 / 5
	if err := d.settle(ctx, budget); err != nil {
		return nil, err
	}
	fmt.Fprintf(d.say, "A made-up web of %s on %s; the topic is %q\n", texts.Plural(len(d.web.Pages()), "page"), texts.Plural(len(d.web.Hosts()), "host"), d.web.Topic)
	m, err := d.browse(ctx)
	if err != nil {
		return nil, err
	}
	starts, err := d.tick(ctx, m.TopicID)
	if err != nil {
		return nil, err
	}
	b, err := m.Bundle()
	if err != nil {
		return nil, fmt.Errorf("read the model: %w", err)
	}
	result := &demoResult{}
	result.Session.Pages, result.Session.Targets, result.Session.Edges = b.Facts.Pages, b.Facts.Targets, b.Facts.Edges
	result.Model.States, result.Model.Clusters, result.Model.Gamma = len(b.Initial), b.Facts.Clusters, b.Gamma.Value
	if result.judged = fmt.Sprintf("its similarity to a useful one is at least %.2f", b.Gamma.Value); b.Choice.Relevance == model.RelevantByJudge {
		result.judged = fmt.Sprintf("it is useful with a probability of at least %.2f", b.Judge.Threshold)
	}
	if result.Crawl, err = d.crawl(ctx, m.TopicID, b, budget); err != nil {
		return nil, err
	}
	if result.Baseline, err = d.baseline(ctx, b, starts, budget); err != nil {
		return nil, err
	}
	if result.Finds, err = d.finds(ctx, m.TopicID, b); err != nil {
		return nil, err
	}
	result.Map, err = d.mapTopic(ctx, m.TopicID, budget)
	return result, err
}

// settle sets the budget. The crawl has no delay, because the hosts are in this process, and waits for no condition of the
// machine, because a person is watching. Nothing is archived: the made-up web can be generated again.
func (d *demo) settle(ctx context.Context, budget int) error {
	s := settings.Default()
	s.Delay = 0
	s.OnMains, s.Unmetered = false, false
	s.Archive.Enabled = false
	s.Budget = settings.Budget{Pages: budget}
	if err := d.app.Store.SaveSettings(ctx, s); err != nil {
		return fmt.Errorf("set the budget: %w", err)
	}
	return nil
}

// tick ticks every proposed start page.
func (d *demo) tick(ctx context.Context, topicID int64) ([]string, error) {
	proposed, err := startpages.All(ctx, d.app.Store.DB, topicID)
	if err != nil {
		return nil, err
	}
	for _, s := range proposed {
		if err := startpages.Tick(ctx, d.app.Store.DB, topicID, s.URL, true); err != nil {
			return nil, err
		}
	}
	return startpages.Ticked(ctx, d.app.Store.DB, topicID)
}

// crawl has the scheduler crawl, and counts the relevant pages by the labels of the made-up web.
func (d *demo) crawl(ctx context.Context, topicID int64, b *model.Bundle, budget int) (demoCrawl, error) {
	id, err := d.app.Scheduler.RunNow(ctx, topicID, 0)
	if err != nil {
		return demoCrawl{}, err
	}
	show := command.NewProgress(d.env.Stderr, "crawling as at night, pages", budget)
	defer show.End()
	var c crawls.Crawl
	err = d.until(ctx, func() (bool, error) {
		c, err = crawls.Get(ctx, d.app.Store.DB, id)
		show.Set(c.Totals.Fetched)
		return !c.EndedAt.IsZero(), err
	})
	if err != nil {
		return demoCrawl{}, err
	}
	lines, err := progress.LastFetches(ctx, d.app.Store.DB, id, 1<<20)
	if err != nil {
		return demoCrawl{}, err
	}
	count := d.counter(b)
	relevant := 0
	for _, line := range lines {
		if line.Outcome == string(fetch.OK) {
			relevant += count(line.URL)
		}
	}
	seen, err := crawls.ByID(ctx, d.app.Store.DB, id)
	if err != nil {
		return demoCrawl{}, err
	}
	return demoCrawl{c.Strategy, c.Totals.Fetched, relevant, c.StopReason, seen.Relevant, seen.Finds}, nil
}

// counter counts each page about the topic that the session did not hold once.
func (d *demo) counter(b *model.Bundle) func(url string) int {
	done := make(map[string]bool)
	for _, p := range b.Pages {
		done[p.URL] = true
	}
	return func(url string) int {
		if done[url] || !d.web.Relevant(url) {
			return 0
		}
		done[url] = true
		return 1
	}
}

// baseline spends the same budget from the same start pages breadth-first, with the same fetcher.
func (d *demo) baseline(ctx context.Context, b *model.Bundle, starts []string, budget int) (demoCrawl, error) {
	s, err := strategy.New(ctx, "breadth-first", b)
	if err != nil {
		return demoCrawl{}, err
	}
	resolve, err := fetch.ParseResolve(d.resolve())
	if err != nil {
		return demoCrawl{}, err
	}
	live := fetch.NewLive(fetch.LiveOptions{UserAgent: "Nightjar/" + app.Version, Resolve: []fetch.Resolve{resolve}, Self: []string{d.app.Addr()}})
	defer live.Close()
	count := d.counter(b)
	out := demoCrawl{Strategy: s.Name()}
	show := command.NewProgress(d.env.Stderr, "crawling breadth-first, pages", budget)
	defer show.End()
	r, err := crawler.Run(ctx, live, s, crawler.Options{
		Starts: starts, Budget: crawler.Budget{Pages: budget}, Workers: demoWorkers,
		OnFetch: func(f *crawler.Fetch) {
			if f.Response.Outcome == fetch.OK {
				out.Relevant += count(f.FinalURL)
			}
			show.Set(f.Totals.Fetched)
		},
	})
	out.Fetched = r.Fetched
	if err == nil {
		err = ctx.Err()
	}
	return out, err
}

// finds lists what the person would see in the morning.
func (d *demo) finds(ctx context.Context, topicID int64, b *model.Bundle) ([]demoFind, error) {
	views, err := finds.List(ctx, d.app.Store.DB, finds.Filter{Topic: topicID, Limit: 1 << 20})
	if err != nil {
		return nil, err
	}
	all := []demoFind{}
	for _, v := range views {
		steps, err := finds.Trail(ctx, d.app.Store.DB, v.FetchID)
		if err != nil {
			return nil, err
		}
		f := demoFind{URL: v.URL, Title: v.Title, Similarity: v.Similarity, Useful: v.Useful}
		hops := strategy.Hops(b, finds.Evidence(steps))
		for i, s := range steps {
			step := demoStep{URL: s.URL, Title: s.Title, Anchor: s.Anchor, Cluster: s.Cluster, States: s.States}
			if hops != nil {
				step.Hops = &hops[i]
			}
			f.Trail = append(f.Trail, step)
		}
		all = append(all, f)
	}
	return all, nil
}

// mapTopic has a map of communities made around the topic.
func (d *demo) mapTopic(ctx context.Context, topicID int64, budget int) (demoMap, error) {
	one, err := d.app.Communities.NewTopic(ctx, topicID, maps.Options{Pages: budget})
	if err != nil {
		return demoMap{}, err
	}
	show := command.NewProgress(d.env.Stderr, "crawling for a map, pages", budget)
	defer show.End()
	err = d.until(ctx, func() (bool, error) {
		if one, err = maps.ByID(ctx, d.app.Store.DB, one.ID); err == nil && one.Step == maps.StepCrawl {
			show.Set(d.app.Communities.Progress(one.ID).Done)
		}
		return one.State != maps.Working, err
	})
	if err == nil && one.State != maps.Done {
		err = fmt.Errorf("make a map of communities: %s", one.Problem)
	}
	if err != nil {
		return demoMap{}, err
	}
	v, err := d.app.Communities.View(ctx, one.ID)
	if err != nil {
		return demoMap{}, err
	}
	made := demoMap{ID: one.ID, Fetched: v.Counts.Fetched}
	for _, c := range v.Communities {
		made.Communities = append(made.Communities, c.Name)
	}
	return made, nil
}

// until waits until done reports true. The error is that of done or ctx, or says that the daemon ended.
func (d *demo) until(ctx context.Context, done func() (bool, error)) error {
	return d.app.Bus.Until(ctx, 200*time.Millisecond, func() (bool, error) {
		select {
		case err := <-d.ended:
			d.ended <- err
			return false, errors.Join(errors.New("the daemon ended"), err)
		default:
			return done()
		}
	})
}
