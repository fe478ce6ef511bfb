package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightjar/crawler/archive"
	"nightjar/crawler/clock"
	"nightjar/daemon/machine"
	"nightjar/daemon/notify"
	"nightjar/daemon/scheduler"
	"nightjar/daemon/store"
)

// verbWorker is the verb of the crawling process.
const verbWorker = "worker"

// worker is the part of the daemon that crawls at night, on a fast clock: store, scheduler and what they use. It reads
// commands from standard input.
type worker struct {
	clock *clock.Fast
	st    *store.Store
	s     *scheduler.Scheduler
}

// workerVerb runs until standard input ends.
func workerVerb(ctx context.Context, args []string, in io.Reader, out io.Writer) (err error) {
	var data, resolve, power string
	var shown, real int64
	var speed float64
	var workers int
	f := flag.NewFlagSet(verbWorker, flag.ContinueOnError)
	f.StringVar(&data, "db", "", "database")
	f.StringVar(&resolve, "resolve", "", "file of PATTERN=ADDR:PORT lines")
	f.StringVar(&power, "machine", "", "folder with the layout of /sys/class/power_supply")
	f.Int64Var(&shown, "shown", 0, "time of the night's clock (Unix ns)")
	f.Int64Var(&real, "at", 0, "the same moment by the machine's clock (Unix ns)")
	f.Float64Var(&speed, "speed", 1, "speed of the night's clock")
	f.IntVar(&workers, "workers", 8, "concurrent fetches")
	if err := f.Parse(args); err != nil {
		return err
	}
	passed := time.Duration(float64(time.Since(time.Unix(0, real))) * speed)
	w := &worker{clock: clock.NewFast(time.Unix(0, shown).Add(passed), speed)}
	rules, err := os.ReadFile(resolve)
	if err != nil {
		return err
	}
	if w.st, err = store.Open(ctx, data); err != nil {
		return err
	}
	defer w.st.Close()
	w.st.Now = w.clock.Now
	kept, err := archive.Open(archive.Options{Dir: filepath.Join(filepath.Dir(data), "archive"), Clock: w.clock, Software: "Nightjar/simulated"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	here := machine.New(machine.Options{Disk: filepath.Dir(data), PowerSupply: power, Fresh: time.Second})
	w.s, err = scheduler.New(w.st, &notify.Bus{}, scheduler.Options{
		Clock: w.clock, Log: slog.New(slog.NewTextHandler(out, nil)), Version: "simulated", Archive: kept, Machine: here.State,
		Resolve: strings.Fields(string(rules)), Workers: workers, Tick: 5 * time.Second,
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		defer stop()
		w.obey(ctx, in)
	}()
	return w.s.Run(ctx)
}

// obey runs commands, one per line.
func (w *worker) obey(ctx context.Context, in io.Reader) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		var err error
		switch word {
		case "pause", "resume":
			err = w.person(ctx, word)
		case "jump":
			var by time.Duration
			if by, err = time.ParseDuration(rest); err == nil {
				w.clock.Jump(by)
			}
		default:
			err = fmt.Errorf("unknown command %q", word)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "nightsim worker:", err)
		}
	}
}

// person pauses or resumes every crawl, as a person would in the dashboard.
func (w *worker) person(ctx context.Context, word string) error {
	do := w.s.Pause
	if word == "resume" {
		do = w.s.Resume
	}
	open, err := w.st.OpenCrawls(ctx)
	for _, c := range open {
		err = errors.Join(err, do(ctx, c.ID))
	}
	return err
}
