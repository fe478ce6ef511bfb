package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// command is one verb of the command line.
type command struct {
	name    string
	args    string // after the name in the usage line
	summary string // one line of the overview
	help    string // what it does, with examples
	files   bool   // it takes arguments besides flags
	verb    func() verb
	raw     func(ctx context.Context, env *environment, args []string) error // instead of verb: reads args itself
	below   func() []command                                                 // verbs below it, which raw starts
}

// verb is what one call of a command asks for: its flags, with their defaults until parsed.
type verb interface {
	define(f *flag.FlagSet)
	run(ctx context.Context, env *environment, files []string) error
}

func of[T any, P interface {
	*T
	verb
}]() verb {
	return P(new(T))
}

// start parses the arguments of a command and runs it.
func (c command) start(ctx context.Context, env *environment, args []string) error {
	if c.raw != nil {
		return c.raw(ctx, env, args)
	}
	v := c.verb()
	files, err := parse(c.name, args, v.define)
	switch {
	case err != nil:
		return err
	case len(files) > 0 && !c.files:
		return usagef("unexpected argument %q", files[0])
	}
	env.args = args
	return v.run(ctx, env, files)
}

// environment is the part of the process that a command may use.
type environment struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	args           []string // of the command
}

// printHelp writes the command's help: usage, what it does, its flags with defaults.
func (c command) printHelp(w io.Writer) {
	fmt.Fprintf(w, "usage: nightjar %s %s\n\n%s\n", c.name, c.args, strings.TrimSpace(c.help))
	if c.below != nil {
		fmt.Fprintf(w, "\nverbs, which \"nightjar %s VERB --help\" describes:\n", c.name)
		for _, one := range c.below() {
			fmt.Fprintf(w, "  %-11s %s\n", strings.TrimPrefix(one.name, c.name+" "), one.summary)
		}
	}
	if c.verb == nil {
		return
	}
	set := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.verb().define(set)
	fmt.Fprint(w, "\nflags:\n")
	set.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		usage = strings.Replace(usage, " ("+value+")", "", 1) // there only to name the value
		fmt.Fprintf(w, "  %s\n        %s", strings.TrimSpace("--"+f.Name+" "+value), strings.ReplaceAll(usage, "\n", "\n        "))
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" && f.DefValue != "[]" {
			fmt.Fprintf(w, " (default %s)", f.DefValue)
		}
		fmt.Fprintln(w)
	})
}

// newLogger logs to w. URLs, titles and page text are private: they are logged at debug level only.
func newLogger(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}
