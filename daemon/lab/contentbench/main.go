// Contentbench measures how well Nightjar (crawler/page), go-trafilatura and the two libraries that it falls back to extract
// main content, all from the same pages in the same run.
//
//	NIGHTJAR_CORPORA=DIR go run ./daemon/lab/contentbench --out docs
//
// The pages are those of crawler/page/testdata/content, whose content was written down by hand, and, if NIGHTJAR_CORPORA is
// set, recorded pages labelled by the element that holds their content (labels.go). main builds and starts the program in
// the folder trafilatura, a separate module.
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

func main() { devtool.Main("contentbench", run) }

// options say what to measure.
type options struct {
	Corpora string // folder of recorded pages, "" for none
	Rounds  int
	Seed    uint64
	Out     string // folder for CONTENT.md, "" for none
	command string // that runs it again
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := new(options)
	f := flag.NewFlagSet("contentbench", flag.ContinueOnError)
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of recorded pages (default $NIGHTJAR_CORPORA); if empty, only the golden pages are measured")
	f.IntVar(&o.Rounds, "rounds", 3, "`NUMBER` of times that each page is read; the fastest counts")
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that seeds the draw of recorded pages")
	f.StringVar(&o.Out, "out", "", "write CONTENT.md to `DIR`")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	if o.Rounds < 1 {
		return nil, devtool.Usagef("--rounds must be at least 1")
	}
	o.command = "task bench:content -- " + strings.Join(args, " ")
	if o.Corpora != "" {
		o.command = "NIGHTJAR_CORPORA=DIR " + o.command
	}
	return o, nil
}

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
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
	measured, err := measure(ctx, o, samples)
	if err != nil {
		return err
	}
	var tables []devtool.Table
	for _, t := range measured {
		tables = append(tables, t.printed())
	}
	if o.Out != "" {
		if err := os.WriteFile(filepath.Join(o.Out, "CONTENT.md"), devtool.Markdown("How well content is extracted", intro, o.command, "", tables), 0o644); err != nil {
			return err
		}
	}
	return devtool.WriteText(stdout, "How well content is extracted", tables)
}
