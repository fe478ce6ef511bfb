// Package month lives nights with the program on recorded webs: a session, night after night, and a person who looks at the best
// finds each morning and marks them.
//
// Store, trainer and scheduler are those of the daemon, in simulated time: each night is a day after the one before. The web is a
// recording, which may change from night to night (see changing).
package month

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"nightjar/daemon/command"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "month",
	Args:    "--corpora DIR [FLAGS]",
	Summary: "what nights that go on bring, beside nights that begin anew",
	Help: `Lives nights with the program on recorded webs: a session, night after night, and a person who looks at the best finds each
morning and marks them. It prints the useful pages found by the nights that go on, beside nights that begin at the start
pages each time, one crawl of the same budget in all, and an oracle that knows the useful pages.

  lab month --corpora DIR --nights 10 --pages 40 --seed 1,2 --changes --svg month.svg

The web is a recording. With --changes, pages appear, go, move, are copied and change from night to night; the one crawl is
then in the last night.`,
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
	Changes bool
	SVG     string // file for a picture, "" for none
}

func (o *options) Define(f *flag.FlagSet) {
	verb.CorporaFlag(f, &o.Corpora, "the recordings")
	f.Func("tasks", "`NAMES` of the tasks of the suite real (default all)", verb.Names(&o.Only))
	f.IntVar(&o.Nights, "nights", 30, "`NUMBER` of nights")
	f.IntVar(&o.Pages, "pages", 50, "`NUMBER` of pages of a night")
	f.IntVar(&o.Size, "session", 100, "`NUMBER` of pages of the session")
	f.IntVar(&o.Looks, "looks", 10, "`NUMBER` of finds that the person marks each morning")
	f.IntVar(&o.Wrong, "wrong", 20, "one in `NUMBER` marks is wrong, 0 for none")
	f.BoolVar(&o.Changes, "changes", false, "let the web change from night to night")
	f.StringVar(&o.SVG, "svg", "", "`FILE` to write a picture to (default none)")
	verb.SeedsFlag(f, &o.Seeds, 1)
}

// about says what is lived.
func (o *options) about() string {
	web := "a web that does not change"
	if o.Changes {
		web = "a web that changes"
	}
	return fmt.Sprintf("%d nights of %d pages on %s", o.Nights, o.Pages, web)
}

func (o *options) check() error {
	switch {
	case o.Nights < 1 || o.Pages < 1:
		return command.Usagef("--nights and --pages must be at least 1")
	case o.Changes && o.Nights < 3:
		return command.Usagef("--changes needs --nights 3 at least: nothing changes in the first and the last night")
	}
	return verb.NeedCorpora(o.Corpora)
}

func (o *options) Run(ctx context.Context, env *command.Env, _ []string) error {
	if err := o.check(); err != nil {
		return err
	}
	names := make([]string, 0, len(ways)+1)
	for _, way := range ways {
		names = append(names, way.name)
	}
	names = append(names, "know what is useful")
	lived := make([][]*month, len(names))
	each := devtool.Table{Title: "Each month"}
	each.Add("task", "seed", "nights that", "useful", "of", "met", "shown", "right", "requests", "read again: unchanged", "changed", "found twice", "arrived", "never found", "each night")
	for _, seed := range o.Seeds {
		webs, err := open(ctx, o, seed)
		if err != nil {
			return err
		}
		for _, w := range webs {
			for i, name := range names {
				m, err := w.spend(ctx, o, i, seed)
				if err != nil {
					return fmt.Errorf("%s, nights that %s: %w", w.Name, name, err)
				}
				lived[i] = append(lived[i], m)
				each.Add(w.Name, seed, name, len(m.useful), w.reach, len(m.met), m.shown, m.right, m.requests, m.unchanged, m.changed, m.twice,
					len(m.arrivals), m.never(), strings.Trim(fmt.Sprint(m.each), "[]"))
				fmt.Fprintf(env.Stderr, "month: %s, seed %d, nights that %s: %d useful of %d\n", w.Name, seed, name, len(m.useful), w.reach)
			}
		}
	}
	one := slices.IndexFunc(ways, func(w way) bool { return w.one })
	tables := []devtool.Table{each, ratios(names, lived, one), compare(names, lived), waits(names, lived)}
	if err := devtool.WriteText(env.Stdout, o.about(), tables); err != nil || o.SVG == "" {
		return err
	}
	var picture bytes.Buffer
	if err := draw(&picture, o, names, lived); err != nil {
		return err
	}
	return os.WriteFile(o.SVG, picture.Bytes(), 0o644)
}

// spend spends the nights the i-th way; after all ways is the oracle's.
func (w *web) spend(ctx context.Context, o *options, i, seed int) (*month, error) {
	if i == len(ways) {
		return w.oracle(o), nil
	}
	return w.live(ctx, o, ways[i], seed)
}
