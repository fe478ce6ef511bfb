package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("crfsuite", run) }

const usage = `usage: crfsuite train FILE [--c2 NUMBER] [--max-iterations NUMBER] [--model FILE] [--json]
       crfsuite tag FILE --model FILE [--marginals] [--quiet] [--json]
`

// run is the program: VERB FILE [flags].
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if len(args) > 0 && (args[0] == "--help" || args[0] == "-h" || args[0] == "help") {
		fmt.Fprint(stderr, usage)
		return flag.ErrHelp
	}
	verbs := map[string]func(context.Context, []sequence, []string, io.Writer, io.Writer) error{"train": train, "tag": tag}
	verb, ok := verbs[first(args)]
	if !ok || len(args) < 2 || strings.HasPrefix(args[1], "--") {
		fmt.Fprint(stderr, usage)
		return devtool.Usagef("a verb (train or tag) and a file are needed")
	}
	set, err := readFile(args[1], stdin)
	if err != nil {
		return err
	}
	return verb(ctx, set, args[2:], stdout, stderr)
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// readFile reads sequences; there is at least one.
func readFile(name string, stdin io.Reader) ([]sequence, error) {
	from := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // was only read
		from = f
	}
	set, err := read(from)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(set) == 0 {
		return nil, fmt.Errorf("%s: no items; each line is a label and features, separated by tabs", name)
	}
	return set, nil
}
