package main

import (
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
	"nightjar/daemon/lab/devtool"
)

func main() {
	devtool.Main(func(ctx context.Context) int {
		return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	})
}

// run is the program: 0 good, 1 failed or a promise not kept, 2 wrong usage.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var err error
	if len(args) > 0 && args[0] == verbWorker {
		err = workerVerb(ctx, args[1:], stdin, stdout)
	} else {
		err = simulate(ctx, args, stdout, stderr)
	}
	return devtool.Code("nightsim", err, stderr)
}

// errPromise is the error of a night that did not keep what was promised.
var errPromise = errors.New("a promise was not kept")

// options say what kind of night it is.
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
	Source  string
	Out     string
	Keep    string
	log     io.Writer
}

func (o *options) define(f *flag.FlagSet) {
	f.Uint64Var(&o.Seed, "seed", 1, "`SEED` of the farm and of what happens")
	f.Float64Var(&o.Hours, "hours", 4, "length of the night (`HOURS`)")
	f.Float64Var(&o.Speed, "speed", 40, "how many times as fast as the machine's the clock of the night runs")
	f.IntVar(&o.Hosts, "hosts", 200, "hosts of the farm")
	f.IntVar(&o.Pages, "pages", 12000, "pages of the farm")
	f.IntVar(&o.Budget, "budget", 20000, "pages of the night's budget")
	f.Float64Var(&o.Delay, "delay", 10, "`SECONDS` between two requests to a host")
	f.IntVar(&o.Workers, "workers", 16, "fetches in flight")
	f.IntVar(&o.Kills, "kills", 12, "how often the process is killed")
	f.IntVar(&o.Port, "port", 18080, "`PORT` that the hosts listen on")
	f.StringVar(&o.Source, "source", ".", "`FOLDER` of the source, where toxiproxy's module is")
	f.StringVar(&o.Out, "out", "", "`FOLDER` to write NIGHT.md and night.svg to; unless given, the report is printed")
	f.StringVar(&o.Keep, "keep", "", "`FOLDER` to keep the data of the night in, to look at with nightjar --data")
}

func (o *options) opens() time.Time      { return time.Date(2026, 11, 21, 1, 0, 0, 0, time.UTC) }
func (o *options) length() time.Duration { return time.Duration(o.Hours * float64(time.Hour)) }
func (o *options) delay() time.Duration  { return time.Duration(o.Delay * float64(time.Second)) }

// simulate plays a night and reports it.
func simulate(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	var o options
	f := flag.NewFlagSet("nightsim", flag.ContinueOnError)
	o.define(f)
	if err := devtool.Parse(f, args, stderr); err != nil {
		return err
	}
	if f.NArg() > 0 || o.Hours <= 0 || o.Hours > 20 || o.Speed <= 0 {
		return fmt.Errorf("%w: see --help", devtool.ErrUsage)
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
	r, curves, err := o.play(ctx, dir, stderr)
	if err != nil {
		return err
	}
	r.Command = strings.TrimSpace("go run ./daemon/lab/nightsim " + strings.Join(args, " "))
	return o.tell(r, curves, stdout)
}

// play sets the stage, lets the night happen, and looks at what is left of it.
func (o *options) play(ctx context.Context, dir string, say io.Writer) (*report, []curve, error) {
	begun := time.Now()
	clk := clock.NewFast(o.opens().Add(-10*time.Minute), o.Speed)
	s := &seen{clock: clk}
	st, err := build(ctx, *o, s)
	if err != nil {
		return nil, nil, err
	}
	defer st.Close()
	db, rules, machine := filepath.Join(dir, "nightjar.db"), filepath.Join(dir, "resolve.txt"), power(filepath.Join(dir, "power_supply"))
	if err := errors.Join(st.settle(ctx, *o, db), st.writeRules(rules), machine.set(true)); err != nil {
		return nil, nil, err
	}
	clk.Jump(o.opens().Add(-30 * time.Second).Sub(clk.Now())) // preparing took its time
	n := &night{clock: clk, opens: o.opens(), proxies: st.proxies, hosts: st.farm.Hosts(), seen: s, machine: machine, say: say,
		keeper: &keeper{clock: clk, speed: o.Speed, log: o.log, args: []string{"--db", db, "--resolve", rules,
			"--machine", string(machine), "--workers", fmt.Sprint(o.Workers)}}}
	if err := n.keeper.start(ctx); err != nil {
		return nil, nil, err
	}
	plan := plan(o.Seed, o.length(), o.Kills, st.farm.Hosts())
	if err := n.play(ctx, plan, o.length()+3*time.Minute); err != nil {
		return nil, nil, errors.Join(err, n.keeper.kill())
	}
	if err := n.keeper.end(); err != nil {
		return nil, nil, fmt.Errorf("the worker: %w (see %s)", err, filepath.Join(dir, "night.log"))
	}
	n.count()
	a, err := readAccount(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	r := &report{
		Machine: fmt.Sprintf("%d cores, %s/%s, %s", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version()),
		Seed:    o.Seed, Speed: o.Speed, Hours: o.Hours, Real: time.Since(begun), Hosts: o.Hosts, Pages: len(st.farm.Pages()),
		Budget: o.Budget, Delay: o.Delay, Workers: o.Workers, Kills: n.keeper.kills, Peak: n.keeper.peak, Stopped: a.Stopped,
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
		return nil, nil, err
	}
	return r, courses(a.Fetches), nil
}

// tell writes the report, and fails when a promise was not kept.
func (o *options) tell(r *report, curves []curve, stdout io.Writer) error {
	var bad []string
	for _, c := range r.Checks {
		if !c.Good {
			bad = append(bad, c.What+": "+c.Seen)
		}
	}
	if o.Out == "" {
		if err := r.write(stdout); err != nil {
			return err
		}
	} else if err := o.save(r, curves); err != nil {
		return err
	}
	if len(bad) > 0 {
		return fmt.Errorf("%w: %s", errPromise, strings.Join(bad, "; "))
	}
	return nil
}

func (o *options) save(r *report, curves []curve) error {
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return err
	}
	text, err := os.Create(filepath.Join(o.Out, "NIGHT.md"))
	if err != nil {
		return err
	}
	if err := errors.Join(r.write(text), text.Close()); err != nil {
		return err
	}
	picture, err := os.Create(filepath.Join(o.Out, "night.svg"))
	if err != nil {
		return err
	}
	about := fmt.Sprintf("%d pages, %d relevant; yellow: %s; red lines: SIGKILL", r.Account.Fetched, r.Account.Relevant, "what kept it from crawling")
	return errors.Join(draw(picture, "A simulated night", about, o.opens(), o.length(), curves, r.Happened), picture.Close())
}
