// Package speed measures the crawl: pages a second, processor time a page and memory of Nightjar's whole pipeline, beside Colly
// and a bare loop of net/http and golang.org/x/net/html.
//
// A farm of hosts (daemon/lab/farm) serves the pages. Farm and contenders run in processes of their own: jobs
// below the verb, and the program in the folder colly.
package speed

import (
	"context"
	"errors"
	"os"
	"slices"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "speed",
	Summary: "how fast the crawl is, beside Colly and a bare loop",
	Args:    "[FLAGS]",
	Help: `Measures the crawl: pages a second, processor time a page and peak memory of Nightjar's whole pipeline (fetch, parse,
classify, score, store, archive), compared with Colly and with a bare loop of net/http and golang.org/x/net/html, which fetch
and parse the same pages, extract the same links and keep nothing.

  lab speed --polite 20s --report

A farm of hosts serves the pages from its own process. Each contender crawls all pages of the farm in its own process, once
per round, and the order changes from round to round. It also measures how close a polite crawl comes to the rate that its
delays allow. It fails when the crawl is more than 15 % worse than in the last report.`,
	Verb: command.Of[options],
	Below: []command.Command{
		verb.Job("speed serve", serve), verb.Job("speed train", verb.Answer(train)), crawlJob(pipeline, crawlPipeline), crawlJob(bare, crawlBare),
	},
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	if err := o.check(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "speed-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	log := &shared{w: env.Stderr}
	r, err := (&benchmark{options: o, dir: dir, log: log, children: verb.Child{Cores: o.Cores, Log: log}}).run(ctx)
	if err != nil {
		return err
	}
	r.Command = verb.Line(env, "speed", o.Corpora)
	if o.Report {
		if err := errors.Join(devtool.WritePage("CRAWL.md", r.markdown()), r.land()); err != nil {
			return err
		}
	}
	err = o.Print(env, r, r.title(), r.tables())
	if err == nil && !o.Report && slices.ContainsFunc(r.Changes, func(c change) bool { return c.Worse }) {
		err = errWorse
	}
	return err
}
