package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("dashbench", run) }

// options are the flags.
type options struct {
	Pages     int    // stored pages
	Links     int    // on each page
	Addresses int    // of each route
	Requests  int    // of each address, the cold one included
	Dir       string // data folder; "" for a temporary one
	Report    bool   // write daemon/lab/reports/DASHBOARD.md
	Out       string // file for the result as JSON, or ""
}

// run is the program.
func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	var o options
	f := flag.NewFlagSet("dashbench", flag.ContinueOnError)
	f.IntVar(&o.Pages, "pages", 1_000_000, "stored `pages`")
	f.IntVar(&o.Links, "links", 20, "`links` on each page")
	f.IntVar(&o.Addresses, "addresses", 4, "addresses of each route to request")
	f.IntVar(&o.Requests, "requests", 15, "requests of each address")
	f.StringVar(&o.Dir, "data", "", "data `folder` to keep: made if it is missing, measured again if it exists (default: a temporary one)")
	f.BoolVar(&o.Report, "report", false, "write daemon/lab/reports/DASHBOARD.md")
	f.StringVar(&o.Out, "json", "", "`file` for the result as JSON")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return err
	}
	if o.Pages < 1000 || o.Links < 1 || o.Addresses < 1 || o.Requests < 2 {
		return devtool.Usagef("at least 1000 pages, 1 link, 1 address and 2 requests")
	}
	if o.Dir == "" {
		dir, err := os.MkdirTemp("", "dashbench-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
		o.Dir = dir
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "nightjar.db")); err != nil {
		begin := time.Now()
		if err := generate(ctx, o, stderr); err != nil {
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
		fmt.Fprintf(stderr, "made in %s\n", time.Since(begin).Round(time.Second))
	}
	r, err := measure(ctx, o)
	if err != nil {
		return err
	}
	if o.Out != "" {
		if err := writeJSON(o.Out, r); err != nil {
			return err
		}
	}
	if o.Report {
		command := "task bench:dashboard -- " + strings.Join(args, " ")
		if err := r.writeReport(strings.ReplaceAll(command, o.Dir, "DIR")); err != nil {
			return err
		}
	}
	return r.print(stdout)
}

func writeJSON(name string, r *result) error {
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := devtool.WriteJSON(out, r); err != nil {
		return err
	}
	return out.Close()
}
