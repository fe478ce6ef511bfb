package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"nightjar/daemon/lab/devtool"
)

// options say what to measure.
type options struct {
	Corpora string // folder of recorded pages, "" for made-up ones
	Hosts   int
	Pages   int
	Rounds  int
	Workers int
	Cores   int
	Seed    uint64
	Only    []string      // contenders to run
	Queued  int           // links in the frontier, 0 to skip it
	Polite  time.Duration // length of the polite crawl, 0 to skip it
	Delay   time.Duration // between two requests to a host in the polite crawl
	Crew    []int         // numbers of workers to measure; empty skips it
	Profile string        // file for the processor profile of the pipeline's last run, "" for none
	Parts   bool          // say where the time of that run went
	JSON    bool
	Report  bool
	command string // as it was called
}

// parseOptions reads the command line.
func parseOptions(args []string, stderr io.Writer) (*options, error) {
	o := &options{Only: contenders}
	f := flag.NewFlagSet("crawlbench", flag.ContinueOnError)
	f.StringVar(&o.Corpora, "corpora", os.Getenv("NIGHTJAR_CORPORA"), "`DIR` of recorded pages (default $NIGHTJAR_CORPORA); if empty, pages are made up")
	f.IntVar(&o.Hosts, "hosts", 200, "`NUMBER` of hosts")
	f.IntVar(&o.Pages, "pages", 2000, "`NUMBER` of pages")
	f.IntVar(&o.Rounds, "rounds", 3, "`NUMBER` of runs of each contender; the median counts")
	f.IntVar(&o.Workers, "workers", 16, "`NUMBER` of concurrent fetches")
	f.IntVar(&o.Cores, "cores", runtime.NumCPU(), "`NUMBER` of processors that a contender may use")
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that seeds the random choices")
	f.IntVar(&o.Queued, "queued", 1_000_000, "`NUMBER` of links in the frontier; 0 skips this measurement")
	f.DurationVar(&o.Polite, "polite", time.Minute, "`TIME` that the polite crawl runs; 0 skips it")
	f.DurationVar(&o.Delay, "delay", time.Second, "`TIME` between two requests to a host in the polite crawl")
	f.StringVar(&o.Profile, "profile", "", "`FILE` to write the processor profile of nightjar's last run to")
	f.BoolVar(&o.Parts, "parts", false, "say where the processor time of nightjar's last run went")
	f.Func("crew", "`NUMBERS` of workers in processes of their own to crawl with, such as 0,1,2,4; 0 is none (default: not measured)", func(s string) error {
		for text := range strings.SplitSeq(s, ",") {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 || n > 64 {
				return fmt.Errorf("%q is no number of workers", text)
			}
			o.Crew = append(o.Crew, n)
		}
		return nil
	})
	f.BoolVar(&o.JSON, "json", false, "print JSON")
	f.BoolVar(&o.Report, "report", false, "write daemon/lab/reports/CRAWL.md")
	f.Func("only", "run only the contenders `NAME,...`: "+strings.Join(contenders, ", "), func(s string) error {
		o.Only = strings.Split(s, ",")
		for _, name := range o.Only {
			if name != "" && !slices.Contains(contenders, name) {
				return fmt.Errorf("the contenders are %s", strings.Join(contenders, ", "))
			}
		}
		o.Only = slices.DeleteFunc(o.Only, func(name string) bool { return name == "" })
		return nil
	})
	if err := devtool.Parse(f, args, stderr); err != nil {
		return nil, err
	}
	switch {
	case o.Hosts < 1 || o.Pages < o.Hosts || o.Rounds < 1 || o.Workers < 1 || o.Cores < 1:
		return nil, devtool.Usagef("--hosts, --rounds, --workers and --cores must be at least 1, and --pages at least --hosts")
	case o.Queued < 0 || o.Polite < 0 || o.Polite > 0 && o.Delay < 100*time.Millisecond:
		return nil, devtool.Usagef("--queued and --polite must not be negative, and --delay must be at least 100ms")
	}
	o.command = strings.Join(append([]string{"task bench:crawl --"}, args...), " ")
	return o, nil
}
