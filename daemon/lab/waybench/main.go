// Waybench measures the conditional random field of ways, [CRF] ch. 4-5: how well it labels ways that it has not seen, and how
// good the crawls are that it leads.
//
//	go run ./daemon/lab/waybench --corpora DIR --report
//
// WebKB: two universities are learned from, the third is labelled and crawled, for three kinds of useful pages and all three
// universities. The ways are those of corpus.Walk, with the classes of the pages as milestones. Wikispeedia: the ways are
// those of people's games towards a half of a category, the crawl looks for the other half. Everything that could explain a
// result is measured in the same run: both labellings, both rewards, the field without a memory (a plain logistic regression
// on the features of links), and other strategies that learned from the same sessions.
package main

import (
	"context"
	"flag"
	"io"
	"os"
	"strconv"
	"strings"

	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("waybench", run) }

// options say what to measure.
type options struct {
	Corpora string
	Seeds   []uint64
	Only    []string // tasks, none means all
	Others  []string // strategies to compare with
	Budget  int      // pages of a WebKB crawl; one of Wikispeedia has its suite's
	C2      float64  // of the fields; 0 is chosen on folds
	Gamma   float64  // the same
	Label   bool
	Crawl   bool
	Report  bool
	JSON    bool
}

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	r, err := measureAll(ctx, o, stderr)
	if err != nil {
		return err
	}
	if o.Report {
		if err := r.writeReport(); err != nil {
			return err
		}
	}
	if o.JSON {
		return devtool.WriteJSON(stdout, r)
	}
	return devtool.WriteText(stdout, r.heading(), r.tables())
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{Seeds: []uint64{1, 2, 3}, Others: others()}
	f := flag.NewFlagSet("waybench", flag.ContinueOnError)
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of webkb/ and wikispeedia/ (default $NIGHTJAR_CORPORA)")
	f.Func("seed", "`NUMBERS` that seed the random choices (default 1,2,3)", func(s string) (err error) {
		o.Seeds, err = parseSeeds(s)
		return err
	})
	f.Func("tasks", "`NAMES` of the tasks to measure (default all)", func(s string) error {
		o.Only = strings.Split(s, ",")
		return nil
	})
	f.Func("others", "`NAMES` of strategies to compare with (default all that need no ways)", func(s string) error {
		o.Others = strings.Split(s, ",")
		return nil
	})
	f.IntVar(&o.Budget, "budget", 400, "pages of a crawl of WebKB")
	f.Float64Var(&o.C2, "c2", 0, "`NUMBER` in the penalty of large weights (default chosen on parts held back)")
	f.Float64Var(&o.Gamma, "gamma", 0, "discount of a link, a `NUMBER` below 1 (default chosen on parts held back)")
	f.BoolVar(&o.Label, "label", true, "measure how well ways are labelled")
	f.BoolVar(&o.Crawl, "crawl", true, "measure crawls")
	f.BoolVar(&o.Report, "report", false, "write daemon/lab/reports/WAYS.md")
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	if o.Corpora == "" {
		return nil, devtool.Usagef("--corpora is missing: the folder that holds webkb/ and wikispeedia/")
	}
	if o.Budget < 1 {
		return nil, devtool.Usagef("--budget must be at least 1")
	}
	return o, nil
}

func parseSeeds(s string) ([]uint64, error) {
	var all []uint64
	for part := range strings.SplitSeq(s, ",") {
		seed, err := strconv.ParseUint(strings.TrimSpace(part), 10, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, seed)
	}
	return all, nil
}
