// Package verb holds what the verbs of the lab share: flags, output, jobs in processes of their own, and calls for tests.
package verb

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"nightjar/daemon/base/command"
)

// CorporaFlag declares --corpora, the folder of the recordings. holds names what a verb needs of it.
func CorporaFlag(f *flag.FlagSet, dir *string, holds string) {
	f.StringVar(dir, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of "+holds+"; $NIGHTJAR_CORPORA if it is set")
}

// NeedCorpora is the error of a command line without --corpora.
func NeedCorpora(dir string) error {
	if dir == "" {
		return command.Usagef("--corpora is missing: the folder of the recordings")
	}
	return nil
}

// SeedsFlag declares --seed, a list of seeds for the random choices.
func SeedsFlag[T int | uint64](f *flag.FlagSet, into *[]T, seeds ...T) {
	*into = seeds
	f.Func("seed", "`NUMBERS` that seed the random choices (default "+Joined(seeds)+")", Numbers(into, 0))
}

// Numbers parses a list of numbers, each at least least, in place of those in *into.
func Numbers[T int | uint64](into *[]T, least T) func(string) error {
	return func(s string) error {
		*into = nil
		for part := range strings.SplitSeq(s, ",") {
			n, err := strconv.ParseUint(strings.TrimSpace(part), 10, 64)
			if err != nil || T(n) < least {
				return fmt.Errorf("%q is not a number of at least %d", part, least)
			}
			*into = append(*into, T(n))
		}
		return nil
	}
}

// Joined writes a list as a flag takes it.
func Joined[T int | uint64](all []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(all), "[]"), " ", ",")
}

// Names parses a list of names in place of those in *into. Without known names, all are taken.
func Names(into *[]string, known ...string) func(string) error {
	return func(s string) error {
		*into = strings.FieldsFunc(s, func(r rune) bool { return r == ',' })
		for _, name := range *into {
			if known != nil && !slices.Contains(known, name) {
				return fmt.Errorf("%q is none of %s", name, strings.Join(known, ", "))
			}
		}
		return nil
	}
}

// Line is the command line of a verb, as a report shows it. Folders of this machine are called DIR.
func Line(env *command.Env, verb, corpora string, folders ...string) string {
	line := "go run ./daemon/lab " + verb
	if corpora != "" && !slices.ContainsFunc(env.Args, func(a string) bool { return strings.HasPrefix(strings.TrimLeft(a, "-"), "corpora") }) {
		line += " --corpora DIR"
	}
	folders = append(folders, corpora)
	for _, arg := range env.Args {
		for _, folder := range folders {
			if folder != "" {
				arg = strings.ReplaceAll(arg, folder, "DIR")
			}
		}
		line += " " + arg
	}
	return line
}

// lab is the program with one verb.
func lab(c command.Command) *command.Program {
	return &command.Program{Name: "lab", Verbs: []command.Command{c}}
}

// Tests runs the tests of a verb's package and returns the exit code. In a process that a test started for a job, it runs the
// job.
func Tests(m interface{ Run() int }, c command.Command) int {
	if len(os.Args) > 1 && os.Args[1] == c.Name {
		return lab(c).Main(os.Args[1:])
	}
	return m.Run()
}

// Call runs a verb for a test, and returns its exit code and what it printed. stdin may be nil.
func Call(ctx context.Context, c command.Command, stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	var out, log bytes.Buffer
	env := &command.Env{Stdin: stdin, Stdout: &out, Stderr: &log, Getenv: os.Getenv}
	code = lab(c).Run(ctx, env, append(strings.Fields(c.Name), args...))
	return code, out.String(), log.String()
}

// HelpFaults says for a test what is wrong with a program's help: the overview lists each command for people, whose own help says how
// it is used.
func HelpFaults(ctx context.Context, p *command.Program) (faults []string) {
	run := func(args ...string) (int, string) {
		var out bytes.Buffer
		code := p.Run(ctx, &command.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Getenv: os.Getenv}, args)
		return code, out.String()
	}
	_, overview := run("--help")
	for _, c := range p.Verbs {
		if c.Summary == "" { // a part of the program runs it
			if strings.Contains(overview, c.Name) {
				faults = append(faults, "the overview tells people of "+c.Name)
			}
			continue
		}
		if code, out := run(c.Name, "--help"); code != 0 || !strings.HasPrefix(out, "usage: "+p.Name+" "+c.Name+" ") || len(out) < 100 {
			faults = append(faults, fmt.Sprintf("%s --help: code %d, output %q", c.Name, code, out))
		}
		if !strings.Contains(overview, c.Summary) {
			faults = append(faults, "the overview lacks "+c.Name)
		}
	}
	return faults
}
