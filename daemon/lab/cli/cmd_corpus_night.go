package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"nightjar/daemon/app"
	"nightjar/daemon/command"
	"nightjar/daemon/store"
)

var corpusNightCommand = command.Command{
	Name: "corpus night",
	Args: "--topic NAME [--night DATE] --out DIR [--data DIR] [--json]",
	Help: `Makes a benchmark from a night: the pages that a topic's crawl found, as they were then, and your marks on them. It
writes these files:

  night.warc.gz          every page of that night, from the archive or else from the database
  labels.tsv             useful and not-useful: your marks on finds; judged: pages that the model found relevant
  topic.session.jsonl    the topic's sessions
  model.bundle           the model that crawled, while it is kept
  commands.txt           how to crawl that night again, and how to measure strategies on it

Without --night it uses the topic's last crawl, which may be one you started yourself. The folder holds pages as you saw
them and your opinion of them: keep it to yourself. The daemon may be running.

  lab corpus night --topic hockey --night 2026-11-21 --out night`,
	Verb: command.Of[nightOptions],
}

type nightOptions struct {
	app.Config
	topic, night, out string
	json              bool
}

func (o *nightOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.StringVar(&o.topic, "topic", "", "`NAME` of the topic that was crawled for")
	f.StringVar(&o.night, "night", "", "`DATE` on which the night began, such as 2026-11-21")
	f.StringVar(&o.out, "out", "", "`DIR` to write to; it is created if it is missing")
	f.BoolVar(&o.json, "json", false, "print what was written as JSON")
}

// nightResult says what was written.
type nightResult struct {
	Out      string   `json:"out"`
	Crawl    int64    `json:"crawl"`
	Night    string   `json:"night,omitempty"`
	Pages    int      `json:"pages"`   // pages of the crawl in the recording
	Lacking  int      `json:"lacking"` // pages of the crawl that are stored nowhere
	Marked   int      `json:"marked"`  // pages that the person marked Useful
	Relevant string   `json:"relevant"`
	Commands []string `json:"commands"`

	label []string // lines
}

func (o *nightOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	if err := needAll(need{"topic", o.topic != ""}, need{"out", o.out != ""}); err != nil {
		return err
	}
	if err := o.Complete(env.Getenv); err != nil {
		return err
	}
	st, err := app.ReadStore(ctx, o.Data)
	if err != nil {
		return fmt.Errorf("corpus night: %w", err)
	}
	defer st.Close()
	topic, err := st.TopicByName(ctx, o.topic)
	if err != nil {
		return app.WithHint(fmt.Errorf("topic %q: %w", o.topic, err), "nightjar export lists the topics")
	}
	crawl, err := st.CrawlOf(ctx, topic.ID, o.night)
	if errors.Is(err, store.ErrNotFound) {
		return app.WithHint(fmt.Errorf("topic %q was not crawled that night", topic.Name), "the dashboard lists the nights")
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o700); err != nil {
		return fmt.Errorf("corpus night: %w", err)
	}
	n := &nightExport{st: st, data: o.Data, out: o.out, topic: topic, crawl: crawl}
	if err := n.write(ctx); err != nil {
		return fmt.Errorf("corpus night: %w", err)
	}
	return o.tell(env, &n.result)
}

// tell prints what was written.
func (o *nightOptions) tell(env *command.Env, r *nightResult) error {
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(r)
	}
	fmt.Fprintf(env.Stdout, "%s: %s of crawl %d, %d marked Useful\n", r.Out, command.Plural(r.Pages, "page"), r.Crawl, r.Marked)
	for _, c := range r.Commands {
		fmt.Fprintln(env.Stdout, c)
	}
	if r.Lacking > 0 {
		fmt.Fprintf(env.Stderr, "lab: warning: no longer stored of that night: %s; the archive was off, or has deleted them\n", command.Plural(r.Lacking, "page"))
	}
	if r.Marked == 0 {
		fmt.Fprintln(env.Stderr, "lab: warning: you marked no find of this topic Useful, so pages that the model judged relevant count as useful; this favours that model")
	}
	return nil
}
