package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// Program is a program with verbs.
type Program struct {
	Name     string   // before a verb in help, and before errors
	Overview string   // what the program is for, above the list of verbs
	After    string   // what help says below the list
	Default  *Command // what a command line without a verb runs; nil prints the overview
	Verbs    []Command
}

// Main runs the verb that args name until it ends or the process is interrupted, and returns the exit code: 0 for
// success, 1 for failure, 2 for wrong usage.
func (p *Program) Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return p.Run(ctx, &Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv}, args)
}

// Run is Main in another environment, until ctx ends.
func (p *Program) Run(ctx context.Context, env *Env, args []string) int {
	all, name := p.Verbs, ""
	switch {
	case len(args) > 0 && (args[0] == "help" || wantsHelp(args)):
		p.help(env.Stdout, args[1:])
		return 0
	case len(args) > 0 && (args[0] == "--version" || args[0] == "-version"):
		name, args = "version", args[1:]
	case len(args) > 0 && !strings.HasPrefix(args[0], "-"):
		name, args = args[0], args[1:]
	case p.Default == nil:
		p.help(env.Stdout, nil)
		return 2
	default:
		all, name = []Command{*p.Default}, p.Default.Name
	}
	for _, c := range all {
		if c.Name == name {
			ran, err := c.start(ctx, env, args)
			return p.finish(env, ran, err)
		}
	}
	p.report(env.Stderr, &usageError{fmt.Sprintf("unknown command %q", name), p.Name + " --help lists the commands"})
	return 2
}

// finish tells the person how a command ended and returns its exit code.
func (p *Program) finish(env *Env, c Command, err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, flag.ErrHelp) {
		c.printHelp(env.Stdout, p.Name)
		return 0
	}
	use, wrong := errors.AsType[*usageError](err)
	if wrong && use.hint == "" {
		use.hint = p.Name + " " + c.Name + " --help"
	}
	p.report(env.Stderr, err)
	if wrong {
		return 2
	}
	return 1
}

// report tells the person what went wrong and what to do next.
func (p *Program) report(w io.Writer, err error) {
	fmt.Fprintf(w, "%s: error: %v\n", p.Name, err)
	if hint := Hint(err); hint != "" {
		fmt.Fprintf(w, "%s: hint: %s\n", p.Name, hint)
	}
}

func (p *Program) help(w io.Writer, args []string) {
	for _, c := range p.Verbs {
		if len(args) > 0 && c.Name == args[0] {
			c.printHelp(w, p.Name)
			return
		}
	}
	fmt.Fprintf(w, "%s\n\nusage: %s [COMMAND] [FLAGS]\n\n", p.Overview, p.Name)
	printList(w, p.Verbs, "")
	fmt.Fprintf(w, "\n%s\n", p.After)
}
