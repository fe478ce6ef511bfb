package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"nightjar/crawler/fetch"
	"nightjar/crawler/warc"
	"nightjar/daemon/store"
)

var corpusNightCommand = command{
	name: "corpus night",
	args: "--topic NAME [--night DATE] --out DIR [--data DIR] [--json]",
	help: `Makes a benchmark of a night: the web that the crawl of a topic found, as it was, with what you said of it. Into the
folder go

  night.warc.gz          every page of that night, whole: what the archive holds, else what the database does
  labels.tsv             useful and not-useful: your marks on finds; judged: what the model took for relevant
  topic.session.jsonl    the topic's sessions
  model.bundle           the model that crawled, while it is kept
  commands.txt           how to crawl that night again, and how to measure strategies on it

Without --night the topic's last crawl is taken, also one run by hand. The folder holds pages as you saw them and what you
thought of them: keep it to yourself. The daemon may be running meanwhile.

  nightjar corpus night --topic hockey --night 2026-11-21 --out night`,
	flags: func(f *flag.FlagSet) { new(nightOptions).define(f) },
	run:   runCorpusNight,
}

type nightOptions struct {
	Config
	topic, night, out string
	json              bool
}

func (o *nightOptions) define(f *flag.FlagSet) {
	o.dataFlag(f)
	f.StringVar(&o.topic, "topic", "", "`NAME` of the topic that was crawled for")
	f.StringVar(&o.night, "night", "", "`DATE` on which the night began, such as 2026-11-21")
	f.StringVar(&o.out, "out", "", "`DIR` to write to; it is made when it is missing")
	f.BoolVar(&o.json, "json", false, "print what was written as JSON")
}

// nightResult says what was written.
type nightResult struct {
	Out      string   `json:"out"`
	Crawl    int64    `json:"crawl"`
	Night    string   `json:"night,omitempty"`
	Pages    int      `json:"pages"`   // of the crawl that are in the recording
	Lacking  int      `json:"lacking"` // of the crawl that nothing holds any more
	Marked   int      `json:"marked"`  // pages that the person marked Useful
	Relevant string   `json:"relevant"`
	Commands []string `json:"commands"`

	label []string // lines
}

func runCorpusNight(ctx context.Context, env *environment, args []string) error {
	var o nightOptions
	rest, err := parse("corpus night", args, o.define)
	if err != nil {
		return err
	}
	if err := needAll(rest, need{"topic", o.topic != ""}, need{"out", o.out != ""}); err != nil {
		return err
	}
	if err := o.complete(env.getenv); err != nil {
		return err
	}
	privateFiles()
	dir := &dataDir{path: o.Data}
	if _, err := os.Stat(dir.database()); err != nil {
		return withHint(fmt.Errorf("corpus night: %w", err), "name the data folder with --data DIR")
	}
	st, err := store.Open(ctx, dir.database())
	if err != nil {
		return err
	}
	defer st.Close()
	topic, err := st.TopicByName(ctx, o.topic)
	if err != nil {
		return withHint(fmt.Errorf("topic %q: %w", o.topic, err), "nightjar export lists the topics")
	}
	crawl, err := st.CrawlOf(ctx, topic.ID, o.night)
	if errors.Is(err, store.ErrNotFound) {
		return withHint(fmt.Errorf("topic %q was not crawled for then", topic.Name), "the dashboard lists the nights")
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o700); err != nil {
		return fmt.Errorf("corpus night: %w", err)
	}
	n := &nightExport{st: st, dir: dir, out: o.out, topic: topic, crawl: crawl}
	if err := n.write(ctx); err != nil {
		return fmt.Errorf("corpus night: %w", err)
	}
	return o.tell(env, &n.result)
}

// tell prints what was written.
func (o *nightOptions) tell(env *environment, r *nightResult) error {
	if o.json {
		return json.NewEncoder(env.stdout).Encode(r)
	}
	fmt.Fprintf(env.stdout, "%s: %d pages of crawl %d, %d marked Useful\n", r.Out, r.Pages, r.Crawl, r.Marked)
	for _, c := range r.Commands {
		fmt.Fprintln(env.stdout, c)
	}
	if r.Lacking > 0 {
		fmt.Fprintf(env.stderr, "nightjar: warning: %d pages of that night are kept nowhere any more: the archive was off, or has let go of them\n", r.Lacking)
	}
	if r.Marked == 0 {
		fmt.Fprintln(env.stderr, "nightjar: warning: you marked no find of this topic Useful; what the model took for relevant stands for it, which favours that model")
	}
	return nil
}

// nightExport writes a night.
type nightExport struct {
	st     *store.Store
	dir    *dataDir
	out    string
	topic  store.Topic
	crawl  store.Crawl
	result nightResult
}

func (n *nightExport) file(name string) string { return filepath.Join(n.out, name) }

func (n *nightExport) write(ctx context.Context) error {
	n.result = nightResult{Out: n.out, Crawl: n.crawl.ID, Night: n.crawl.Night, Relevant: "useful"}
	if err := n.writeWeb(ctx); err != nil {
		return err
	}
	if err := n.writeLabels(ctx); err != nil {
		return err
	}
	if err := n.writeSessions(ctx); err != nil {
		return err
	}
	model, err := n.writeModel(ctx)
	if err != nil {
		return err
	}
	n.commands(model)
	return writeFile(n.file("commands.txt"), []byte(strings.Join(n.result.Commands, "\n")+"\n"))
}

// writeWeb writes the recording: what the archive holds of the night, and of the crawl's other pages what the database
// does. What a page made of itself by scripts stands for what was sent.
func (n *nightExport) writeWeb(ctx context.Context) error {
	name := n.file("night.warc.gz")
	f, err := os.OpenFile(name+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(f)
	err = n.web(ctx, warc.NewWriter(buffered))
	if err = errors.Join(err, buffered.Flush(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name+".new"))
	}
	return os.Rename(name+".new", name)
}

func (n *nightExport) web(ctx context.Context, w *warc.Writer) error {
	rendered := map[string]bool{}
	if err := n.st.NightPages(ctx, n.crawl.ID, func(p store.NightPage) error {
		if p.Rendered && p.HTML != nil {
			rendered[p.URL] = true
		}
		return nil
	}); err != nil {
		return err
	}
	there := map[string]bool{}
	replay, err := n.replay(ctx)
	if err != nil {
		return err
	}
	if replay != nil {
		defer replay.Close() //nolint:errcheck // only read from
		if err := replay.Each(ctx, func(e fetch.Exchange) error {
			if rendered[e.URL] {
				return nil
			}
			there[e.URL] = true
			return w.Response(e.URL, e.At, e.Status, e.Header, e.Body)
		}); err != nil {
			return err
		}
	}
	return n.st.NightPages(ctx, n.crawl.ID, func(p store.NightPage) error {
		if p.Relevant {
			n.result.label = append(n.result.label, p.URL+"\tjudged")
		}
		switch {
		case there[p.URL]:
		case p.HTML == nil:
			n.result.Lacking++
			return nil
		default:
			there[p.URL] = true
			if err := w.Response(p.URL, p.At, http.StatusOK, http.Header{"Content-Type": {"text/html; charset=utf-8"}}, p.HTML); err != nil {
				return err
			}
		}
		n.result.Pages++
		return nil
	})
}

// replay opens what the archive holds of the crawl's night; nil when that is nothing.
func (n *nightExport) replay(ctx context.Context) (*fetch.Replay, error) {
	named, err := n.st.ArchiveFiles(ctx, n.crawl.ID)
	if err != nil || len(named) == 0 {
		return nil, err
	}
	all, err := fetch.Recordings(n.dir.archive())
	if err != nil {
		return nil, nil //nolint:nilerr // there is no archive any more
	}
	// Records may refer to others of their night, whose files are named alike up to a number.
	files := slices.DeleteFunc(all, func(path string) bool {
		return !slices.ContainsFunc(named, func(name string) bool { return sameNight(filepath.Base(path), name) })
	})
	if len(files) == 0 {
		return nil, nil
	}
	replay, report, err := fetch.OpenReplay(files)
	if err != nil && report.Pages == 0 {
		return nil, nil //nolint:nilerr // no page is left in it
	}
	return replay, err
}

// sameNight reports whether two files of an archive are of one night: named alike up to the last dash.
func sameNight(one, other string) bool {
	i, j := strings.LastIndexByte(one, '-'), strings.LastIndexByte(other, '-')
	return i > 0 && j > 0 && one[:i] == other[:j]
}

// writeLabels writes what the person said of the topic's finds, and what the model took for relevant.
func (n *nightExport) writeLabels(ctx context.Context) error {
	words, err := n.st.Words(ctx, n.topic.ID)
	if err != nil {
		return err
	}
	lines := n.result.label
	for _, w := range words {
		lines = append(lines, w.URL+"\t"+w.Mark)
		if w.Mark == "useful" {
			n.result.Marked++
		}
	}
	if n.result.Marked == 0 {
		n.result.Relevant = "judged"
	}
	slices.Sort(lines)
	return writeFile(n.file("labels.tsv"), []byte(strings.Join(slices.Compact(lines), "\n")+"\n"))
}

// writeSessions writes the sessions of the topic and of those that it is made of.
func (n *nightExport) writeSessions(ctx context.Context) error {
	members, err := n.st.Members(ctx, n.topic.ID)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, t := range append(members, n.topic) {
		if err := exportSessions(ctx, &text, n.st, "", t.Name); err != nil && !errors.Is(err, errNoSession) {
			return err
		}
	}
	return writeFile(n.file("topic.session.jsonl"), []byte(text.String()))
}

// writeModel writes the model that crawled; false when it is not kept any more.
func (n *nightExport) writeModel(ctx context.Context) (bool, error) {
	m, err := n.st.ModelByID(ctx, n.crawl.ModelID)
	if errors.Is(err, store.ErrNotFound) || err == nil && len(m.Encoded()) == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, writeFile(n.file("model.bundle"), bytes.Clone(m.Encoded()))
}

// commands says how to go on.
func (n *nightExport) commands(model bool) {
	starts := ""
	for _, s := range n.crawl.Options.Starts {
		starts += " --start " + quoted(s)
	}
	budget := fmt.Sprintf(" --budget %d", max(n.crawl.Totals.Fetched, 1))
	if model {
		n.result.Commands = append(n.result.Commands, "nightjar crawl --model "+quoted(n.file("model.bundle"))+" --replay "+quoted(n.file("night.warc.gz"))+
			starts+budget+" --strategy "+n.crawl.Strategy)
	}
	strategies := n.crawl.Strategy
	if strategies != "breadth-first" {
		strategies += ",breadth-first"
	}
	n.result.Commands = append(n.result.Commands, "nightjar bench --corpus "+quoted(n.file("night.warc.gz"))+" --session "+quoted(n.file("topic.session.jsonl"))+
		" --labels "+quoted(n.file("labels.tsv"))+" --relevant "+n.result.Relevant+starts+budget+" --strategies "+strategies)
}

// quoted is a word as a shell takes it.
func quoted(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:%=+,@", r)
	}) && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
