package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"nightjar/crawler/texts"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/cli/demo/demoweb"
)

var demoCommand = command.Command{
	Name:    "demo",
	Args:    "[--headless] [--json] [--seed NUMBER]",
	Summary: "show everything at work on a made-up web, without a browser or a network",
	Help:    help("demo"),
	Verb:    command.Of[demoOptions],
}

type demoOptions struct {
	headless bool
	json     bool
	seed     uint64
	listen   string
	verbose  bool
}

func (o *demoOptions) Define(f *flag.FlagSet) {
	f.BoolVar(&o.headless, "headless", false, "end after the summary")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	f.Uint64Var(&o.seed, "seed", 1, "random seed (`NUMBER`) of the made-up web")
	f.StringVar(&o.listen, "listen", "127.0.0.1:0", "loopback `ADDR:PORT` of the daemon; port 0 takes a free one")
	f.BoolVar(&o.verbose, "verbose", false, "log what the daemon does")
}

func (o *demoOptions) Run(ctx context.Context, env *command.Env, _ []string) (err error) {
	d := &demo{o: *o, env: env, web: demoweb.Generate(o.seed), say: env.Stdout}
	if o.json {
		d.say = env.Stderr
	}
	fmt.Fprintln(d.say, "Setting up a daemon and a made-up web; this takes a few seconds.")
	if err := d.open(ctx); err != nil {
		return errors.Join(err, d.close())
	}
	defer func() { err = errors.Join(err, d.close()) }()
	result, err := d.play(ctx)
	if err != nil {
		return err
	}
	if o.json {
		err = json.NewEncoder(env.Stdout).Encode(result)
	} else {
		err = result.print(env.Stdout, d.web)
	}
	if err != nil || o.headless {
		return err
	}
	return d.stay(ctx)
}

// stay shows the dashboard until the person ends the demonstration. Enter makes another one-time link.
func (d *demo) stay(ctx context.Context) error {
	door := &door{env: d.env, say: d.say, data: d.dir, opens: opens(d.env)}
	door.leadsTo(d.app)
	door.link(ctx)
	fmt.Fprintf(d.say, `
Enter makes another link, as does: %s
The made-up web is served on %s. Ctrl-C ends the demonstration and deletes its data.
`, terminal.On(d.dir, "open"), d.sites.Addr())
	return door.answer(ctx, lines(d.env.Stdin), d.ended)
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
	Map      demoMap    `json:"map"`
	judged   string     // when a page is relevant, in words
}

// demoMap is the map of communities around the topic.
type demoMap struct {
	ID          int64    `json:"id"`
	Fetched     int      `json:"fetched"`
	Communities []string `json:"communities"` // their names, the largest first
}

// demoCrawl is one crawl's outcome. Relevant counts pages about the topic that the session did not hold.
type demoCrawl struct {
	Strategy   string `json:"strategy"`
	Fetched    int    `json:"fetched"`
	Relevant   int    `json:"relevant"`
	StopReason string `json:"stop_reason,omitempty"`
	judged     int    // relevant pages, as the dashboard counts them: by the model
	finds      int    // those of them that are new to the person, as the dashboard counts them
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
Session about %q: %s, %d of them marked Useful, %s between them
Model: %s, %s; a page is relevant when %s
The web has %s more about the topic. Two crawls of %d of the %s:
  %-14s %s fetched, %d judged relevant, %s; reached %d of those about the topic (%s)
  %-14s %s fetched; reached %d of those about the topic
`, web.Topic, texts.Plural(r.Session.Pages, "page"), r.Session.Targets, texts.Plural(r.Session.Edges, "link"),
		texts.Plural(r.Model.States, "state"), texts.Plural(r.Model.Clusters, "cluster"), r.judged,
		texts.Plural(len(web.RelevantPages())-r.Session.Targets, "page"), r.Crawl.Fetched, texts.Plural(len(web.Pages()), "page"),
		r.Crawl.Strategy, texts.Plural(r.Crawl.Fetched, "page"), r.Crawl.judged, texts.Plural(r.Crawl.finds, "find"), r.Crawl.Relevant, r.Crawl.StopReason,
		r.Baseline.Strategy, texts.Plural(r.Baseline.Fetched, "page"), r.Baseline.Relevant)
	fmt.Fprintf(w, "Finds for the morning: %d\n", len(r.Finds))
	for _, f := range r.Finds[:min(5, len(r.Finds))] {
		fmt.Fprintf(w, "  %3.0f %% likely useful  %s\n        %s, %s from the start\n", 100*f.Useful, f.Title, f.URL, texts.Plural(len(f.Trail)-1, "link"))
	}
	fmt.Fprintf(w, "Map of the web around the topic, from %s: %d communities\n", texts.Plural(r.Map.Fetched, "page"), len(r.Map.Communities))
	for _, name := range r.Map.Communities {
		fmt.Fprintf(w, "  %s\n", name)
	}
	return nil
}
