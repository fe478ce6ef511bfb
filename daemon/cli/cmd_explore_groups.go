package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"

	"nightjar/crawler/texts"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/thesus/explore"
	"nightjar/model/dbscan"
)

var groupsCommand = command.Command{
	Name:    "explore groups",
	Args:    "[--topic NAME | --crawl ID | --session ID] [--links | --ontology NAME] [FLAGS]",
	Summary: "group pages by text and links",
	Help:    help("explore-groups"),
	Verb:    command.Of[groupsOptions],
}

var askCommand = command.Command{
	Name:    "explore ask",
	Args:    "WORDS… [--topic NAME | --crawl ID | --session ID] [--ontology NAME] [--json]",
	Summary: "find pages by words that links use for them, or for similar pages",
	Help:    help("explore-ask"),
	Files:   true,
	Verb:    command.Of[askOptions],
}

// groupsScope are the flags that name groups.
type groupsScope struct {
	app.Config
	app.GroupsRequest
	json  bool
	flags *flag.FlagSet
}

func (o *groupsScope) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.StringVar(&o.Topic, "topic", "", "pages visited or crawled for the topic with this `NAME`")
	f.Int64Var(&o.Crawl, "crawl", 0, "pages that a crawl fetched; its number (`ID`) is in the address of its page on the dashboard")
	f.StringVar(&o.Session, "session", "", "pages visited in a session; its `ID` is in the address of its page on the dashboard")
	f.StringVar(&o.Ontology, "ontology", "", "`NAME` of the ontology")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.flags = f
}

// check refuses flags that contradict each other.
func (o *groupsScope) check() (set map[string]bool, err error) {
	set = given(o.flags)
	scopes := among(set, "topic", "crawl", "session")
	switch {
	case len(scopes) > 1:
		return nil, command.Usagef("--%s and --%s do not go together", scopes[0], scopes[1])
	case set["topic"] && o.Topic == "", set["session"] && o.Session == "":
		return nil, command.Usagef("--%s is empty", scopes[0])
	case set["crawl"] && o.Crawl < 1:
		return nil, command.Usagef("--crawl needs a number such as 12")
	case set["ontology"] && o.Ontology == "":
		return nil, command.Usagef("--ontology is empty: leave it out for groups without one")
	}
	return set, nil
}

type groupsOptions struct {
	groupsScope
	level float64
	links bool // by words of links
}

func (o *groupsOptions) Define(f *flag.FlagSet) {
	o.groupsScope.Define(f)
	f.BoolVar(&o.links, "links", false, "group by words of links alone: by their meanings if WordNet is installed")
	f.IntVar(&o.Options.MinDocs, "min-docs", explore.DefaultMinDocs, "minimum `NUMBER` of similar pages for a page to be the core of a group")
	f.IntVar(&o.Options.Words, "words", explore.DefaultWords, "words (`NUMBER`) that describe a page")
	f.Float64Var(&o.Options.MinSimilarity, "min-s", explore.DefaultMinSimilarity, "minimum `SIMILARITY` of a word and its term")
	f.BoolVar(&o.Options.BySite, "by-site", false, "count the linking sites that use a word, not the linking pages")
	f.BoolVar(&o.Options.Cobweb, "cobweb", false, "find groups by COBWEB")
	f.Uint64Var(&o.Options.Seed, "seed", 0, "random seed (`NUMBER`)")
	f.Float64Var(&o.level, "level", 0, "print the groups of this `LEVEL`: a depth, 1, 2, ...; with --links or --ontology the minimum similarity of pages, .95, .90, ... .50, unless --cobweb is given "+
		"(default: the level that groups best)")
}

func (o *groupsOptions) Run(ctx context.Context, env *command.Env, _ []string) error {
	set, err := o.check()
	if err != nil {
		return err
	}
	o.Options.Text = !o.links && o.Ontology == ""
	depths := o.Options.Cobweb || o.Options.Text
	byLinks := among(set, "cobweb", "min-docs", "min-s")
	switch {
	case o.links && o.Ontology != "":
		return command.Usagef("--links and --ontology do not go together")
	case o.Options.Text && len(byLinks) > 0:
		return command.Usagef("--%s needs --links or --ontology", byLinks[0])
	case o.Options.MinDocs < 1 || o.Options.MinDocs > explore.MaxMinDocs:
		return command.Usagef("--min-docs is 1 to %d, not %d", explore.MaxMinDocs, o.Options.MinDocs)
	case o.Options.Words < 1 || o.Options.Words > explore.MaxWords:
		return command.Usagef("--words is 1 to %d, not %d", explore.MaxWords, o.Options.Words)
	case !(o.Options.MinSimilarity > 0 && o.Options.MinSimilarity <= 1):
		return command.Usagef("--min-s is above 0 and at most 1, not %v", o.Options.MinSimilarity)
	case set["level"] && depths && (o.level < 1 || o.level > explore.MaxDepth || o.level != math.Trunc(o.level)):
		return command.Usagef("--level is a depth: 1, 2, ... %d, not %v", explore.MaxDepth, o.level)
	case set["level"] && !depths && levelOf(dbscan.MinSims(), o.level) < 0:
		return command.Usagef("--level is one of .95, .90, ... .50, not %v", o.level)
	}
	watch := &groupsWatch{steps: steps{out: env.Stderr}}
	v, err := app.MakeGroups(ctx, o.Config, command.NewLogger(env.Stderr, slog.LevelError), o.GroupsRequest, watch.hooks())
	watch.end()
	switch {
	case errors.Is(err, context.Canceled):
		return watch.stopped()
	case err != nil:
		return err
	}
	return o.tell(env, v, set["level"])
}

// levelOf is the place of a similarity, or a depth, in a list, -1 if it is not in it.
func levelOf(all []float64, level float64) int {
	return slices.IndexFunc(all, func(s float64) bool { return math.Abs(s-level) < 1e-9 })
}

// tell prints the groups.
func (o *groupsOptions) tell(env *command.Env, v *explore.View, chosen bool) error {
	if o.json {
		return printJSON(env, v)
	}
	for _, w := range v.Warnings {
		fmt.Fprintf(env.Stderr, "nightjar: warning: %s\n", printable(w))
	}
	levels := make([]float64, len(v.Levels))
	for i, l := range v.Levels {
		levels[i] = l.MinSim
		if l.Depth > 0 {
			levels[i] = float64(l.Depth)
		}
	}
	at := v.Default
	if chosen {
		switch at = levelOf(levels, o.level); {
		case at < 0 && (o.Options.Cobweb || o.Options.Text):
			return command.WithHint(fmt.Errorf("there are no groups at depth %v", o.level), "choose a lower --level, or leave it out")
		case at < 0:
			return command.WithHint(fmt.Errorf("there are no groups at similarity %v", o.level), "choose a higher --level, or leave it out")
		}
	}
	return tellGroups(env, v, at, o.Options.Text)
}

// exampleShown is how many pages of a group are printed.
const exampleShown = 3

// tellGroups prints the groups of a level. byText says that pages with a stored text were grouped, too.
func tellGroups(env *command.Env, v *explore.View, at int, byText bool) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s", printable(v.Title), texts.Plural(len(v.Pages), "page"))
	switch {
	case v.Few > 0 && byText:
		fmt.Fprintf(&text, "; %d more without a stored text and with fewer than two pages that link to them are left out", v.Few)
	case v.Few > 0:
		fmt.Fprintf(&text, "; %d more with fewer than two pages that link to them are left out", v.Few)
	}
	text.WriteByte('\n')
	if len(v.Levels) == 0 {
		text.WriteString("0 groups\n")
	} else {
		l := v.Levels[at]
		fmt.Fprintf(&text, "%s of %s", texts.Plural(len(l.Clusters), "group"), texts.Plural(l.Grouped, "page"))
		switch {
		case l.Depth > 0:
			fmt.Fprintf(&text, " at depth %d", l.Depth)
		case l.MinSim > 0:
			fmt.Fprintf(&text, " from similarity %.2f", l.MinSim)
		}
		text.WriteByte('\n')
		for i, c := range l.Clusters {
			fmt.Fprintf(&text, "%3d. %s: %s\n", i+1, printable(c.Label), texts.Plural(len(c.Pages), "page"))
			for _, p := range c.Pages[:min(len(c.Pages), exampleShown)] {
				tellPage(&text, v.Pages[p])
			}
		}
	}
	_, err := fmt.Fprint(env.Stdout, text.String())
	return err
}

func tellPage(text *strings.Builder, p explore.Page) {
	if title := printable(p.Title); title != "" && p.Title != p.URL {
		fmt.Fprintf(text, "     %s\n", title)
	}
	fmt.Fprintf(text, "     %s\n", printable(p.URL))
}

func printJSON(env *command.Env, v any) error {
	out := json.NewEncoder(env.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(v)
}

// groupsWatch tells the person how groups are made.
type groupsWatch struct {
	began bool
	here  bool // this process makes them, not a daemon
	steps
	last explore.Progress
}

func (w *groupsWatch) hooks() app.GroupsWatch {
	return app.GroupsWatch{
		Read:  func(pages int) { w.count("reading links of stored pages", pages) },
		Began: func(here bool) { w.began, w.here = true, here },
		Progress: func(p explore.Progress) {
			if w.show == nil || p.Step != w.last.Step || p.Of != w.last.Of {
				w.begin(strings.ToLower(p.Step), p.Of)
			}
			if p != w.last && p.Of > 0 {
				w.show.Set(p.Done)
			}
			w.last = p
		},
	}
}

// stopped says what happens after Ctrl-C.
func (w *groupsWatch) stopped() error {
	switch {
	case !w.began:
		return errors.New("stopped before the groups were begun")
	case w.here:
		return command.WithHint(errors.New("stopped; the groups are not made"), "the next daemon makes them, or this command when you run it again")
	}
	return command.WithHint(errors.New("stopped waiting; the running daemon continues the groups"), "its page Explore shows them and can stop it")
}

type askOptions struct{ groupsScope }

func (o *askOptions) Run(ctx context.Context, env *command.Env, words []string) error {
	set, err := o.check()
	if err != nil {
		return err
	}
	text := strings.TrimSpace(strings.Join(words, " "))
	if text == "" {
		return command.Usagef("name the words to find pages by")
	}
	o.Newest = !(set["topic"] || set["crawl"] || set["session"] || set["ontology"])
	a, err := app.AskGroups(ctx, o.Config, command.NewLogger(env.Stderr, slog.LevelError), o.GroupsRequest, text)
	if err != nil {
		return err
	}
	if o.json {
		return printJSON(env, a)
	}
	return tellAnswer(env, a)
}

// tellAnswer prints what was found.
func tellAnswer(env *command.Env, a *app.GroupsAnswer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "In groups of: %s\n", printable(a.Title))
	for _, w := range a.Words {
		switch {
		case w.Term != "":
			fmt.Fprintf(&text, "%s: the term %s, similarity %.2f\n", printable(w.Word), printable(a.Names[w.Term]), w.Similarity)
		case w.Sense != "":
			fmt.Fprintf(&text, "%s: %s (%s)\n", printable(w.Word), printable(a.Names[w.Sense]), printable(w.Sense))
		}
	}
	for _, g := range a.Groups {
		fmt.Fprintf(&text, "%s\n", printable(g.Label))
		for _, p := range g.Pages {
			fmt.Fprintf(&text, "  %.2f  %s\n", p.Similarity, printable(p.Title))
			if p.Title != p.URL {
				fmt.Fprintf(&text, "        %s\n", printable(p.URL))
			}
		}
		if g.More > 0 {
			fmt.Fprintf(&text, "        and %d more\n", g.More)
		}
	}
	if len(a.Unmapped) > 0 {
		fmt.Fprintf(&text, "In texts, for %s:\n", printable(strings.Join(a.Unmapped, " ")))
		for _, h := range a.Found {
			fmt.Fprintf(&text, "  %s\n  %s\n", printable(h.Title), printable(h.URL))
		}
		if len(a.Found) == 0 {
			text.WriteString("  nothing\n")
		}
	}
	if len(a.Groups)+len(a.Found) == 0 {
		text.WriteString("Nothing was found.\n")
	}
	_, err := fmt.Fprint(env.Stdout, text.String())
	return err
}
