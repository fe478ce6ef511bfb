package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"nightjar/crawler"
	"nightjar/crawler/strategy"
	"nightjar/crawler/weburl"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/lab/corpus"
	"nightjar/daemon/lab/recording"
	"nightjar/model"
)

var crawlCommand = command.Command{
	Name:    "crawl",
	Args:    "--model FILE.bundle --start URL... --replay FILE.warc.gz|DIR... [FLAGS]",
	Summary: "crawl a recorded web once with a model",
	Help:    help("crawl"),
	Verb:    command.Of[crawlOptions],
}

type crawlOptions struct {
	model      string
	replay     []string
	starts     []string
	budget     int
	strategies []string
	labels     []string
	relevant   []string
	missing    string
	json       bool
	ontology   string
	config     app.Config // of the data folder
}

func (o *crawlOptions) Define(f *flag.FlagSet) {
	f.StringVar(&o.model, "model", "", "`FILE` that lab train wrote")
	f.Var(command.List{Values: &o.starts, URLs: true}, "start", "`URL` to crawl from")
	f.Var(command.List{Values: &o.replay}, "replay", "`FILE|DIR` with a recording to crawl: a WARC file, plain or gzip, or a folder of such files")
	f.IntVar(&o.budget, "budget", 100, "pages to fetch (`NUMBER`)")
	f.Var(command.List{Values: &o.strategies}, "strategy", "`NAME` of a strategy; several crawl one after the other. The default is auto, the best one by benchmarks: "+strategy.Best+". Strategies:\n"+strategy.Help())
	f.StringVar(&o.ontology, "ontology", "", "`FILE` with the ontology of the strategy thematic; without it, the data folder has it: thematic:NAME, or thematic for the only one")
	o.config.DataFlags(f)
	f.Var(command.List{Values: &o.labels}, "labels", "`FILE` of lines \"URL tab label\"")
	f.Var(command.List{Values: &o.relevant}, "relevant", "`LABEL` of the relevant pages, in full")
	f.StringVar(&o.missing, "missing", "free", "`free|cost`: whether a link that the recording lacks costs a page of budget")
	f.BoolVar(&o.json, "json", false, "print JSON")
}

// check completes the options and refuses combinations that contradict each other.
func (o *crawlOptions) check() error {
	if err := needAll(need{"model", o.model != ""}, need{"start", len(o.starts) > 0}, need{"replay", len(o.replay) > 0}); err != nil {
		return err
	}
	if len(o.strategies) == 0 {
		o.strategies = []string{strategy.Auto}
	}
	for _, name := range o.strategies {
		if name != strategy.Auto && !strategy.Known(name) {
			return command.Usagef("unknown strategy %q: known are %s and %v", name, strategy.Auto, strategy.Names())
		}
	}
	if err := o.checkOntology(); err != nil {
		return err
	}
	switch {
	case o.budget < 1:
		return command.Usagef("--budget must be at least 1, not %d", o.budget)
	case o.missing != "free" && o.missing != "cost":
		return command.Usagef("--missing is free or cost, not %q", o.missing)
	case (len(o.labels) > 0) != (len(o.relevant) > 0):
		return command.Usagef("--labels and --relevant need each other")
	}
	for i, start := range o.starts {
		url, err := weburl.Canonical(start)
		if err != nil {
			return command.Usagef("--start %s: %v", start, err)
		}
		o.starts[i] = weburl.Document(url)
	}
	return nil
}

func (o *crawlOptions) Run(ctx context.Context, env *command.Env, _ []string) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	text, err := os.ReadFile(o.model)
	if err != nil {
		return command.WithHint(fmt.Errorf("read model: %w", err), "%s makes one of session files", terminal.Command("train"))
	}
	b, err := model.Decode(text)
	if err != nil {
		return fmt.Errorf("read model %s: %w", o.model, err)
	}
	replay, err := openReplay(env, o.replay)
	if err != nil {
		return err
	}
	defer replay.Close()
	base, err := o.score(ctx, env, b, replay)
	if err != nil {
		return err
	}
	if err := o.checkStarts(ctx, env, replay); err != nil {
		return err
	}
	for _, name := range o.strategies {
		score := *base
		named, err := o.themes(ctx, env, name)
		if err != nil {
			return err
		}
		run := &crawlRun{env: env, o: o, bundle: b, name: strategy.Choose(name), themes: named, score: &score}
		if err := run.crawl(ctx, replay); err != nil {
			return err
		}
	}
	return nil
}

// checkStarts warns of start pages that the recording lacks, and fails when it has none of them.
func (o *crawlOptions) checkStarts(ctx context.Context, env *command.Env, replay *recording.Replay) error {
	finals, lacking := corpus.Starts(ctx, replay, o.starts)
	for _, start := range lacking {
		fmt.Fprintf(env.Stderr, "lab: warning: the recording lacks the start page %s\n", start)
	}
	if len(finals) == 0 {
		return command.WithHint(errors.New("the recording holds none of the start pages"), "%s lists its pages", terminal.Command("corpus list"))
	}
	return nil
}

// score prepares the score that every strategy gets a copy of. With labels, they decide which pages are relevant.
func (o *crawlOptions) score(ctx context.Context, env *command.Env, b *model.Bundle, replay *recording.Replay) (*corpus.Score, error) {
	s := &corpus.Score{Known: make(map[string]bool), Budget: o.budget}
	for _, p := range b.Pages {
		s.Known[p.URL] = true
	}
	if len(o.labels) == 0 {
		return s, nil
	}
	labels, err := readLabels(env, o.labels, replay)
	if err != nil {
		return nil, err
	}
	relevant, unknown := labels.Any(o.relevant)
	if unknown != "" {
		return nil, command.WithHint(fmt.Errorf("no page has the label %q", unknown), "some labels are %v", labels.Suggest(unknown))
	}
	s.Relevant = func(url string) bool { return relevant[url] }
	web, err := corpus.ReadWeb(ctx, replay, o.starts)
	if err != nil {
		return nil, fmt.Errorf("read the recording's links: %w", err)
	}
	counts := func(url string) bool { return relevant[url] && !s.Known[url] }
	s.Total, s.Oracle = web.Count(counts), web.Oracle(counts, o.budget)
	return s, nil
}

// crawlRun is one strategy's crawl.
type crawlRun struct {
	env    *command.Env
	o      *crawlOptions
	bundle *model.Bundle
	name   string
	themes *strategy.Themes // nil for a strategy that needs no ontology
	score  *corpus.Score
	finds  []crawlFind
}

// crawl runs the strategy and prints its result.
func (r *crawlRun) crawl(ctx context.Context, replay *recording.Replay) error {
	s, err := strategy.NewWith(ctx, r.name, r.bundle, r.themes)
	if err != nil {
		return err
	}
	show := command.NewProgress(r.env.Stderr, "crawling with "+r.name, r.o.budget)
	o := crawler.Options{
		Starts: r.o.starts, Budget: crawler.Budget{Pages: r.o.budget}, Workers: 1, MissingCosts: r.o.missing == "cost", Explain: r.o.json,
		OnFetch: func(f *crawler.Fetch) {
			if r.score.Add(f) {
				r.finds = append(r.finds, crawlFind{f.FinalURL, f.Title, f.Judgement.Similarity, f.Judgement.Useful, f.N, f.Judgement.Why})
			}
			show.Set(f.Totals.Fetched, fmt.Sprintf("%d relevant", r.score.Found()))
		},
		OnTrouble: func(err error) { fmt.Fprintf(r.env.Stderr, "lab: warning: %v\n", err) },
	}
	began := time.Now()
	defer machine.HoldMemory()()
	result, err := crawler.Run(ctx, replay, s, o)
	show.End()
	if result.Unlearned != "" {
		fmt.Fprintf(r.env.Stderr, "lab: warning: %s\n", result.Unlearned)
	}
	if err != nil {
		return err
	}
	return r.print(result, time.Since(began))
}

// crawlFind is a relevant page of a crawl.
type crawlFind struct {
	URL        string            `json:"url"`
	Title      string            `json:"title"`
	Similarity float64           `json:"similarity"`
	Useful     float64           `json:"useful"`        // probability, by the model's judge
	N          int               `json:"n"`             // fetched as the n-th
	Why        []strategy.Reason `json:"why,omitempty"` // why the link that led here was followed, if the strategy says so
}
