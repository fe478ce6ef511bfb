// Harvestbench measures crawls around documents, [PANORAMA] §4: how good are the pages that the strategy naive-bayes fetches,
// compared with the paper's order of links and with breadth-first?
//
//	go run ./daemon/lab/harvestbench --corpora DIR --report
//
// Wikispeedia: a document is an article with 16 to 60 links, and the titles of the articles that it links to are its
// references. WebKB: the topic is the courses of three universities, each of which is crawled. A random half of the references
// trains the classifier that leads the crawl; all of them train the one that judges the pages that were fetched. All crawls
// of a document begin at the same pages: the references of the half, and up to ten pages that link to each. Which pages these
// are, and which are negative, changes the level of all harvests, so that only those of one run can be compared.
package main

import (
	"context"
	"flag"
	"io"
	"os"
	"slices"
	"strings"

	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("harvestbench", run) }

// options say what to measure.
type options struct {
	Corpora   string
	Only      []string // groups, none means all
	Documents int      // articles to draw
	Draws     int      // random halves of each university's courses
	Pages     int      // of a crawl
	Inlinks   int      // most pages that link to a reference which are start pages, too
	Seed      uint64
	Report    bool
	JSON      bool
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
	return devtool.WriteText(stdout, r.Command, r.tables())
}

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("harvestbench", flag.ContinueOnError)
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of webkb/ and wikispeedia/ (default $NIGHTJAR_CORPORA)")
	f.Func("only", "`NAMES` of what to measure, wikispeedia and webkb (default both)", func(s string) error {
		o.Only = strings.Split(s, ",")
		return nil
	})
	f.IntVar(&o.Documents, "documents", 24, "`NUMBER` of articles to draw as documents, at least 2")
	f.IntVar(&o.Draws, "draws", 4, "`NUMBER` of random halves of each university's courses")
	f.IntVar(&o.Pages, "pages", 1000, "`NUMBER` of pages of a crawl")
	f.IntVar(&o.Inlinks, "inlinks", 10, "`NUMBER` of pages that link to a reference which are start pages, too, at most")
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that seeds the random choices")
	f.BoolVar(&o.Report, "report", false, "write the tables to daemon/lab/reports/COMMUNITIES.md, and the pictures to daemon/lab/reports/benchmarks")
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	switch {
	case o.Corpora == "":
		return nil, devtool.Usagef("--corpora is missing: the folder that holds webkb/ and wikispeedia/")
	case o.Documents < 2 || o.Draws < 1 || o.Pages < 1 || o.Inlinks < 0:
		return nil, devtool.Usagef("--documents must be at least 2, --draws and --pages at least 1, --inlinks at least 0")
	}
	for _, name := range o.Only {
		if !slices.Contains([]string{wikispeedia, webkb}, name) {
			return nil, devtool.Usagef("nothing is called %q: there are %s and %s", name, wikispeedia, webkb)
		}
	}
	return o, nil
}

// asked reports whether a group is to be measured.
func (o *options) asked(group string) bool { return len(o.Only) == 0 || slices.Contains(o.Only, group) }
