package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"

	"nightjar/crawler/texts"
	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
)

var corpusListCommand = command.Command{
	Name:  "corpus list",
	Args:  "FILE.warc.gz|DIR... [--summary] [--json]",
	Help:  help("corpus-list"),
	Files: true,
	Verb:  command.Of[listOptions],
}

type listOptions struct{ summary, json bool }

func (o *listOptions) Define(f *flag.FlagSet) {
	f.BoolVar(&o.summary, "summary", false, "only count")
	f.BoolVar(&o.json, "json", false, "print one JSON object a file")
}

func (o *listOptions) Run(ctx context.Context, env *command.Env, names []string) error {
	if len(names) == 0 {
		return command.Usagef("corpus list needs at least one file or folder")
	}
	var files []string
	for _, name := range names {
		found, err := recording.Files(name)
		if err != nil {
			return fmt.Errorf("list recording %s: %w", name, err)
		}
		files = append(files, found...)
	}
	var all []*corpus.Contents
	for _, name := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, err := o.list(env, name)
		if err != nil {
			return err
		}
		all = append(all, c)
	}
	if !o.json && len(all) > 1 {
		tellTotal(env, all)
	}
	return nil
}

// list lists one recording. Its entries are printed as they come.
func (o *listOptions) list(env *command.Env, name string) (*corpus.Contents, error) {
	w := bufio.NewWriter(env.Stdout)
	var entries []corpus.Entry
	c, err := corpus.List(name, func(e corpus.Entry) {
		switch {
		case o.summary:
		case o.json:
			entries = append(entries, e)
		default:
			tellEntry(w, e)
		}
	})
	if err != nil {
		return nil, err
	}
	if o.json {
		return c, json.NewEncoder(env.Stdout).Encode(struct {
			*corpus.Contents
			Entries []corpus.Entry `json:"entries,omitempty"`
		}{c, entries})
	}
	fmt.Fprintf(w, "%s: %s, %s on %s, %s, %s, %s", c.File, texts.Plural(c.Records, "record"), texts.Plural(c.Pages, "page"), texts.Plural(c.Hosts, "host"),
		texts.Plural(c.Redirects, "redirect"), texts.Plural(c.Other, "other answer"), texts.Plural(int(c.Bytes), "byte"))
	if c.Revisits > 0 {
		fmt.Fprintf(w, ", %d of them unchanged", c.Revisits)
	}
	if c.About != "" {
		fmt.Fprintf(w, "; %s", c.About)
	}
	fmt.Fprintln(w)
	for _, p := range c.Problems {
		fmt.Fprintf(env.Stderr, "lab: warning: %s %s\n", c.File, p)
	}
	return c, w.Flush()
}

func tellEntry(w *bufio.Writer, e corpus.Entry) {
	fmt.Fprintf(w, "%d %8d  %s  %s", e.Status, e.Bytes, e.Type, e.URL)
	if e.Location != "" {
		fmt.Fprintf(w, " -> %s", e.Location)
	}
	if e.Revisit {
		fmt.Fprint(w, " (unchanged)")
	}
	if e.Purpose != "" {
		fmt.Fprintf(w, " (%s)", e.Purpose)
	}
	fmt.Fprintln(w)
}

// tellTotal prints the totals of several recordings, and the number of their nights.
func tellTotal(env *command.Env, all []*corpus.Contents) {
	nights := make(map[string]bool)
	for _, c := range all {
		if c.Night != "" {
			nights[c.Night] = true
		}
	}
	t := corpus.Total(all)
	fmt.Fprintf(env.Stdout, "total: %s of %s, %d MB, %s, %s on %s, %s, %s, %d unchanged, %d incomplete, %s\n",
		texts.Plural(len(all), "file"), texts.Plural(len(nights), "night"), t.Size>>20, texts.Plural(t.Records, "record"), texts.Plural(t.Pages, "page"),
		texts.Plural(t.Hosts, "host"), texts.Plural(t.Redirects, "redirect"), texts.Plural(t.Other, "other answer"), t.Revisits, t.Cut,
		texts.Plural(len(t.Problems), "unreadable part"))
}
