package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/archive"
	"nightjar/crawler/fetch"
	"nightjar/crawler/render"
	"nightjar/crawler/strategy"
	"nightjar/crawler/trap"
	"nightjar/daemon/app"
	"nightjar/daemon/command"
	"nightjar/daemon/machine"
	"nightjar/daemon/scheduler"
)

// liveOptions returns the options of the live fetcher.
func (o *crawlOptions) liveOptions() (fetch.LiveOptions, error) {
	live := fetch.LiveOptions{
		Delay: o.delay, UserAgent: scheduler.UserAgent(app.Version, o.contact), Sitemaps: o.sitemaps, Probe: true, Keep: o.archive != "",
	}
	if err := live.Open(o.resolve, o.private); err != nil {
		return live, command.Usagef("%v", err)
	}
	return live, nil
}

// openArchive opens the folder of --archive; nil without one.
func (o *crawlOptions) openArchive() (*archive.Archive, error) {
	if o.archive == "" {
		return nil, nil
	}
	app.PrivateFiles()
	a, err := archive.Open(archive.Options{Dir: o.archive, Software: "Nightjar/" + app.Version, About: archive.About{
		Description: "lab crawl", Operator: o.contact, UserAgent: scheduler.UserAgent(app.Version, o.contact),
	}})
	if err != nil {
		return nil, app.WithHint(err, "name another folder with --archive DIR")
	}
	return a, nil
}

// crawl runs the strategy and prints its result.
func (r *crawlRun) crawl(ctx context.Context, replay *fetch.Replay, live fetch.LiveOptions) error {
	s, err := strategy.NewWith(ctx, r.name, r.bundle, r.themes)
	if err != nil {
		return err
	}
	show := command.NewProgress(r.env.Stderr, "crawling with "+r.name, r.o.budget)
	o := crawler.Options{
		Starts: r.o.starts, Budget: crawler.Budget{Pages: r.o.budget}, Workers: 1,
		Explain: r.o.explain, MissingCosts: r.o.missing == "cost", DomainCap: r.o.domainCap,
		OnFetch: func(f *crawler.Fetch) {
			r.why.add(f.Choice)
			r.closed.add(f)
			if r.score.Add(f) {
				r.finds = append(r.finds, crawlFind{f.FinalURL, f.Title, f.Judgement.Similarity, f.Judgement.Useful, f.N, f.Judgement.Why, f.Choice})
			}
			show.Set(f.Totals.Fetched, fmt.Sprintf("%d relevant", r.score.Found()))
		},
		OnTrouble: func(err error) { fmt.Fprintf(r.env.Stderr, "lab: warning: %v\n", err) },
	}
	var fetcher fetch.Fetcher = replay
	if replay == nil {
		web, end, err := r.live(live, &o)
		if err != nil {
			return err
		}
		defer end()
		fetcher = web
	}
	began := time.Now()
	defer machine.HoldMemory()()
	result, err := crawler.Run(ctx, fetcher, s, o)
	show.End()
	if result.End == crawler.Late {
		fmt.Fprintf(r.env.Stderr, "lab: %s; --wait TIME lets the crawl wait\n", result.Waits.NotBefore())
	}
	if result.End == crawler.NoLinks {
		r.closed.print(r.env.Stderr)
	}
	if result.Unlearned != "" {
		fmt.Fprintf(r.env.Stderr, "lab: warning: %s\n", result.Unlearned)
	}
	if err != nil {
		if errors.Is(err, crawler.ErrNoStart) {
			return app.WithHint(err, "each start page is refused or is not a web address")
		}
		return err
	}
	return r.print(result, time.Since(began))
}

// live creates the live fetcher and completes the options of a crawl of the live web. The returned function closes both.
func (r *crawlRun) live(options fetch.LiveOptions, o *crawler.Options) (web *fetch.Live, end func(), err error) {
	web = fetch.NewLive(options)
	end = func() { _ = web.Close() } // it only gives up idle connections
	if r.o.render {
		renderer, err := render.New(web, render.Options{})
		if err != nil {
			end()
			return nil, nil, err
		}
		o.Renderer = renderer
		end = func() {
			_ = renderer.Close() // it only ends a browser
			_ = web.Close()
		}
	}
	if r.archive != nil {
		o.Archive = r.archive
	}
	o.Live, o.Workers = true, 4
	o.Trap = trap.New(trap.Options{Pages: r.o.budget, Starts: r.o.starts})
	o.OnPause = func(why string) {
		if why == "" {
			fmt.Fprintln(r.env.Stderr, "lab: going on")
			return
		}
		fmt.Fprintf(r.env.Stderr, "lab: waiting: %s\n", why)
	}
	o.OnWait = func(w crawler.Wait) {
		if w != (crawler.Wait{}) {
			fmt.Fprintf(r.env.Stderr, "lab: %s\n", w)
		}
	}
	o.TooLate = crawler.Within(r.o.wait, time.Now)
	return web, end, nil
}
