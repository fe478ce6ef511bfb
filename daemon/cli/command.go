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
	flags   func(*flag.FlagSet)
	run     func(ctx context.Context, env *environment, args []string) error
}

// environment is what a command may touch of the process.
type environment struct {
	stdout, stderr io.Writer
	getenv         func(string) string
}

// printHelp writes the command's help: usage, what it does, its flags with defaults.
func (c command) printHelp(w io.Writer) {
	fmt.Fprintf(w, "usage: nightjar %s %s\n\n%s\n", c.name, c.args, strings.TrimSpace(c.help))
	if c.flags == nil {
		return
	}
	set := flag.NewFlagSet(c.name, flag.ContinueOnError)
	c.flags(set)
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
func newLogger(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelInfo
	if verbose {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}
