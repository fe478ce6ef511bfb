// Package cli holds the verbs of the command line.
//
// Start with Main, which runs the verb that the arguments name. The files of a verb are named cmd_VERB.go and
// cmd_VERB_PART.go; every verb declares its flags and its help beside the function that runs it.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

// Main runs the verb that args name until it ends or the process is interrupted, and returns the exit code: 0 for
// success, 1 for failure, 2 for wrong usage.
func Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, &environment{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv}, args)
}

// commands returns the verbs in the order in which help lists them; those without a summary are not for people.
func commands() []command {
	return []command{
		serveCommand,
		openCommand,
		serviceCommand,
		workerCommand,
		doctorCommand,
		demoCommand,
		importCommand,
		exportCommand,
		backupCommand,
		restoreCommand,
		communitiesCommand,
		exploreCommand,
		trainCommand,
		crawlCommand,
		benchCommand,
		corpusCommand,
		mcpCommand,
		versionCommand,
		benchJobCommand,
	}
}

// run executes the command that args name and returns the exit code.
func run(ctx context.Context, env *environment, args []string) int {
	name := "serve"
	switch {
	case len(args) > 0 && (args[0] == "help" || args[0] == "-h" || args[0] == "--help" || args[0] == "-help"):
		return help(env, args[1:])
	case len(args) > 0 && !strings.HasPrefix(args[0], "-"):
		name, args = args[0], args[1:]
	}
	for _, c := range commands() {
		if c.name == name {
			return finish(env, c, c.start(ctx, env, args))
		}
	}
	report(env.stderr, &usageError{fmt.Sprintf("unknown command %q", name), "nightjar --help lists the commands"})
	return 2
}

// finish tells the person how a command ended and returns its exit code.
func finish(env *environment, c command, err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, flag.ErrHelp) {
		c.printHelp(env.stdout)
		return 0
	}
	report(env.stderr, err)
	if use, ok := errors.AsType[*usageError](err); ok {
		if use.hint == "" {
			fmt.Fprintf(env.stderr, "nightjar: hint: nightjar %s --help\n", c.name)
		}
		return 2
	}
	return 1
}

func help(env *environment, args []string) int {
	if len(args) > 0 {
		for _, c := range commands() {
			if c.name == args[0] {
				c.printHelp(env.stdout)
				return 0
			}
		}
	}
	printOverview(env.stdout)
	return 0
}

func printOverview(w io.Writer) {
	fmt.Fprint(w, `nightjar learns from the way you browse and crawls at night to find more of what you find useful.

usage: nightjar [COMMAND] [FLAGS]

`)
	for _, c := range commands() {
		if c.summary != "" {
			fmt.Fprintf(w, "  %-11s %s\n", c.name, c.summary)
		}
	}
	fmt.Fprint(w, `
Without a command, nightjar runs the daemon. "nightjar COMMAND --help" describes a command.

All data is in one folder: --data DIR, or $NIGHTJAR_DATA, or $XDG_DATA_HOME/nightjar.
Exit codes: 0 success, 1 failure, 2 wrong usage.
`)
}

// plural is a number with a noun that has a regular plural.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
