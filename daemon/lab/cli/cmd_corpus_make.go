package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"

	"nightjar/crawler/texts"
	"nightjar/daemon/base/command"
	"nightjar/daemon/browse/protocol"
	"nightjar/daemon/browse/session"
	"nightjar/daemon/lab/corpus"
)

var corpusGamesCommand = command.Command{
	Name: "corpus games",
	Args: "--articles FILE.warc.gz --games FILE.tsv... --labels FILE.tsv --category LABEL --out FILE.session.jsonl [FLAGS]",
	Help: help("corpus-games"),
	Verb: command.Of[gamesOptions],
}

var corpusWalkCommand = command.Command{
	Name: "corpus walk",
	Args: "--corpus FILE.warc.gz... --labels FILE.tsv... --relevant LABEL --start URL... --out FILE.session.jsonl [FLAGS]",
	Help: help("corpus-walk"),
	Verb: command.Of[walkOptions],
}

// sessionOut is where a made session goes.
type sessionOut struct {
	out   string
	topic string
	seed  uint64
	json  bool
}

func (o *sessionOut) Define(f *flag.FlagSet) {
	f.StringVar(&o.out, "out", "", "`FILE` to write, FILE.session.jsonl")
	f.StringVar(&o.topic, "topic", "", "`NAME` of the session's topic (default: from the label)")
	f.Uint64Var(&o.seed, "seed", 1, "random seed (`NUMBER`)")
	f.BoolVar(&o.json, "json", false, "print a summary of the session as JSON")
}

// save writes the session, whole or not at all, and prints a summary.
func (o *sessionOut) save(env *command.Env, events []protocol.Event, s corpus.Summary) error {
	var text bytes.Buffer
	if err := session.Write(&text, events); err != nil {
		return fmt.Errorf("write %s: %w", o.out, err)
	}
	if err := command.WriteFile(o.out, text.Bytes()); err != nil {
		return err
	}
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(struct {
			Out string `json:"out"`
			corpus.Summary
		}{o.out, s})
	}
	fmt.Fprintf(env.Stdout, "%s: topic %q, %s in %s, %s Back, %s marked Useful", o.out, s.Topic,
		texts.Plural(s.Pages, "page"), texts.Plural(s.Visits, "visit"), texts.Plural(s.Backs, "time"), texts.Plural(s.Useful, "page"))
	if s.Named > 0 {
		fmt.Fprintf(env.Stdout, ", %d named", s.Named)
	}
	if s.Games > 0 {
		fmt.Fprintf(env.Stdout, ", from %s", texts.Plural(s.Games, "game"))
	}
	fmt.Fprintln(env.Stdout)
	if s.Dropped > 0 {
		fmt.Fprintf(env.Stderr, "lab: warning: left out because the recording lacks some of their pages: %s\n", texts.Plural(s.Dropped, "game"))
	}
	if s.Note != "" {
		fmt.Fprintf(env.Stderr, "lab: warning: the session has less than you requested: %s\n", s.Note)
	}
	return nil
}

type gamesOptions struct {
	sessionOut
	corpus.GamesOptions
	articles, games, labels []string
}

func (o *gamesOptions) Define(f *flag.FlagSet) {
	f.Var(command.List{Values: &o.articles}, "articles", "`FILE` with the articles: a WARC file, plain or gzip")
	f.Var(command.List{Values: &o.games}, "games", "`FILE` with games")
	f.Var(command.List{Values: &o.labels}, "labels", "`FILE` of lines \"URL tab label\"")
	f.StringVar(&o.Category, "category", "", "`LABEL` of the useful pages, in full")
	f.IntVar(&o.Pages, "pages", 200, "maximum number of distinct pages (`NUMBER`)")
	f.IntVar(&o.Half, "half", 0, "`1|2`: mark only one random half of the category, and play only the games towards it")
	o.sessionOut.Define(f)
}

func (o *gamesOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	if err := needAll(need{"articles", len(o.articles) > 0}, need{"games", len(o.games) > 0}, need{"labels", len(o.labels) > 0},
		need{"category", o.Category != ""}, need{"out", o.out != ""}); err != nil {
		return err
	}
	if o.Half < 0 || o.Half > 2 {
		return command.Usagef("--half is 1 or 2, not %d", o.Half)
	}
	if o.Pages < 1 {
		return command.Usagef("--pages must be at least 1, not %d", o.Pages)
	}
	games, err := corpus.ReadGames(o.games)
	if err != nil {
		return err
	}
	replay, labels, err := openLabelled(env, o.articles, o.labels)
	if err != nil {
		return err
	}
	defer replay.Close()
	o.GamesOptions.Topic, o.GamesOptions.Seed = o.topic, o.seed
	events, summary, err := corpus.Games(ctx, replay, games, labels, o.GamesOptions)
	if err != nil {
		return fmt.Errorf("make a session of games: %w", err)
	}
	return o.save(env, events, summary)
}

type walkOptions struct {
	sessionOut
	corpus.WalkOptions
	archives, labels []string
}

func (o *walkOptions) Define(f *flag.FlagSet) {
	f.Var(command.List{Values: &o.archives}, "corpus", "`FILE` with the recording: a WARC file, plain or gzip")
	f.Var(command.List{Values: &o.labels}, "labels", "`FILE` of lines \"URL tab label\"")
	f.StringVar(&o.Relevant, "relevant", "", "`LABEL` of the useful pages, in full")
	f.Var(command.List{Values: &o.Starts, URLs: true}, "start", "`URL` of a start page")
	f.IntVar(&o.Pages, "pages", 120, "distinct pages to visit (`NUMBER`)")
	f.IntVar(&o.Targets, "targets", 12, "pages to mark (`NUMBER`)")
	f.BoolVar(&o.Restart, "restart", false, "type a start page again after each mark")
	f.BoolVar(&o.Milestones, "milestones", false, "name the pages by their labels, for training by milestones")
	o.sessionOut.Define(f)
}

func (o *walkOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	if err := needAll(need{"corpus", len(o.archives) > 0}, need{"labels", len(o.labels) > 0}, need{"relevant", o.Relevant != ""},
		need{"start", len(o.Starts) > 0}, need{"out", o.out != ""}); err != nil {
		return err
	}
	if o.Targets < 1 || o.Pages < o.Targets {
		return command.Usagef("--targets must be at least 1 and --pages no less, not %d and %d", o.Targets, o.Pages)
	}
	replay, labels, err := openLabelled(env, o.archives, o.labels)
	if err != nil {
		return err
	}
	defer replay.Close()
	o.WalkOptions.Topic, o.WalkOptions.Seed = o.topic, o.seed
	events, summary, err := corpus.Walk(ctx, replay, labels, o.WalkOptions)
	if err != nil {
		return fmt.Errorf("make a walk: %w", err)
	}
	return o.save(env, events, summary)
}

// need is a flag that a command requires.
type need struct {
	flag  string
	given bool
}

// needAll returns a usage error for the first missing flag.
func needAll(needs ...need) error {
	for _, n := range needs {
		if !n.given {
			return command.Usagef("--%s is missing", n.flag)
		}
	}
	return nil
}
