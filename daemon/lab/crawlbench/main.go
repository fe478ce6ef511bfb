package main

import (
	"context"
	"encoding/json"
	"io"
	"os"

	"nightjar/daemon/lab/devtool"
)

func main() {
	devtool.Main(func(ctx context.Context) int {
		return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}

// run is the program: 0 measured, however quick; 1 failed; 2 wrong usage. The verbs are what it starts itself with.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var err error
	if verb, ok := verbOf(args); ok {
		err = verb(ctx, args[1], stdin, stdout)
	} else {
		err = bench(ctx, args, stdout, stderr)
	}
	return devtool.Code("crawlbench", err, stderr)
}

// verb is a part of the benchmark that runs in a process of its own. It is told what to do as JSON, and prints JSON.
type verb func(ctx context.Context, spec string, stdin io.Reader, stdout io.Writer) error

func verbOf(args []string) (verb, bool) {
	if len(args) != 2 {
		return nil, false
	}
	v, ok := map[string]verb{
		"serve": serveVerb, "train": trainVerb, pipeline: crawlVerb(crawlPipeline), bare: crawlVerb(crawlBare), "frontier": frontierVerb,
	}[args[0]]
	return v, ok
}

// bench is the whole benchmark.
func bench(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "crawlbench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	r, err := (&benchmark{options: o, dir: dir, log: &shared{w: stderr}}).run(ctx)
	if err != nil {
		return err
	}
	if o.Report {
		if err := r.writeReport(); err != nil {
			return err
		}
	}
	if o.JSON {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		return out.Encode(r)
	}
	return r.print(stdout)
}
