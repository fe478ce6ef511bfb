package speed

import (
	"flag"
	"runtime"
	"strings"
	"time"

	"nightjar/daemon/base/command"
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
	Polite  time.Duration // length of the polite crawl, 0 to skip it
	Delay   time.Duration // between two requests to a host in the polite crawl
	Profile string        // file for the processor profile of the pipeline's last run, "" for none
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
	f.DurationVar(&o.Polite, "polite", time.Minute, "`TIME` that the polite crawl runs; 0 skips it")
	f.DurationVar(&o.Delay, "delay", time.Second, "`TIME` between two requests to a host in the polite crawl")
	f.StringVar(&o.Profile, "profile", "", "`FILE` to write the processor profile of nightjar's last run to")
	f.Func("only", "run only the contenders `NAME,...`: "+strings.Join(contenders, ", "), verb.Names(&o.Only, contenders...))
	o.Flags(f, "CRAWL.md")
}

func (o *options) check() error {
	switch {
	case o.Hosts < 1 || o.Pages < o.Hosts || o.Rounds < 1 || o.Workers < 1 || o.Cores < 1:
		return command.Usagef("--hosts, --rounds, --workers and --cores must be at least 1, and --pages at least --hosts")
	case o.Polite < 0 || o.Polite > 0 && o.Delay < 100*time.Millisecond:
		return command.Usagef("--polite must not be negative, and --delay must be at least 100ms")
	}
	return nil
}
