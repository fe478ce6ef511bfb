package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"

	"nightjar/daemon/corpus"
)

var corpusListCommand = command{
	name: "corpus list",
	args: "FILE.warc.gz... [--summary] [--json]",
	help: `Lists the answers in recordings, one a line: status, bytes, media type, URL (and where a redirect leads). At the end
it counts records and pages and says what could not be read; a file that is cut short is read as far as it is good.`,
	flags: func(f *flag.FlagSet) { new(listOptions).define(f) },
	run:   runCorpusList,
}

type listOptions struct{ summary, json bool }

func (o *listOptions) define(f *flag.FlagSet) {
	f.BoolVar(&o.summary, "summary", false, "only count")
	f.BoolVar(&o.json, "json", false, "print one JSON object a file")
}

func runCorpusList(ctx context.Context, env *environment, args []string) error {
	var o listOptions
	files, err := parse("corpus list", args, o.define)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return usagef("corpus list needs at least one file")
	}
	for _, name := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, err := corpus.List(name)
		if err != nil {
			return err
		}
		if o.summary {
			c.Entries = nil
		}
		if err := o.print(env, c); err != nil {
			return err
		}
	}
	return nil
}

func (o *listOptions) print(env *environment, c *corpus.Contents) error {
	if o.json {
		return json.NewEncoder(env.stdout).Encode(c)
	}
	w := bufio.NewWriter(env.stdout)
	for _, e := range c.Entries {
		fmt.Fprintf(w, "%d %8d  %s  %s", e.Status, e.Bytes, e.Type, e.URL)
		if e.Location != "" {
			fmt.Fprintf(w, " -> %s", e.Location)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s: %d records, %d pages on %d hosts, %d redirects, %d other answers, %d bytes\n",
		c.File, c.Records, c.Pages, c.Hosts, c.Redirects, c.Other, c.Bytes)
	if err := w.Flush(); err != nil {
		return err
	}
	for _, p := range c.Problems {
		fmt.Fprintf(env.stderr, "nightjar: warning: %s %s\n", c.File, p)
	}
	return nil
}
