// Contentbench measures how well main content is extracted from pages: Nightjar's own way (crawler/page), go-trafilatura
// and the two libraries that it falls back to, all on the same pages in the same run.
//
//	NIGHTJAR_CORPORA=DIR go run ./daemon/lab/contentbench --out docs
//
// The pages are those of crawler/page/testdata/content, whose content was written down by hand, and, where
// NIGHTJAR_CORPORA is set, recorded ones labelled by the element that holds their content (see labels.go). main builds
// and starts the program in the folder trafilatura, a module of its own, so that Nightjar does not depend on it.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"nightjar/daemon/lab/devtool"
)

func main() {
	devtool.Main(func(ctx context.Context) int {
		return devtool.Code("contentbench", bench(ctx, os.Args[1:], os.Stdout, os.Stderr), os.Stderr)
	})
}

// options say what is measured.
type options struct {
	Corpora string // folder of recorded pages, "" for none
	Rounds  int
	Seed    uint64
	Out     string // folder for CONTENT.md, "" for none
	command string // as it was called
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := new(options)
	f := flag.NewFlagSet("contentbench", flag.ContinueOnError)
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of recorded pages (default $NIGHTJAR_CORPORA); without it only the golden pages count")
	f.IntVar(&o.Rounds, "rounds", 3, "`NUMBER` of times that each page is read; the quickest counts")
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that recorded pages are drawn by")
	f.StringVar(&o.Out, "out", "", "`DIR` to write CONTENT.md to")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	if f.NArg() > 0 || o.Rounds < 1 {
		return nil, fmt.Errorf("%w: no arguments, and --rounds is at least 1", devtool.ErrUsage)
	}
	o.command = "task bench:content -- " + strings.Join(args, " ")
	if o.Corpora != "" {
		o.command = "NIGHTJAR_CORPORA=DIR " + o.command
	}
	return o, nil
}

// bench is the whole program.
func bench(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	samples, err := readSamples(o)
	if err != nil {
		return err
	}
	if o.Corpora == "" {
		fmt.Fprintln(stderr, "contentbench: NIGHTJAR_CORPORA is not set, so only the golden pages are measured")
	}
	tables, err := measure(ctx, o, samples)
	if err != nil {
		return err
	}
	if o.Out != "" {
		if err := os.WriteFile(filepath.Join(o.Out, "CONTENT.md"), markdown(tables, o), 0o644); err != nil {
			return err
		}
	}
	_, err = io.WriteString(stdout, plain(tables))
	return err
}
