// Package groups measures what Explore gets from links, [THESUS] §6: do pages that links describe alike belong to the same
// category, and do the words of a set of pages name its subject?
//
// What a figure depends on was chosen before the first run: the categories by their size, the senses of the ontologies from
// the names of the categories (subjects), and the rule by which a word is on topic (judge).
package groups

import (
	"context"
	"flag"
	"slices"

	"nightjar/daemon/command"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "groups",
	Args:    "--corpora DIR [FLAGS]",
	Summary: "how well pages are grouped and described by the words of links",
	Help: `Measures what Explore gets from links: do pages that links describe alike belong to the same category, and do the words
of a set of pages name its subject?

  lab groups --corpora DIR --wordnet DIR --report

The pages are the articles of the corpus Wikispeedia, the words of a page come from the links of all of its articles. Four
hundred articles of twelve categories are clustered by their concepts, by their keywords, by equal keywords and by their
text, and twenty categories are described by the operators weightedTargetKeywords and weightedGroupKeywords. What the paper
[THESUS] found is printed beside.`,
	Verb: command.Of[options],
}

// The parts of a measurement.
const (
	clustersPart  = "clusters"
	operatorsPart = "operators"
	timesPart     = "times"
)

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
	verb.Output
}

func (o *options) Define(f *flag.FlagSet) {
	o.Subjects, o.Root = subjects, "entity.n.01"
	verb.CorporaFlag(f, &o.Corpora, "wikispeedia/")
	f.StringVar(&o.WordNet, "wordnet", "", "`DIR` of WordNet's files (default $NIGHTJAR_WORDNET, $WNSEARCHDIR, or where Debian installs it)")
	f.Func("only", "`NAMES` of what to measure: clusters, operators, times (default all)", verb.Names(&o.Only, clustersPart, operatorsPart, timesPart))
	f.IntVar(&o.Pages, "pages", 400, "`NUMBER` of pages to cluster")
	f.IntVar(&o.Depth, "depth", 4, "`NUMBER` of levels of hyponyms in the ontology of the categories")
	f.IntVar(&o.GeneralDepth, "general-depth", 5, "`NUMBER` of levels of hyponyms in the ontology of everything")
	f.IntVar(&o.Orders, "orders", 10, "`NUMBER` of orders of the pages for COBWEB")
	f.IntVar(&o.Sets, "sets", 20, "`NUMBER` of categories to describe")
	f.IntVar(&o.All, "all", 4000, "`NUMBER` of pages of which all pairs are compared")
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that seeds the random choices")
	o.Flags(f, "EXPLORE.md")
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	switch {
	case o.Pages < 2 || o.All < 2:
		return command.Usagef("--pages and --all must be at least 2")
	case o.Depth < 1 || o.GeneralDepth < 1 || o.Orders < 1 || o.Sets < 1:
		return command.Usagef("--depth, --general-depth, --orders and --sets must be at least 1")
	case o.Report && len(o.Only) > 0:
		return command.Usagef("--report needs all parts; leave out --only")
	}
	if err := verb.NeedCorpora(o.Corpora); err != nil {
		return err
	}
	r, err := measureAll(ctx, o, env.Stderr)
	if err != nil {
		return err
	}
	r.Command = verb.Line(env, "groups", o.Corpora, o.WordNet)
	if o.Report {
		if err := devtool.WritePart("EXPLORE.md", "groups", r.markdown()); err != nil {
			return err
		}
	}
	return o.Print(env, r, r.Command, r.tables())
}

// asked reports whether a part is to be measured.
func (o *options) asked(part string) bool { return len(o.Only) == 0 || slices.Contains(o.Only, part) }
