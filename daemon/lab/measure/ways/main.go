// Package ways measures the conditional random field of ways, [CRF] ch. 4-5: how well it labels ways that it has not seen, and
// how good the crawls are that it leads.
package ways

import (
	"context"
	"flag"

	"nightjar/daemon/command"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "ways",
	Args:    "--corpora DIR [FLAGS]",
	Summary: "how well the strategy crf labels ways, and crawls by them",
	Help: `Measures the conditional random field of ways: how well it labels ways that it has not seen, and how good the crawls
are that it leads.

  lab ways --corpora DIR --report

WebKB: two universities are learned from, the third is labelled and crawled, for three kinds of useful pages and all three
universities. The ways are simulated walks, with the classes of the pages as milestones. Wikispeedia: the ways are those of
people's games towards a half of a category, the crawl looks for the other half. Everything that could explain a result is
measured in the same run: both labellings, both rewards, the field without a memory (a plain logistic regression on the
features of links), and other strategies that learned from the same sessions.`,
	Verb: command.Of[options],
}

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
	verb.Output
}

func (o *options) Define(f *flag.FlagSet) {
	o.Others = others()
	verb.CorporaFlag(f, &o.Corpora, "webkb/ and wikispeedia/")
	verb.SeedsFlag(f, &o.Seeds, 1, 2, 3)
	f.Func("tasks", "`NAMES` of the tasks to measure (default all)", verb.Names(&o.Only))
	f.Func("others", "`NAMES` of strategies to compare with (default all that need no ways)", verb.Names(&o.Others))
	f.IntVar(&o.Budget, "budget", 400, "pages of a crawl of WebKB")
	f.Float64Var(&o.C2, "c2", 0, "`NUMBER` in the penalty of large weights (default chosen on parts held back)")
	f.Float64Var(&o.Gamma, "gamma", 0, "discount of a link, a `NUMBER` below 1 (default chosen on parts held back)")
	f.BoolVar(&o.Label, "label", true, "measure how well ways are labelled")
	f.BoolVar(&o.Crawl, "crawl", true, "measure crawls")
	o.Flags(f, "WAYS.md")
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	if err := verb.NeedCorpora(o.Corpora); err != nil {
		return err
	}
	if o.Budget < 1 {
		return command.Usagef("--budget must be at least 1")
	}
	r, err := measureAll(ctx, o, env.Stderr)
	if err != nil {
		return err
	}
	r.Command = verb.Line(env, "ways", o.Corpora)
	if o.Report {
		page := devtool.Markdown("Crawling by the ways a person took", intro, r.Command, remark, r.tables())
		if err := devtool.WritePage("WAYS.md", page); err != nil {
			return err
		}
	}
	return o.Print(env, r, r.heading(), r.tables())
}
