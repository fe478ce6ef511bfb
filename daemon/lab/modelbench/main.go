package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("modelbench", run) }

// verbs are the parts of the benchmark that run in processes of their own.
var verbs = devtool.Verbs{"prepare": devtool.NewVerb(prepare), "measure": devtool.NewVerb(measureSize), "score": devtool.NewVerb(scoreSize)}

// run is the program: the whole benchmark, or one verb.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if verb, ok := verbs.Find(args); ok {
		return verb(ctx, args[1], stdin, stdout)
	}
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "modelbench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	b := &benchmark{options: o, dir: dir, log: stderr, children: devtool.Child{Cores: o.Cores, Log: stderr}}
	result, err := b.run(ctx)
	if err != nil {
		return err
	}
	if o.JSON {
		return devtool.WriteJSON(stdout, result)
	}
	return result.print(stdout)
}

// options say what to measure.
type options struct {
	Sizes      []int
	Seed       uint64
	Corpora    string // folder of recorded pages, "" for made-up ones
	Background int    // background pages of each training
	Scored     int    // pages to score
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
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that seeds the random choices")
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of recorded pages (default $NIGHTJAR_CORPORA); if empty, pages are made up")
	f.IntVar(&o.Background, "background", 200, "`NUMBER` of background pages of each training")
	f.IntVar(&o.Scored, "scored", 300, "`NUMBER` of fetched pages to score")
	f.IntVar(&o.Cores, "cores", min(2, runtime.NumCPU()), "`NUMBER` of processors that Nightjar and scikit-learn may use")
	f.IntVar(&o.Repeat, "repeat", 1, "`NUMBER` of runs; the fastest run of each stage counts")
	f.BoolVar(&o.Report, "report", false, "also measure the report on the quality of the model")
	f.BoolVar(&o.Sklearn, "sklearn", true, "also run the same steps with scikit-learn")
	f.StringVar(&o.Python, "python", "", "Python `PROGRAM` with scikit-learn (default /usr/bin/python3, then python3)")
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	if o.Background < 0 || o.Scored < 1 || o.Cores < 1 || o.Repeat < 1 {
		return nil, devtool.Usagef("--scored, --cores and --repeat must be at least 1, and --background must not be negative")
	}
	return o, nil
}

// minSize is the smallest session: it must hold a useful page and three others.
const minSize = 20

func parseSizes(s string) ([]int, error) {
	var sizes []int
	for part := range strings.SplitSeq(s, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < minSize {
			return nil, fmt.Errorf("%q is not a number of at least %d pages", part, minSize)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}
