// Package harvest measures crawls around documents, [PANORAMA] §4: how good are the pages that the strategy naive-bayes fetches,
// compared with the paper's order of links and with breadth-first?
package harvest

import (
	"context"
	"flag"
	"slices"

	"nightjar/daemon/command"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "harvest",
	Args:    "--corpora DIR [FLAGS]",
	Summary: "how good the pages are that a crawl around a document fetches",
	Help: `Measures crawls around documents: how good are the pages that the strategy naive-bayes fetches, compared with the order
of links of the paper [PANORAMA] and with breadth-first?

  lab harvest --corpora DIR --report

Wikispeedia: a document is an article with 16 to 60 links, and the titles of the articles that it links to are its
references. WebKB: the topic is the courses of three universities, each of which is crawled. A random half of the references
trains the classifier that leads the crawl; all of them train the one that judges the pages that were fetched. All crawls
of a document begin at the same pages: the references of the half, and up to ten pages that link to each. Which pages these
are, and which are negative, changes the level of all harvests, so that only those of one run can be compared.`,
	Verb: command.Of[options],
}

// options say what to measure.
type options struct {
	Corpora   string
	Only      []string // groups, none means all
	Documents int      // articles to draw
	Draws     int      // random halves of each university's courses
	Pages     int      // of a crawl
	Inlinks   int      // most pages that link to a reference which are start pages, too
	Seed      uint64
	verb.Output
}

func (o *options) Define(f *flag.FlagSet) {
	verb.CorporaFlag(f, &o.Corpora, "webkb/ and wikispeedia/")
	f.Func("only", "`NAMES` of what to measure, wikispeedia and webkb (default both)", verb.Names(&o.Only, wikispeedia, webkb))
	f.IntVar(&o.Documents, "documents", 24, "`NUMBER` of articles to draw as documents, at least 2")
	f.IntVar(&o.Draws, "draws", 4, "`NUMBER` of random halves of each university's courses")
	f.IntVar(&o.Pages, "pages", 1000, "`NUMBER` of pages of a crawl")
	f.IntVar(&o.Inlinks, "inlinks", 10, "`NUMBER` of pages that link to a reference which are start pages, too, at most")
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that seeds the random choices")
	o.Flags(f, "COMMUNITIES.md, and pictures beside it")
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	if o.Documents < 2 || o.Draws < 1 || o.Pages < 1 || o.Inlinks < 0 {
		return command.Usagef("--documents must be at least 2, --draws and --pages at least 1, --inlinks at least 0")
	}
	if err := verb.NeedCorpora(o.Corpora); err != nil {
		return err
	}
	r, err := measureAll(ctx, o, env.Stderr)
	if err != nil {
		return err
	}
	r.Command = verb.Line(env, "harvest", o.Corpora)
	if o.Report {
		if err := r.writeReport(); err != nil {
			return err
		}
	}
	return o.Print(env, r, r.Command, r.tables())
}

// asked reports whether a group is to be measured.
func (o *options) asked(group string) bool { return len(o.Only) == 0 || slices.Contains(o.Only, group) }
