// Command monthbench lives nights with the program on recorded webs: a session, night after night, and a person who looks at the
// best finds each morning and marks them. It prints the useful pages found by the nights that go on, beside nights that begin at
// the start pages each time, and one crawl of the same budget in all.
//
//	go run ./daemon/lab/monthbench --corpora DIR --nights 10 --pages 40 --seeds 1,2
//
// Store, trainer and scheduler are those of the daemon; the web is a recording.
package main

import (
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
	"nightjar/model/measure"
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
	Seeds   []int // of sessions and marks
}

func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) error {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return err
	}
	lived := make([][]*month, len(ways))
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "task\tseed\tnights that\tuseful\tof\tmet\tshown\tright\tread\tread again\teach night\n")
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
				fmt.Fprintf(table, "%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\n", w.Name, seed, way.name, len(m.useful), w.reach, m.met, m.shown, m.right,
					len(m.read), m.again, strings.Trim(fmt.Sprint(m.each), "[]"))
				if err := table.Flush(); err != nil {
					return err
				}
			}
		}
	}
	compare(stdout, lived)
	return nil
}

// compare prints what each way found in sum, as a ratio to what one night of the same budget found, and by how many pages a month
// is better, with a 95 % interval over webs and seeds.
func compare(to io.Writer, lived [][]*month) {
	one := found(lived[slices.IndexFunc(ways, func(w way) bool { return w.one })])
	fmt.Fprintln(to, "\nuseful pages found, as a ratio to one night of the same budget, and how many more a month")
	for i, way := range ways {
		all := found(lived[i])
		more := measure.Difference(all, one, nil)
		fmt.Fprintf(to, "  nights that %s: %.0f, %.2f, %+.1f (%+.1f to %+.1f)\n", way.name, sum(all), sum(all)/max(1, sum(one)), more.Value, more.Low, more.High)
	}
}

func sum(all []float64) (s float64) {
	for _, x := range all {
		s += x
	}
	return s
}

// found lists how many useful pages each month found.
func found(months []*month) []float64 {
	all := make([]float64, len(months))
	for i, m := range months {
		all[i] = float64(len(m.useful))
	}
	return all
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
	o.Seeds = []int{1}
	f.Func("seeds", "`NUMBERS` that seed sessions and marks (default 1)", func(s string) error {
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
	}
	return o, nil
}
