package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"nightjar/daemon/lab/devtool"
)

func main() {
	devtool.Main(func(ctx context.Context) int {
		return run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	})
}

// run is the program: 0 good, 1 failed, 2 wrong usage. The inner verbs are what the program starts itself with.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var err error
	switch {
	case len(args) > 0 && args[0] == verbPrepare:
		err = prepareVerb(ctx, args[1:], stdout)
	case len(args) > 0 && args[0] == verbMeasure:
		err = measureVerb(ctx, args[1:], stdout)
	case len(args) > 0 && args[0] == verbScore:
		err = scoreVerb(args[1:], stdout)
	default:
		err = bench(ctx, args, stdout, stderr)
	}
	return devtool.Code("modelbench", err, stderr)
}

// options say what is measured.
type options struct {
	Sizes      []int
	Seed       uint64
	Corpora    string // folder of real pages, "" for made-up ones
	Background int    // pages of other origin that a training gets
	Scored     int    // pages that are scored
	Cores      int
	Repeat     int // runs, of which the fastest counts
	Report     bool
	Sklearn    bool
	JSON       bool
	Python     string
}

// parseOptions reads the command line.
func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{Sizes: []int{50, 200, 700, 5000}}
	f := flag.NewFlagSet("modelbench", flag.ContinueOnError)
	f.Func("sizes", "pages of the sessions, `N,N` (default 50,200,700,5000)", func(s string) (err error) {
		o.Sizes, err = parseSizes(s)
		return err
	})
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that everything random is drawn from")
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of real pages (default $NIGHTJAR_CORPORA); without it pages are made up")
	f.IntVar(&o.Background, "background", 200, "pages of other origin that a training gets (`NUMBER`)")
	f.IntVar(&o.Scored, "scored", 300, "fetched pages that are scored (`NUMBER`)")
	f.IntVar(&o.Cores, "cores", min(2, runtime.NumCPU()), "`NUMBER` of processors that may be used, by scikit-learn too")
	f.IntVar(&o.Repeat, "repeat", 1, "`NUMBER` of runs, of which the fastest counts, for every stage by itself")
	f.BoolVar(&o.Report, "report", false, "measure the report on how sure the model is, too")
	f.BoolVar(&o.Sklearn, "sklearn", true, "run the same steps by scikit-learn")
	f.StringVar(&o.Python, "python", "", "Python `PROGRAM` with scikit-learn (default /usr/bin/python3, then python3)")
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("%w: unexpected argument %q", devtool.ErrUsage, f.Arg(0))
	case o.Background < 0 || o.Scored < 1 || o.Cores < 1 || o.Repeat < 1:
		return nil, fmt.Errorf("%w: --scored, --cores and --repeat are at least 1, --background at least 0", devtool.ErrUsage)
	}
	return o, nil
}

// minSize is the least session: it must hold a useful page and three others.
const minSize = 20

func parseSizes(s string) ([]int, error) {
	var sizes []int
	for part := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < minSize {
			return nil, fmt.Errorf("%q is no number of pages, at least %d", part, minSize)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// bench is the whole benchmark: prepare, measure each size, compare, print.
func bench(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "modelbench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	b := &benchmark{options: o, dir: dir, log: stderr}
	result, err := b.run(ctx)
	if err != nil {
		return err
	}
	if o.JSON {
		out := json.NewEncoder(stdout)
		out.SetIndent("", "  ")
		return out.Encode(result)
	}
	return result.print(stdout)
}
