package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"context"
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

// parse reads args by the flags that define declares and returns what is left. A wrong flag is a usage error.
func parse(name string, args []string, define func(*flag.FlagSet)) ([]string, error) {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	define(set)
	var rest []string
	for {
		if err := set.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, &usageError{text: err.Error()}
		}
		if set.NArg() == 0 {
			return rest, nil
		}
		// Flags may stand behind arguments, too.
		rest, args = append(rest, set.Arg(0)), set.Args()[1:]
	}
}

// listFlag is a flag that may be repeated and takes commas.
type listFlag struct {
	values *[]string
	urls   bool // a comma separates only before http:// or https://
}

func (l listFlag) String() string {
	if l.values == nil {
		return ""
	}
	return strings.Join(*l.values, ",")
}

// Set adds the values of one occurrence.
func (l listFlag) Set(text string) error {
	split := strings.Split
	if l.urls {
		split = splitURLs
	}
	for _, one := range split(text, ",") {
		if one = strings.TrimSpace(one); one != "" {
			*l.values = append(*l.values, one)
		}
	}
	return nil
}

// splitURLs splits at commas that stand before a scheme, since a URL may hold commas itself.
func splitURLs(text, comma string) []string {
	var all []string
	for _, part := range strings.Split(text, comma) {
		p := strings.TrimSpace(part)
		if len(all) == 0 || strings.HasPrefix(p, "http://") || strings.HasPrefix(p, "https://") {
			all = append(all, p)
			continue
		}
		all[len(all)-1] += comma + part
	}
	return all
}

// hinted is an error with the next step.
type hinted struct {
	err  error
	hint string
}

func (h *hinted) Error() string { return h.err.Error() }
func (h *hinted) Unwrap() error { return h.err }

// withHint adds the next step to an error.
func withHint(err error, format string, args ...any) error {
	return &hinted{err, fmt.Sprintf(format, args...)}
}

// usageError is a command line that cannot be understood; it ends the program with code 2.
type usageError struct{ text, hint string }

func (u *usageError) Error() string { return u.text }

func usagef(format string, args ...any) *usageError {
	return &usageError{text: fmt.Sprintf(format, args...)}
}

func (u *usageError) withHint(hint string) *usageError {
	u.hint = hint
	return u
}

// report tells the person what went wrong and what to do next.
func report(w io.Writer, err error) {
	fmt.Fprintf(w, "nightjar: error: %v\n", err)
	var h *hinted
	var u *usageError
	switch {
	case errors.As(err, &h):
		fmt.Fprintf(w, "nightjar: hint: %s\n", h.hint)
	case errors.As(err, &u) && u.hint != "":
		fmt.Fprintf(w, "nightjar: hint: %s\n", u.hint)
	}
}
