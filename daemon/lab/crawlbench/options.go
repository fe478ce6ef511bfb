package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"nightjar/daemon/lab/devtool"
)

// options say what is measured.
type options struct {
	Corpora  string // folder of real pages, "" for made-up ones
	Hosts    int
	Pages    int
	Rounds   int
	Workers  int
	Cores    int
	Seed     uint64
	Only     []string      // contenders
	Queued   int           // links in the frontier, 0 leaves it out
	Polite   time.Duration // 0 leaves the polite crawl out
	Delay    time.Duration // of the polite crawl
	Profiles string        // folder for profiles of the pipeline, "" for none
	JSON     bool
	Report   bool
	command  string // as it was called
}

// parseOptions reads the command line.
func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{Only: contenders}
	f := flag.NewFlagSet("crawlbench", flag.ContinueOnError)
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of real pages (default $NIGHTJAR_CORPORA); without it pages are made up")
	f.IntVar(&o.Hosts, "hosts", 200, "`NUMBER` of hosts")
	f.IntVar(&o.Pages, "pages", 2000, "`NUMBER` of pages")
	f.IntVar(&o.Rounds, "rounds", 3, "`NUMBER` of runs of each contender; medians count")
	f.IntVar(&o.Workers, "workers", 16, "`NUMBER` of fetches at the same time")
	f.IntVar(&o.Cores, "cores", runtime.NumCPU(), "`NUMBER` of processors that a contender may use")
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that everything random is drawn from")
	f.IntVar(&o.Queued, "queued", 1_000_000, "`NUMBER` of links in the frontier; 0 leaves that out")
	f.DurationVar(&o.Polite, "polite", time.Minute, "`TIME` that the polite crawl is measured; 0 leaves it out")
	f.DurationVar(&o.Delay, "delay", time.Second, "`TIME` between two requests to a host in the polite crawl")
	f.StringVar(&o.Profiles, "profiles", "", "`DIR` for profiles of the pipeline's processor time and memory")
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	f.BoolVar(&o.Report, "report", false, "write docs/CRAWL.md")
	f.Func("only", "`NAME,...` of contenders: "+strings.Join(contenders, ", "), func(s string) error {
		o.Only = strings.Split(s, ",")
		for _, name := range o.Only {
			if name != "" && !slices.Contains(contenders, name) {
				return fmt.Errorf("known are %s", strings.Join(contenders, ", "))
			}
		}
		o.Only = slices.DeleteFunc(o.Only, func(name string) bool { return name == "" })
		return nil
	})
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	switch {
	case f.NArg() > 0:
		return nil, fmt.Errorf("%w: unexpected argument %q", devtool.ErrUsage, f.Arg(0))
	case o.Hosts < 1 || o.Pages < o.Hosts || o.Rounds < 1 || o.Workers < 1 || o.Cores < 1:
		return nil, fmt.Errorf("%w: --hosts, --rounds, --workers and --cores are at least 1, --pages as many as hosts", devtool.ErrUsage)
	case o.Queued < 0 || o.Polite < 0 || o.Polite > 0 && o.Delay < 100*time.Millisecond:
		return nil, fmt.Errorf("%w: --queued and --polite are not negative, --delay is at least 100ms", devtool.ErrUsage)
	}
	o.command = strings.Join(append([]string{"task bench:crawl --"}, args...), " ")
	return o, nil
}
