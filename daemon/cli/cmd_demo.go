package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"nightjar/daemon/lab/demoweb"
)

var demoCommand = command{
	name:    "demo",
	args:    "[--headless] [--json] [--seed NUMBER]",
	summary: "show everything at work on a made-up web, without a browser or a network",
	help: `Starts a daemon on a temporary data folder and serves a made-up web of a dozen sites on loopback. A script browses it
as a person with the extension would: it pairs, visits pages, goes Back, marks pages Useful and submits, all through the
real socket. The daemon learns and crawls two fifths of the made-up web over HTTP. A breadth-first crawl with the same
budget follows, for comparison. Neither crawl knows which pages are relevant.

Then the dashboard opens on the result and stays until Ctrl-C; --headless prints the summary and ends. The data folder
is deleted at the end.

--json prints one JSON object instead of the summary: session, model, crawl, baseline, finds.`,
	verb: of[demoOptions],
}

type demoOptions struct {
	headless bool
	json     bool
	seed     uint64
	listen   string
	verbose  bool
}

func (o *demoOptions) define(f *flag.FlagSet) {
	f.BoolVar(&o.headless, "headless", false, "end after the summary")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	f.Uint64Var(&o.seed, "seed", 1, "random seed (`NUMBER`) of the made-up web")
	f.StringVar(&o.listen, "listen", "127.0.0.1:0", "loopback `ADDR:PORT` of the daemon; port 0 takes a free one")
	f.BoolVar(&o.verbose, "verbose", false, "log what the daemon does")
}

func (o *demoOptions) run(ctx context.Context, env *environment, _ []string) (err error) {
	d := &demo{o: *o, env: env, web: demoweb.Generate(o.seed), say: env.stdout}
	if o.json {
		d.say = env.stderr
	}
	if err := d.open(ctx); err != nil {
		return errors.Join(err, d.close())
	}
	defer func() { err = errors.Join(err, d.close()) }()
	result, err := d.play(ctx)
	if err != nil {
		return err
	}
	if o.json {
		err = json.NewEncoder(env.stdout).Encode(result)
	} else {
		err = result.print(env.stdout, d.web)
	}
	if err != nil || o.headless {
		return err
	}
	return d.stay(ctx)
}

// stay shows the dashboard until the person ends the demonstration.
func (d *demo) stay(ctx context.Context) error {
	link := d.app.Web.LoginURL()
	fmt.Fprintf(d.say, "\nDashboard (one-time link): %s\n", link)
	if f, ok := d.env.stdout.(*os.File); ok && isTerminal(f) {
		if err := openBrowser(link); err != nil {
			fmt.Fprintf(d.say, "The link could not be opened here (%v): copy it.\n", err)
		}
	}
	fmt.Fprintf(d.say, "The made-up web is served on %s; Ctrl-C ends the demonstration and deletes %s.\n", d.sites.Addr(), d.dir)
	select {
	case <-ctx.Done():
		return nil
	case err := <-d.ended:
		d.ended <- err
		return err
	}
}

// demoResult is what the demonstration showed, as JSON.
type demoResult struct {
	Session struct {
		Pages   int `json:"pages"`
		Targets int `json:"targets"`
		Edges   int `json:"edges"`
	} `json:"session"`
	Model struct {
		States   int     `json:"states"`
		Clusters int     `json:"clusters"`
		Gamma    float64 `json:"gamma"`
	} `json:"model"`
	Crawl    demoCrawl  `json:"crawl"`
	Baseline demoCrawl  `json:"baseline"`
	Finds    []demoFind `json:"finds"`
	judged   string     // when a page is relevant, in words
}

// demoCrawl is one crawl's outcome. Relevant counts pages about the topic that the session did not hold.
type demoCrawl struct {
	Strategy   string `json:"strategy"`
	Fetched    int    `json:"fetched"`
	Relevant   int    `json:"relevant"`
	StopReason string `json:"stop_reason,omitempty"`
}

// demoFind is a find with the way to it.
type demoFind struct {
	URL        string     `json:"url"`
	Title      string     `json:"title"`
	Similarity float64    `json:"similarity"`
	Useful     float64    `json:"useful"` // probability, by the model's judge
	Trail      []demoStep `json:"trail"`
}

type demoStep struct {
	URL     string    `json:"url"`
	Title   string    `json:"title"`
	Anchor  string    `json:"anchor"`
	Cluster int       `json:"cluster"`
	States  []float64 `json:"states"`
	Hops    *int      `json:"hops,omitempty"` // most likely number of links left, given the whole trail
}

// print writes the summary for a person.
func (r *demoResult) print(w io.Writer, web *demoweb.Web) error {
	fmt.Fprintf(w, `
Session about %q: %d pages, %d of them marked Useful, %d links between them
Model: %d states, %d clusters; a page is relevant when %s
%d more pages are about the topic. Two crawls of %d of the %d pages:
  %-14s found %2d in %d pages fetched (%s)
  %-14s found %2d in %d pages fetched
`, web.Topic, r.Session.Pages, r.Session.Targets, r.Session.Edges, r.Model.States, r.Model.Clusters, r.judged,
		len(web.RelevantPages())-r.Session.Targets, r.Crawl.Fetched, len(web.Pages()),
		r.Crawl.Strategy, r.Crawl.Relevant, r.Crawl.Fetched, r.Crawl.StopReason,
		r.Baseline.Strategy, r.Baseline.Relevant, r.Baseline.Fetched)
	fmt.Fprintf(w, "Finds for the morning: %d\n", len(r.Finds))
	for _, f := range r.Finds[:min(5, len(r.Finds))] {
		fmt.Fprintf(w, "  %3.0f %% likely useful  %s\n        %s, %d links from the start\n", 100*f.Useful, f.Title, f.URL, len(f.Trail)-1)
	}
	return nil
}
