package command

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Command is one verb of a program.
type Command struct {
	Name    string      // after those of the verbs that it is below, such as "worker invite"
	Args    string      // after the name in the usage line
	Summary string      // one line of the list of verbs; "" keeps the verb out of all lists
	Help    string      // what it does, with examples
	Files   bool        // it takes arguments besides flags
	Verb    func() Verb // makes one call of it; nil if it only has verbs below it
	Below   []Command   // verbs below it, which its first argument may name
}

// Verb is what one call of a command asks for: its flags, with their defaults until parsed.
type Verb interface {
	Define(f *flag.FlagSet)
	Run(ctx context.Context, env *Env, files []string) error
}

// completed is a Verb whose options are completed from the environment, and checked, before it runs.
type completed interface {
	Complete(getenv func(string) string) error
}

// Of makes the calls of a command from the zero value of their type.
func Of[T any, P interface {
	*T
	Verb
}]() Verb {
	return P(new(T))
}

// Env is the part of the process that a command may use.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Args           []string // of the command
}

// start parses the arguments of the command, or of the one below it that they name, and runs that one, which it returns.
func (c Command) start(ctx context.Context, env *Env, args []string) (Command, error) {
	for _, one := range c.Below {
		if len(args) > 0 && one.Name == c.Name+" "+args[0] {
			return one.start(ctx, env, args[1:])
		}
	}
	switch {
	case c.Verb == nil && wantsHelp(args):
		return c, flag.ErrHelp
	case c.Verb == nil && len(args) > 0:
		return c, Usagef("%s has no verb %q: it needs one of %s", c.Name, args[0], c.below())
	case c.Verb == nil:
		return c, Usagef("%s needs one of %s", c.Name, c.below())
	}
	v := c.Verb()
	files, err := Parse(c.Name, args, v.Define)
	switch {
	case err != nil:
		return c, err
	case len(files) > 0 && !c.Files:
		return c, Usagef("unexpected argument %q", files[0])
	}
	if v, ok := v.(completed); ok {
		if err := v.Complete(env.Getenv); err != nil {
			return c, err
		}
	}
	env.Args = args
	return c, v.Run(ctx, env, files)
}

// below names the verbs below the command.
func (c Command) below() string {
	var names []string
	for _, one := range c.Below {
		if one.Summary != "" {
			names = append(names, strings.TrimPrefix(one.Name, c.Name+" "))
		}
	}
	return strings.Join(names, ", ")
}

func wantsHelp(args []string) bool {
	return len(args) > 0 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help")
}

// printHelp writes the help of a program's command: usage, what it does, its flags with defaults.
func (c Command) printHelp(w io.Writer, program string) {
	fmt.Fprintf(w, "usage: %s %s %s\n\n%s\n", program, c.Name, c.Args, strings.TrimSpace(c.Help))
	if c.below() != "" {
		fmt.Fprintf(w, "\nverbs, which \"%s %s VERB --help\" describes:\n", program, c.Name)
		printList(w, c.Below, c.Name+" ")
	}
	if c.Verb == nil {
		return
	}
	set := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	c.Verb().Define(set)
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

// printList writes a line for each command that has a summary, without the names above it.
func printList(w io.Writer, all []Command, above string) {
	for _, c := range all {
		if c.Summary != "" {
			fmt.Fprintf(w, "  %-11s %s\n", strings.TrimPrefix(c.Name, above), c.Summary)
		}
	}
}
