// Package night simulates a night of several hours in minutes.
//
// The crawling process (worker.go) runs the daemon's scheduler, store, fetcher and archive and does not know the plan.
// Afterwards promises.go compares its database with what the hosts saw.
package night

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"nightjar/crawler/clock"
	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/devtool"
	"nightjar/daemon/lab/verb"
)

// Command is the verb.
var Command = command.Command{
	Name:    "night",
	Args:    "[FLAGS]",
	Summary: "a night of hours with faults, simulated in minutes",
	Help: `Simulates a night of several hours in minutes: a farm of hosts on loopback addresses, with traps among them and toxiproxy
in front of them, a clock that runs fast, and a plan of kills, sleep, clock changes, network outages, battery power and a
pause by the person. Afterwards it compares the crawl's database with what the hosts saw, and fails when a promise is broken.

  lab night --speed 60 --report`,
	Verb:  command.Of[options],
	Below: []command.Command{verb.Job("night worker", crawl)},
}

// options describe the night.
type options struct {
	Seed    uint64
	Hours   float64
	Speed   float64
	Hosts   int
	Pages   int
	Budget  int
	Delay   float64 // seconds
	Workers int
	Kills   int
	Port    int
	Report  bool
	Keep    string
	log     io.Writer
}

func (o *options) Define(f *flag.FlagSet) {
	f.Uint64Var(&o.Seed, "seed", 1, "`NUMBER` that seeds the farm and the plan")
	f.Float64Var(&o.Hours, "hours", 4, "length of the night in `HOURS`")
	f.Float64Var(&o.Speed, "speed", 40, "speed of the night's clock, relative to the machine's")
	f.IntVar(&o.Hosts, "hosts", 200, "`NUMBER` of hosts of the farm")
	f.IntVar(&o.Pages, "pages", 12000, "`NUMBER` of pages of the farm")
	f.IntVar(&o.Budget, "budget", 20000, "budget of the night in `PAGES`")
	f.Float64Var(&o.Delay, "delay", 10, "`SECONDS` between two requests to a host")
	f.IntVar(&o.Workers, "workers", 16, "`NUMBER` of concurrent fetches")
	f.IntVar(&o.Kills, "kills", 12, "`NUMBER` of times that the process is killed")
	f.IntVar(&o.Port, "port", 18080, "`PORT` that the hosts listen on")
	f.BoolVar(&o.Report, "report", false, "write daemon/lab/reports/NIGHT_FAULTS.md instead of printing the report")
	f.StringVar(&o.Keep, "keep", "", "keep the night's data in `DIR`, for nightjar --data")
}

func (o *options) opens() time.Time      { return time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC) }
func (o *options) length() time.Duration { return time.Duration(o.Hours * float64(time.Hour)) }
func (o *options) delay() time.Duration  { return time.Duration(o.Delay * float64(time.Second)) }

// Run plays a night and reports on it.
func (o *options) Run(ctx context.Context, env *command.Env, _ []string) (err error) {
	if o.Hours <= 0 || o.Hours > 20 || o.Speed <= 0 {
		return command.Usagef("--hours must be above 0 and at most 20, and --speed above 0")
	}
	dir := o.Keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "nightjar-night-"); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // a temporary folder
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(dir, "night.log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // only a log
	o.log = log
	r, err := o.play(ctx, dir, env.Stderr)
	if err != nil {
		return err
	}
	r.Command = verb.Line(env, "night", "", o.Keep)
	return o.report(r, env.Stdout)
}

// play builds the stage, plays the night, and checks the promises.
func (o *options) play(ctx context.Context, dir string, progress io.Writer) (*report, error) {
	start := time.Now()
	clk := clock.NewFast(o.opens().Add(-10*time.Minute), o.Speed)
	s := &seen{clock: clk}
	st, err := build(ctx, *o, s)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	db, machine := filepath.Join(dir, "nightjar.db"), power(filepath.Join(dir, "power_supply"))
	if err := errors.Join(st.settle(ctx, *o, db), machine.set(true)); err != nil {
		return nil, err
	}
	clk.Jump(o.opens().Add(-30 * time.Second).Sub(clk.Now())) // minus the time for preparing
	n := &night{clock: clk, opens: o.opens(), proxies: st.proxies, hosts: st.farm.Hosts(), seen: s, machine: machine, progress: progress,
		keeper: &keeper{clock: clk, log: o.log, spec: workerSpec{DB: db, Resolve: st.rules, Machine: string(machine), Workers: o.Workers, Speed: o.Speed}}}
	if err := n.keeper.start(ctx); err != nil {
		return nil, err
	}
	plan := plan(o.Seed, o.length(), o.Kills, st.farm.Hosts())
	if err := n.play(ctx, plan, o.length()+3*time.Minute); err != nil {
		return nil, errors.Join(err, n.keeper.kill())
	}
	if err := n.keeper.end(); err != nil {
		return nil, fmt.Errorf("the worker: %w (see %s)", err, filepath.Join(dir, "night.log"))
	}
	n.count()
	a, err := readAccount(ctx, db)
	if err != nil {
		return nil, err
	}
	r := &report{
		Machine: fmt.Sprintf("%d cores, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version()),
		options: o, Real: time.Since(start), Pages: len(st.farm.Pages()), Kills: n.keeper.kills, Peak: n.keeper.peak,
		Account: a, Purposes: byPurpose(a.Ledger), Top: busiest(a.Ledger)[:min(15, len(busiest(a.Ledger)))],
	}
	for _, h := range n.happened {
		if h.What == poisoned {
			r.Toxics++
		} else {
			r.Happened = append(r.Happened, h)
		}
	}
	if r.Checks, err = promises(ctx, o, st, n, a, db); err != nil {
		return nil, err
	}
	return r, nil
}

// report prints or saves the report, and fails when a promise is broken.
func (o *options) report(r *report, stdout io.Writer) error {
	var bad []string
	for _, c := range r.Checks {
		if !c.Good {
			bad = append(bad, c.What+": "+c.Seen)
		}
	}
	if !o.Report {
		if err := r.write(stdout); err != nil {
			return err
		}
	} else {
		var text bytes.Buffer
		if err := r.write(&text); err != nil {
			return err
		}
		if err := devtool.WritePage("NIGHT_FAULTS.md", text.Bytes()); err != nil {
			return err
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("a promise is broken: %s", strings.Join(bad, "; "))
	}
	return nil
}
