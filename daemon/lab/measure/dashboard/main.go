// Package dashboard measures how quick the dashboard is on a database of many years: by default a million stored pages with twenty
// million links between them.
//
// It makes the database by the real schema (generate.go): one session of the demo that is played and trained by the daemon's own
// code, and around it made-up sessions, crawls, finds and marks. A fifth of the pages was visited, the others were fetched by
// crawls. Links are where they are in real life: in the HTML of the stored contents and, those that a crawl had not followed when
// its budget was spent, in the rows of its frontier. The search index is filled by the same code as the daemon's.
package dashboard

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "dashboard",
	Args:    "[FLAGS]",
	Summary: "how quick each page of the dashboard is with a million stored pages",
	Help: `Measures how quick the dashboard is on a database of many years, which it makes: by default a million stored pages with
twenty million links between them.

  lab dashboard --data DIR --report

It serves the dashboard of a daemon on the database, logs in and requests every page of the route table over HTTP, each with
several real ids. With --data, the next run measures the same database again. The first request of an address is its cold
one: the daemon has just opened the database, so its own caches are empty; those of the operating system are not.`,
	Verb: command.Of[options],
}

// options are the flags.
type options struct {
	Pages     int    // stored pages
	Links     int    // on each page
	Addresses int    // of each route
	Requests  int    // of each address, the cold one included
	Dir       string // data folder; "" for a temporary one
	verb.Output
}

func (o *options) Define(f *flag.FlagSet) {
	f.IntVar(&o.Pages, "pages", 1_000_000, "stored `pages`")
	f.IntVar(&o.Links, "links", 20, "`links` on each page")
	f.IntVar(&o.Addresses, "addresses", 4, "addresses of each route to request")
	f.IntVar(&o.Requests, "requests", 15, "requests of each address")
	f.StringVar(&o.Dir, "data", "", "data `folder` to keep: made if it is missing, measured again if it exists (default: a temporary one)")
	o.Flags(f, "DASHBOARD.md")
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	if o.Pages < 1000 || o.Links < 1 || o.Addresses < 1 || o.Requests < 2 {
		return command.Usagef("at least 1000 pages, 1 link, 1 address and 2 requests")
	}
	line := verb.Line(env, "dashboard", "", o.Dir)
	if o.Dir == "" {
		dir, err := os.MkdirTemp("", "dashboard-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
		o.Dir = dir
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "nightjar.db")); err != nil {
		begin := time.Now()
		if err := generate(ctx, o, env.Stderr); err != nil {
			return fmt.Errorf("make the database: %w", err)
		}
		if err := makeMaps(ctx, o.Dir); err != nil {
			return err
		}
		if err := makeOntologies(ctx, o.Dir); err != nil {
			return err
		}
		if err := makeGroupings(ctx, o); err != nil {
			return err
		}
		fmt.Fprintf(env.Stderr, "made in %s\n", time.Since(begin).Round(time.Second))
	}
	r, err := measure(ctx, o)
	if err != nil {
		return err
	}
	if o.Report {
		page := devtool.Markdown("The dashboard with a million pages", intro, line, r.remark(), r.tables())
		if err := devtool.WritePage("DASHBOARD.md", page); err != nil {
			return err
		}
	}
	return o.Print(env, r, r.remark(), r.tables())
}
