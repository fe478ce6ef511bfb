package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/crawler/texts"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/learn/rehearsal"
	"nightjar/daemon/learn/trainer"
	"nightjar/model"
)

var trainCommand = command.Command{
	Name:    "train",
	Args:    "--session FILE... --out FILE.bundle [FLAGS]",
	Summary: "train a model from session files",
	Help:    help("train"),
	Verb:    command.Of[trainOptions],
}

type trainOptions struct {
	config     app.Config // of the data folder
	sessions   []string
	background []string
	out        string
	report     bool
	topic      string
	settings   model.Settings
	strategy   string
	json       bool
}

func (o *trainOptions) Define(f *flag.FlagSet) {
	o.settings = model.DefaultSettings()
	o.config.DataFlags(f)
	f.Var(command.List{Values: &o.sessions}, "session", "session `FILE` to learn from")
	f.Var(command.List{Values: &o.background}, "background", "session `FILE` of another topic, to tell its pages from this one's")
	f.BoolVar(&o.report, "report", true, "measure how sure the model is")
	f.StringVar(&o.out, "out", "", "`FILE` to write the model to")
	f.StringVar(&o.topic, "topic", "", "`NAME` of the model's topic (default that of the first session)")
	f.IntVar(&o.settings.States, "states", o.settings.States, "`NUMBER` of hidden states: useful page, one link away, …; the last means that far or farther")
	f.IntVar(&o.settings.MinClusters, "min-clusters", o.settings.MinClusters, "minimum number of clusters (`NUMBER`)")
	f.IntVar(&o.settings.MaxClusters, "max-clusters", o.settings.MaxClusters, "maximum number of clusters (`NUMBER`)")
	f.IntVar(&o.settings.Rank, "rank", o.settings.Rank, "dimensions (`NUMBER`) of the LSI space; 0: enough to keep 90 % of the squared singular values, at most 50")
	f.IntVar(&o.settings.Neighbours, "neighbours", o.settings.Neighbours, "training pages that vote on a new page (`NUMBER`)")
	f.Float64Var(&o.settings.Smoothing, "smoothing", o.settings.Smoothing, "`NUMBER` added to every count of transitions and emissions")
	f.Float64Var(&o.settings.Gamma, "gamma", o.settings.Gamma, "minimum cosine (`NUMBER`) between a relevant page and a useful one; 0: calibrated on the session")
	f.Uint64Var(&o.settings.Seed, "seed", o.settings.Seed, "random seed (`NUMBER`)")
	f.StringVar(&o.strategy, "strategy", "", "`NAME` of a strategy that the model must be fit for; only crf asks for more than others, see above")
	f.BoolVar(&o.json, "json", false, "print the facts of the model as JSON")
}

func (o *trainOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	if err := o.check(); err != nil {
		return err
	}
	switch {
	case len(o.sessions) == 0:
		return command.Usagef("train needs --session FILE")
	case o.out == "":
		return command.Usagef("--out is missing: the file to write the model to")
	}
	return trainFiles(ctx, env, o)
}

// trainFiles learns from session files.
func trainFiles(ctx context.Context, env *command.Env, o *trainOptions) error {
	began := time.Now()
	recs, err := session.ReadFiles(o.sessions)
	if err != nil {
		return err
	}
	topic := o.topic
	if topic == "" {
		topic = recs[0].Topic
	}
	set := trainer.Set(topic, recs, nil)
	walked := trainer.Walked{Sessions: recs}
	if walked.Sets, err = o.headingSets(); err != nil {
		return err
	}
	if set.Background, err = readBackground(o.background, set); err != nil {
		return err
	}
	b, err := learn(ctx, env, o, set, walked)
	if trainer.Untrainable(err) {
		return command.WithHint(fmt.Errorf("train: %w", err), "the session files contain too little: record more, or add more files")
	}
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	if err := o.fit(b); err != nil {
		return err
	}
	text, err := b.Encode()
	if err != nil {
		return fmt.Errorf("train: %w", err)
	}
	if err := command.WriteFile(o.out, text); err != nil {
		return err
	}
	return tellModel(env, o, b, len(recs), len(text), time.Since(began))
}

// learn trains and, if asked, measures how sure the model is.
func learn(ctx context.Context, env *command.Env, o *trainOptions, set model.TrainingSet, walked trainer.Walked) (*model.Bundle, error) {
	const all = model.Stages + 1 // with the ways
	show := command.NewProgress(env.Stderr, "training", all)
	defer show.End()
	stage, stages := "", 0
	progress := func(p model.Progress) {
		if p.Stage != stage {
			stage = p.Stage
			stages++
			show.Set(min(stages, all), trainer.InWords(stage))
		}
	}
	t, err := model.Learn(ctx, set, o.settings, progress)
	if err != nil {
		return nil, err
	}
	b, err := trainer.LearnWays(ctx, t.Bundle(), walked, progress)
	if err != nil || !o.report || o.fit(b) != nil {
		return b, err
	}
	report, err := t.Assess(ctx)
	if err != nil {
		return nil, err
	}
	log := command.NewLogger(env.Stderr, slog.LevelWarn)
	found, err := o.rehearse(ctx, b, set, walked, log)
	if err != nil {
		return nil, err
	}
	return trainer.Reported(b, report.Rehearsed(found), log)
}

// rehearse tests the strategy that crawls with the model would use on parts of the sessions.
func (o *trainOptions) rehearse(ctx context.Context, b *model.Bundle, set model.TrainingSet, walked trainer.Walked, log *slog.Logger) (*model.Rehearsal, error) {
	name := strategy.Choose(o.strategy)
	if strategy.Lacks(name, b) != "" {
		name = strategy.Best
	}
	in := rehearsal.Input{Set: set, Settings: o.settings, Strategy: name}
	if strategy.Needs(name) == strategy.Ways {
		in.Prepare = func(ctx context.Context, b *model.Bundle, held map[string]bool) (*model.Bundle, error) {
			walked := walked // the parts are prepared concurrently
			walked.Hidden = held
			return trainer.LearnWays(ctx, b, walked, nil)
		}
	}
	found, err := rehearsal.Run(ctx, in, nil)
	return trainer.Rehearsed(ctx, name, found, err, log)
}

// readBackground reads the texts of other topics' sessions, except for pages in the set.
func readBackground(paths []string, set model.TrainingSet) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	recs, err := session.ReadFiles(paths)
	if err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, p := range set.Pages {
		own[p.URL] = true
	}
	var texts []string
	for _, p := range trainer.Set("", recs, nil).Pages {
		if !own[p.URL] {
			texts = append(texts, p.Text)
		}
	}
	return texts, nil
}

// tellModel prints the facts about a model.
func tellModel(env *command.Env, o *trainOptions, b *model.Bundle, sessions, size int, took time.Duration) error {
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(map[string]any{
			"out": o.out, "topic": b.Topic, "sessions": sessions, "pages": b.Facts.Pages, "targets": b.Facts.Targets,
			"edges": b.Facts.Edges, "terms": b.Facts.Terms, "rank": b.Facts.Rank, "clusters": b.Facts.Clusters,
			"states": len(b.Initial), "gamma": b.Gamma.Value, "calibrated": b.Gamma.Calibrated, "bytes": size, "seconds": took.Seconds(),
			"features": b.Facts.Features, "background": b.Facts.Background, "choice": b.Choice, "report": b.Report,
			"learned_ways": b.Ways != nil, "no_ways": b.NoWays,
		})
	}
	f := b.Facts
	_, err := fmt.Fprintf(env.Stdout, `%s: topic %q, learned from %s in %.1f s
  %s, %d of them useful, %s between them
  %s in %s, %s, %s
  relevant from a similarity of %.2f. %s
`, o.out, b.Topic, texts.Plural(sessions, "session"), took.Seconds(), texts.Plural(f.Pages, "page"), f.Targets, texts.Plural(f.Edges, "link"),
		texts.Plural(f.Terms, "word"), texts.Plural(f.Rank, "dimension"), texts.Plural(f.Clusters, "cluster"), texts.Plural(len(b.Initial), "state"), b.Gamma.Value, b.Gamma.How)
	if err != nil || b.Report == nil {
		return err
	}
	return tellReport(env.Stdout, b.Report)
}
