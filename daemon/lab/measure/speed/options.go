package speed

import (
	"flag"
	"runtime"
	"slices"
	"strings"
	"time"

	"nightjar/daemon/command"
	"nightjar/daemon/lab/verb"
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
	verb.Output
}

func (o *options) Define(f *flag.FlagSet) {
	o.Only = contenders
	verb.CorporaFlag(f, &o.Corpora, "recorded pages in docs/ (if empty, pages are made up)")
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
	f.Func("crew", "`NUMBERS` of workers in processes of their own to crawl with, such as 0,1,2,4; 0 is none (default: not measured)", verb.Numbers(&o.Crew, 0))
	f.Func("only", "run only the contenders `NAME,...`: "+strings.Join(contenders, ", "), verb.Names(&o.Only, contenders...))
	o.Flags(f, "CRAWL.md")
}

func (o *options) check() error {
	switch {
	case o.Hosts < 1 || o.Pages < o.Hosts || o.Rounds < 1 || o.Workers < 1 || o.Cores < 1:
		return command.Usagef("--hosts, --rounds, --workers and --cores must be at least 1, and --pages at least --hosts")
	case o.Queued < 0 || o.Polite < 0 || o.Polite > 0 && o.Delay < 100*time.Millisecond:
		return command.Usagef("--queued and --polite must not be negative, and --delay must be at least 100ms")
	case slices.ContainsFunc(o.Crew, func(n int) bool { return n > 64 }):
		return command.Usagef("--crew takes at most 64 workers")
	}
	return nil
}
