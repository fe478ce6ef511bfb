package cli

import (
	"context"
	"errors"
	"flag"
	"strings"

	"nightjar/daemon/app"
)

var exploreCommand = command{
	name:    "explore",
	args:    "VERB [ARGUMENTS] [--data DIR]",
	summary: "ask what links say about the pages you visited and crawled",
	help: `Pages are described by the words that other pages use when they link to them.

It reads the database of the data folder, whether a daemon runs or not.`,
	files: true,
	verb:  of[exploreOptions],
	raw:   startExplore,
	below: exploreVerbs,
}

// exploreVerbs are the verbs below explore. Their names begin with "explore ". One with a verb of its own below it reads
// the name from its arguments.
func exploreVerbs() []command {
	return []command{ontologyCommand}
}

// startExplore runs the verb that the first argument names, and otherwise takes the arguments for an expression.
func startExplore(ctx context.Context, env *environment, args []string) error {
	if len(args) > 0 {
		for _, c := range exploreVerbs() {
			if c.name == "explore "+args[0] {
				return startBelow(ctx, env, c, args[1:])
			}
		}
	}
	o := &exploreOptions{}
	files, err := parse("explore", args, o.define)
	if err != nil {
		return err
	}
	env.args = args
	return o.run(ctx, env, files)
}

// startBelow runs a verb below another one. Its help and its hints are its own.
func startBelow(ctx context.Context, env *environment, c command, args []string) error {
	err := c.start(ctx, env, args)
	if errors.Is(err, flag.ErrHelp) {
		c.printHelp(env.stdout)
		return nil
	}
	if use, ok := errors.AsType[*usageError](err); ok && use.hint == "" {
		use.hint = "nightjar " + c.name + " --help"
	}
	return err
}

type exploreOptions struct{ app.Config }

func (o *exploreOptions) define(f *flag.FlagSet) { dataFlag(f, &o.Config) }

func (o *exploreOptions) run(_ context.Context, _ *environment, args []string) error {
	if len(args) == 0 {
		return usagef("nothing was asked")
	}
	return usagef("unknown verb %q; there are: %s", args[0], strings.Join(exploreVerbNames(), ", "))
}

// exploreVerbNames are the names of the verbs below explore that people use.
func exploreVerbNames() (names []string) {
	for _, c := range exploreVerbs() {
		if c.summary != "" {
			names = append(names, strings.TrimPrefix(c.name, "explore "))
		}
	}
	return names
}
