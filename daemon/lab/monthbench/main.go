// Command monthbench lives nights with the program on recorded webs: a session, night after night, and a person who looks at the
// best finds each morning and marks them. It prints the useful pages found by the nights that go on, beside nights that begin at
// the start pages each time, one crawl of the same budget in all, and an oracle that knows the useful pages.
//
//	go run ./daemon/lab/monthbench --corpora DIR --nights 10 --pages 40 --seeds 1,2 --changes --svg month.svg
//
// Store, trainer and scheduler are those of the daemon, in simulated time: each night is a day after the one before. The web is a
// recording. With --changes, pages appear, go, move, are copied and change from night to night; the one crawl is then in the last
// night. See changing.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"nightjar/daemon/lab/devtool"
)

func main() { devtool.Main("monthbench", run) }

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

// about says what is lived.
func (o *options) about() string {
	web := "a web that does not change"
	if o.Changes {
		web = "a web that changes"
	}
	return fmt.Sprintf("%d nights of %d pages on %s", o.Nights, o.Pages, web)
}

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(ways)+1)
	for _, way := range ways {
		names = append(names, way.name)
	}
	names = append(names, "know what is useful")
	lived := make([][]*month, len(names))
	fmt.Fprintf(stdout, "%s\n\n", o.about())
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "task\tseed\tnights that\tuseful\tof\tmet\tshown\tright\trequests\tread again: unchanged\tchanged\tfound twice\tarrived\tnever found\teach night")
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
				fmt.Fprintf(table, "%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", w.Name, seed, name, len(m.useful), w.reach, len(m.met), m.shown, m.right,
					m.requests, m.unchanged, m.changed, m.twice, len(m.arrivals), m.never(), strings.Trim(fmt.Sprint(m.each), "[]"))
				if err := table.Flush(); err != nil {
					return err
				}
			}
		}
	}
	ratios(stdout, names, lived, slices.IndexFunc(ways, func(w way) bool { return w.one }))
	if err := compare(stdout, names, lived); err != nil || o.SVG == "" {
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

func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{}
	f := flag.NewFlagSet("monthbench", flag.ContinueOnError)
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of the recordings (default $NIGHTJAR_CORPORA)")
	f.Func("tasks", "`NAMES` of the tasks of the suite real (default all)", func(s string) error {
		o.Only = strings.Split(s, ",")
		return nil
	})
	f.IntVar(&o.Nights, "nights", 30, "`NUMBER` of nights")
	f.IntVar(&o.Pages, "pages", 50, "`NUMBER` of pages of a night")
	f.IntVar(&o.Size, "session", 100, "`NUMBER` of pages of the session")
	f.IntVar(&o.Looks, "looks", 10, "`NUMBER` of finds that the person marks each morning")
	f.IntVar(&o.Wrong, "wrong", 20, "one in `NUMBER` marks is wrong, 0 for none")
	f.BoolVar(&o.Changes, "changes", false, "let the web change from night to night")
	f.StringVar(&o.SVG, "svg", "", "`FILE` to write a picture to (default none)")
	o.Seeds = []int{1}
	f.Func("seeds", "`NUMBERS` that seed sessions, marks and changes (default 1)", func(s string) error {
		o.Seeds = nil
		for _, one := range strings.Split(s, ",") {
			n, err := strconv.Atoi(one)
			if err != nil {
				return err
			}
			o.Seeds = append(o.Seeds, n)
		}
		return nil
	})
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	switch {
	case o.Corpora == "":
		return nil, devtool.Usagef("--corpora is missing: the folder that holds webkb/, wikispeedia/ and uic/")
	case o.Nights < 1 || o.Pages < 1:
		return nil, devtool.Usagef("--nights and --pages must be at least 1")
	case o.Changes && o.Nights < 3:
		return nil, devtool.Usagef("--changes needs --nights 3 at least: nothing changes in the first and the last night")
	}
	return o, nil
}
