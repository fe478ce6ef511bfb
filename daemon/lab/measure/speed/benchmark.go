package speed

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/farm"
	"nightjar/daemon/lab/verb"
)

// benchmark is one run of the program.
type benchmark struct {
	options  *options
	dir      string // temporary, for models, databases and archives
	log      io.Writer
	children verb.Child
}

// shared is a log that the benchmark and its child processes write to concurrently.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(p)
}

// run measures everything that the options request.
func (b *benchmark) run(ctx context.Context) (*result, error) {
	o := b.options
	r := &result{Date: time.Now().UTC().Format("2006-01-02"), Machine: devtool.Processor(), Go: runtime.Version(),
		Cores: o.Cores, Workers: o.Workers, Seed: o.Seed, Source: "generated"}
	web := farm.Options{Hosts: o.Hosts, Pages: o.Pages, Seed: o.Seed}
	if o.Corpora != "" {
		r.Source = "corpora"
		var err error
		if web.Recordings, err = filepath.Glob(filepath.Join(o.Corpora, "docs", "*.warc.gz")); err != nil || len(web.Recordings) == 0 {
			return nil, fmt.Errorf("no recordings docs/*.warc.gz in %s (%w)", o.Corpora, err)
		}
	}
	bundle := filepath.Join(b.dir, "model.bundle")
	fmt.Fprintln(b.log, "speed: training a model on pages of the farm")
	if err := b.children.Run(ctx, "speed train", trainSpec{web, bundle}, nil); err != nil {
		return nil, err
	}
	if len(o.Only) > 0 {
		if err := b.contend(ctx, r, web, bundle); err != nil {
			return nil, err
		}
	}
	if o.Polite > 0 {
		var err error
		if r.Polite, err = b.politely(ctx, bundle); err != nil {
			return nil, err
		}
	}
	r.Aims = r.aims()
	was, err := readLanded()
	if err != nil {
		return nil, err
	}
	r.Changes = r.against(was)
	return r, nil
}

// contend has the contenders crawl the farm in turns.
func (b *benchmark) contend(ctx context.Context, r *result, web farm.Options, bundle string) error {
	o := b.options
	s, end, err := b.serve(ctx, serveSpec{web})
	if err != nil {
		return err
	}
	defer func() { _ = end() }() // everything is measured by then
	r.Hosts, r.Pages, r.PageBytes = len(s.Addrs), s.Pages, s.Bytes/int64(s.Pages)
	spec := crawlSpec{Addrs: s.Addrs, Starts: s.Starts, Pages: s.Pages, Workers: o.Workers, Bundle: bundle}
	program := ""
	if slices.Contains(o.Only, colly) {
		if program, err = devtool.Build(ctx, "daemon/lab/measure/speed/colly", b.dir); err != nil {
			return err
		}
	}
	runs := make(map[string][]*crawled)
	for round := range o.Rounds {
		if round == o.Rounds-1 {
			spec.Profile = o.Profile
		}
		for i := range o.Only {
			name := o.Only[(i+round)%len(o.Only)] // each round starts with another contender
			c, err := b.contender(ctx, name, program, spec)
			if err != nil {
				return err
			}
			fmt.Fprintf(b.log, "speed: round %d: %s: %d pages, %d links, %.0f pages/s, %.2f ms a page\n",
				round+1, name, c.Pages, c.Links, c.rate(), c.cost())
			runs[name] = append(runs[name], c)
		}
	}
	for _, name := range o.Only {
		r.Contenders = append(r.Contenders, middle(name, runs[name]))
	}
	r.compare()
	return nil
}

// contender runs one contender once, in its own folder.
func (b *benchmark) contender(ctx context.Context, name, program string, spec crawlSpec) (*crawled, error) {
	var err error
	if spec.Dir, err = os.MkdirTemp(b.dir, name+"-"); err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(spec.Dir) }() // b.dir is removed later
	c := new(crawled)
	cmd, err := b.children.Command(ctx, "speed "+name, spec)
	if err != nil {
		return nil, err
	}
	if name == colly {
		cmd = exec.CommandContext(ctx, program, cmd.Args[3])
	}
	return c, b.children.Output(cmd, c)
}

// politely crawls as many made-up pages as the delay allows, and asks the server what it saw. The trap guard is off: it
// takes so many pages made of so few words for a trap, and the rate means nothing once it closes hosts.
func (b *benchmark) politely(ctx context.Context, bundle string) (*politeResult, error) {
	o := b.options
	window := warmUp + o.Polite
	perHost := int(window/o.Delay) + 5
	s, end, err := b.serve(ctx, serveSpec{farm.Options{Hosts: o.Hosts, Pages: o.Hosts * perHost, Seed: o.Seed, Delay: o.Delay}})
	if err != nil {
		return nil, err
	}
	defer func() { _ = end() }() // everything is measured by then
	fmt.Fprintf(b.log, "speed: polite crawl of %d hosts for %v\n", len(s.Addrs), window)
	if _, err := s.stats(ctx, true); err != nil {
		return nil, err
	}
	c, err := b.contender(ctx, pipeline, "", crawlSpec{Addrs: s.Addrs, Starts: s.Starts, Pages: s.Pages, Workers: len(s.Addrs),
		Millis: o.Delay.Milliseconds(), Window: window.Milliseconds(), Bundle: bundle, NoTrap: true})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(b.log, "speed: %d pages, %s\n", c.Pages, c.Stopped)
	saw, err := s.stats(ctx, false)
	if err != nil {
		return nil, err
	}
	p := &politeResult{Hosts: len(s.Addrs), Delay: o.Delay.Seconds(), Seconds: o.Polite.Seconds(), Pages: c.InTime, CPU: 1000 * c.CPU / float64(max(1, c.Pages)),
		Peak: c.Peak, Sooner: saw.Sooner, Overlapped: saw.Overlapped, MinGap: saw.MinGap.Seconds()}
	p.Rate = float64(p.Pages) / p.Seconds
	p.Possible = float64(p.Hosts) / p.Delay
	p.Share = p.Rate / p.Possible
	return p, nil
}
