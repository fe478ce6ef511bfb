package main

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("crawlbench", run) }

// verbs are the parts of the benchmark that run in processes of their own.
var verbs = devtool.Verbs{
	"serve": serveVerb, "train": devtool.NewVerb(train), pipeline: crawlVerb(crawlPipeline), bare: crawlVerb(crawlBare),
	"frontier": devtool.NewVerb(measureFrontier), "hand": handVerb,
}

// run is the program: the whole benchmark, or one verb.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if verb, ok := verbs.Find(args); ok {
		return verb(ctx, args[1], stdin, stdout)
	}
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "crawlbench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	log := &shared{w: stderr}
	r, err := (&benchmark{options: o, dir: dir, log: log, children: devtool.Child{Cores: o.Cores, Log: log}}).run(ctx)
	if err != nil {
		return err
	}
	if o.Report {
		if err := errors.Join(r.writeReport(), r.land()); err != nil {
			return err
		}
	}
	if o.JSON {
		err = devtool.WriteJSON(stdout, r)
	} else {
		err = r.print(stdout)
	}
	if err == nil && !o.Report && slices.ContainsFunc(r.Changes, func(c change) bool { return c.Worse }) {
		err = errWorse
	}
	return err
}
