// Explorebench measures what Explore gets from links, [THESUS] §6: do pages that links describe alike belong to the same
// category, and do the words of a set of pages name its subject?
//
//	go run ./daemon/lab/explorebench --corpora DIR --wordnet DIR --report
//
// The pages are the articles of the corpus Wikispeedia, the words of a page come from the links of all of its articles. Four
// hundred articles of twelve categories are clustered by their concepts, by their keywords, by equal keywords and by their
// text (§6.3, tables 1 to 3), and twenty categories are described by the operators weightedTargetKeywords and
// weightedGroupKeywords (§6.2.2, figures 5 and 6). What the paper found is printed beside.
//
// What a figure depends on was chosen before the first run: the categories by their size, the senses of the ontologies from
// the names of the categories (subjects), and the rule by which a word is on topic (judge).
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("explorebench", run) }

// The parts of a measurement.
const (
	clustersPart  = "clusters"
	operatorsPart = "operators"
	timesPart     = "times"
)

var parts = []string{clustersPart, operatorsPart, timesPart}

// options say what to measure.
type options struct {
	Corpora, WordNet string
	Only             []string // parts, none means all
	Subjects         []subject
	Root             string // sense at the root of both ontologies; nearly no word is near enough to be mapped to it
	Pages            int    // to cluster, at most
	Depth            int    // of the trees of hyponyms in the ontology
	GeneralDepth     int    // of the ontology that does not know the categories
	Orders           int    // of the pages for COBWEB
	Sets             int    // categories to describe
	All              int    // pages of which all pairs are compared
	Seed             uint64
	Report, JSON     bool
}

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	return o.run(ctx, stdout, stderr)
}

func (o *options) run(ctx context.Context, stdout, stderr io.Writer) error {
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
	o := &options{Subjects: subjects, Root: "entity.n.01"}
	f := flag.NewFlagSet("explorebench", flag.ContinueOnError)
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of wikispeedia/ (default $NIGHTJAR_CORPORA)")
	f.StringVar(&o.WordNet, "wordnet", "", "`DIR` of WordNet's files (default $NIGHTJAR_WORDNET, $WNSEARCHDIR, or where Debian installs it)")
	f.Func("only", "`NAMES` of what to measure: clusters, operators, times (default all)", func(s string) error {
		o.Only = strings.Split(s, ",")
		return nil
	})
	f.IntVar(&o.Pages, "pages", 400, "`NUMBER` of pages to cluster")
	f.IntVar(&o.Depth, "depth", 4, "`NUMBER` of levels of hyponyms in the ontology of the categories")
	f.IntVar(&o.GeneralDepth, "general-depth", 5, "`NUMBER` of levels of hyponyms in the ontology of everything")
	f.IntVar(&o.Orders, "orders", 10, "`NUMBER` of orders of the pages for COBWEB")
	f.IntVar(&o.Sets, "sets", 20, "`NUMBER` of categories to describe")
	f.IntVar(&o.All, "all", 4000, "`NUMBER` of pages of which all pairs are compared")
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that seeds the random choices")
	f.BoolVar(&o.Report, "report", false, "write the tables to daemon/lab/reports/EXPLORE.md")
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	return o, o.check()
}

func (o *options) check() error {
	switch {
	case o.Corpora == "":
		return devtool.Usagef("--corpora is missing: the folder that holds wikispeedia/")
	case o.Pages < 2 || o.All < 2:
		return devtool.Usagef("--pages and --all must be at least 2")
	case o.Depth < 1 || o.GeneralDepth < 1 || o.Orders < 1 || o.Sets < 1:
		return devtool.Usagef("--depth, --general-depth, --orders and --sets must be at least 1")
	case o.Report && len(o.Only) > 0:
		return devtool.Usagef("--report needs all parts; leave out --only")
	}
	for _, name := range o.Only {
		if !slices.Contains(parts, name) {
			return devtool.Usagef("nothing is called %q: there are %s", name, strings.Join(parts, ", "))
		}
	}
	return nil
}

// asked reports whether a part is to be measured.
func (o *options) asked(part string) bool { return len(o.Only) == 0 || slices.Contains(o.Only, part) }

// command is what measures this again.
func (o *options) command() string {
	c := "go run ./daemon/lab/explorebench --corpora DIR --wordnet DIR"
	if len(o.Only) > 0 {
		c += " --only " + strings.Join(o.Only, ",")
	}
	return fmt.Sprintf("%s --pages %d --depth %d --general-depth %d --orders %d --sets %d --all %d --seed %d",
		c, o.Pages, o.Depth, o.GeneralDepth, o.Orders, o.Sets, o.All, o.Seed)
}
