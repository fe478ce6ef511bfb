// Package month lives nights with the program on recorded webs. Store, trainer and scheduler are those of the daemon, in simulated
// time: each night is a day after the one before.
package month

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/bench/report"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "month",
	Args:    "--corpora DIR [FLAGS]",
	Summary: "what nights that go on bring, beside nights that begin anew",
	Help: `Lives nights with the program on recorded webs: a session, night after night, and a person who looks at the best finds each
morning and marks them. In half of the months the person sends a second session. The web changes: a third of the pages appear on a
drawn night, so lists change, and some pages go or are copied. It prints what the nights bring that go on, and what was foreseen of
it, beside nights that begin at the start pages each time, one crawl of the same budget in all, of which the person looks at as many
finds after as many pages, and an oracle that knows the useful pages.

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
	Seeds   []int // of sessions, marks and changes
	Still   bool  // the web does not change
	verb.Output

	unguarded bool // for a made-up web, which is as regular as a trap
}

func (o *options) Define(f *flag.FlagSet) {
	verb.CorporaFlag(f, &o.Corpora, "the recordings")
	f.Func("tasks", "`NAMES` of the tasks of the suite real (default all)", verb.Names(&o.Only))
	f.IntVar(&o.Nights, "nights", 30, "`NUMBER` of nights")
	f.IntVar(&o.Pages, "pages", 50, "`NUMBER` of pages of a night")
	f.IntVar(&o.Size, "session", 100, "`NUMBER` of pages of the session")
	f.IntVar(&o.Looks, "looks", 10, "`NUMBER` of finds that the person marks each morning")
	f.IntVar(&o.Wrong, "wrong", 20, "one in `NUMBER` marks is wrong, 0 for none")
	f.BoolVar(&o.Still, "still", false, "let the web be as it is recorded")
	verb.SeedsFlag(f, &o.Seeds, 1)
	o.Flags(f, pageName)
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	if o.Nights < 4 || o.Pages < 1 {
		return command.Usagef("at least --nights 4, as nothing changes in the first one and the last two, and --pages 1")
	}
	if err := verb.NeedCorpora(o.Corpora); err != nil {
		return err
	}
	lived, err := o.live(ctx, env)
	if err != nil {
		return err
	}
	each := devtool.Table{Title: "Each month"}
	each.Add("task", "seed", "nights that", "shown", "useful", "of", "met", "looked at", "right", "requests", "again: unchanged", "by a redirect", "changed", "twice", "each night")
	for i := range lived[0] {
		for k, way := range ways {
			m := lived[k][i]
			each.Add(m.web.Name, m.web.seed, way.name, len(m.listed), len(m.useful), m.web.reach, len(m.met), m.shown, m.right, m.requests, m.unchanged, m.led, m.changed, m.twice,
				strings.Trim(fmt.Sprint(m.each), "[]"))
		}
	}
	heading := fmt.Sprintf("%d nights of %d pages", o.Nights, o.Pages)
	tables := []devtool.Table{compare(lived), arrivals(lived), each}
	if o.Report {
		if err := o.write(env, heading, lived, tables); err != nil {
			return err
		}
	}
	return devtool.WriteText(env.Stdout, heading, append(tables, foretold(lived[0])))
}

// live lives the months of each way, as many at once as there are processors to use.
func (o *options) live(ctx context.Context, env *command.Env) ([][]*month, error) {
	var all []*web
	for _, seed := range o.Seeds {
		webs, err := open(ctx, o, seed)
		if err != nil {
			return nil, err
		}
		all = append(all, webs...)
	}
	lived := make([][]*month, len(ways))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for k := range lived {
		lived[k] = make([]*month, len(all))
	}
	for i, w := range all {
		for k, way := range ways {
			group.Go(func() (err error) {
				if lived[k][i], err = w.live(ctx, o, way); err != nil {
					return fmt.Errorf("%s, nights that %s: %w", w.Name, way.name, err)
				}
				fmt.Fprintf(env.Stderr, "month: %s, seed %d, nights that %s: %d useful of %d\n", w.Name, w.seed, way.name, len(lived[k][i].useful), w.reach)
				return nil
			})
		}
	}
	return lived, group.Wait()
}

// pageName is the report, and picture its picture.
const (
	pageName = "MONTH.md"
	picture  = "month.svg"
)

// write writes the report.
func (o *options) write(env *command.Env, heading string, lived [][]*month, tables []devtool.Table) error {
	var svg bytes.Buffer
	var curves []report.Curve
	for i, way := range ways {
		c := report.Curve{Name: way.name, At: [][2]float64{{}}}
		for night := 1; night <= o.Nights; night++ {
			c.At = append(c.At, [2]float64{float64(night), mean(lived[i], night)})
		}
		curves = append(curves, c)
	}
	about := fmt.Sprintf("%s · mean of %d months · by nights that …", heading, len(lived[0]))
	if err := report.Curves(&svg, "Useful pages shown", about, "nights", curves); err != nil {
		return err
	}
	text := devtool.Markdown("Nights on webs that change", intro, verb.Line(env, "month", o.Corpora), "\n![Useful pages shown]("+picture+")\n", tables)
	return errors.Join(devtool.WritePage(picture, svg.Bytes()), devtool.WritePage(pageName, text))
}

// mean is the mean number of useful pages that months showed by the end of a night.
func mean(months []*month, night int) (n float64) {
	for _, m := range months {
		for _, fresh := range m.each[:min(night, len(m.each))] {
			n += float64(fresh) / float64(len(months))
		}
	}
	return n
}

const intro = `Nights on recorded webs with the daemon's own store, trainer and scheduler, in simulated time. A session comes first, on another web or another
part of the same one. Each morning a simulated person looks at the best finds and marks them, one in 20 wrongly. In half of the
months the person sends a second session.

The web changes. A third of the pages appear on a drawn night: before it, they answer 404 and nothing links to them. 3 % of the pages go, and links to
them stay. 3 % get a second address, and pages that link to the first one then link to both. A tenth show another date every day,
which does not count as a change. Nothing changes in the last two nights.

Shown means: on the list of finds of a morning. One crawl of the same budget, and the oracle, which knows the web and the useful
pages, run on the web of the last night. The person looks at finds of the one crawl, too, and marks them, each time that it has read as many
pages as a night. It learns from them at once, as every crawl that is running, but no model is trained. Ratios are those of the sums, with 95 % intervals over months. A night counts from the one in which a page
appears, so 1 is the next morning.`
