// Package month lives nights with the program on recorded webs. Store, trainer and scheduler are those of the daemon, in simulated
// time: each night is a day after the one before.
package month

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "month",
	Args:    "--corpora DIR [FLAGS]",
	Summary: "what nights that go on bring, beside nights that begin anew",
	Help: `Lives nights with the program on recorded webs: a session, night after night, and a person who looks at the best finds each
morning and marks them. It prints the useful pages found by the nights that go on, and what was foreseen of them, beside nights
that begin at the start pages each time, one crawl of the same budget in all, and an oracle that knows the useful pages.

  lab month --corpora DIR --nights 10 --pages 40 --seed 1,2`,
	Verb: command.Of[options],
}

// options say what to live.
type options struct {
	Corpora string
	Only    []string // names of tasks
	Nights  int
	Pages   int   // of a night
	Size    int   // pages of the session
	Looks   int   // finds that the person looks at each morning, and marks
	Wrong   int   // one in so many marks is wrong, 0 for none
	Seeds   []int // of sessions and marks
}

func (o *options) Define(f *flag.FlagSet) {
	verb.CorporaFlag(f, &o.Corpora, "the recordings")
	f.Func("tasks", "`NAMES` of the tasks of the suite real (default all)", verb.Names(&o.Only))
	f.IntVar(&o.Nights, "nights", 30, "`NUMBER` of nights")
	f.IntVar(&o.Pages, "pages", 50, "`NUMBER` of pages of a night")
	f.IntVar(&o.Size, "session", 100, "`NUMBER` of pages of the session")
	f.IntVar(&o.Looks, "looks", 10, "`NUMBER` of finds that the person marks each morning")
	f.IntVar(&o.Wrong, "wrong", 20, "one in `NUMBER` marks is wrong, 0 for none")
	verb.SeedsFlag(f, &o.Seeds, 1)
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	if o.Nights < 1 || o.Pages < 1 {
		return command.Usagef("--nights and --pages must be at least 1")
	}
	if err := verb.NeedCorpora(o.Corpora); err != nil {
		return err
	}
	lived := make([][]*month, len(ways))
	each := devtool.Table{Title: "Each month"}
	each.Add("task", "seed", "nights that", "useful", "of", "met", "shown", "right", "requests", "read again", "found twice", "each night")
	for _, seed := range o.Seeds {
		webs, err := open(ctx, o, seed)
		if err != nil {
			return err
		}
		for _, w := range webs {
			for i, way := range ways {
				m, err := w.live(ctx, o, way, seed)
				if err != nil {
					return fmt.Errorf("%s, nights that %s: %w", w.Name, way.name, err)
				}
				lived[i] = append(lived[i], m)
				each.Add(w.Name, seed, way.name, len(m.useful), w.reach, len(m.met), m.shown, m.right, m.requests, m.again, m.twice,
					strings.Trim(fmt.Sprint(m.each), "[]"))
				fmt.Fprintf(env.Stderr, "month: %s, seed %d, nights that %s: %d useful of %d\n", w.Name, seed, way.name, len(m.useful), w.reach)
			}
		}
	}
	return devtool.WriteText(env.Stdout, fmt.Sprintf("%d nights of %d pages", o.Nights, o.Pages), []devtool.Table{each, foretold(lived[0]), compare(lived)})
}
