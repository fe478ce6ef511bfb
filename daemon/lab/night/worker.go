package night

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightjar/crawler/archive"
	"nightjar/crawler/clock"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/machine"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/night/scheduler"
	"nightjar/daemon/store"
)

// worker is the part of the daemon that crawls at night, on a fast clock: store, scheduler and what they use. It reads
// commands from standard input.
type worker struct {
	clock *clock.Fast
	st    *store.Store
	s     *scheduler.Scheduler
}

// workerSpec says what a worker does.
type workerSpec struct {
	DB      string    // database
	Resolve []string  // PATTERN=ADDR:PORT
	Machine string    // folder with the layout of /sys/class/power_supply
	Workers int       // concurrent fetches
	Speed   float64   // of the night's clock
	Shown   time.Time // by the night's clock
	Real    time.Time // the same moment by the machine's clock
}

// crawl is a worker; it runs until standard input ends.
func crawl(ctx context.Context, env *command.Env, spec *workerSpec) (err error) {
	passed := time.Duration(float64(time.Since(spec.Real)) * spec.Speed)
	w := &worker{clock: clock.NewFast(spec.Shown.Add(passed), spec.Speed)}
	if w.st, err = store.Open(ctx, spec.DB); err != nil {
		return err
	}
	defer w.st.Close()
	w.st.Now = w.clock.Now
	kept, err := archive.Open(archive.Options{Dir: filepath.Join(filepath.Dir(spec.DB), "archive"), Clock: w.clock, Software: "Nightjar/simulated"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	here := machine.New(machine.Options{Disk: filepath.Dir(spec.DB), PowerSupply: spec.Machine, Fresh: time.Second})
	w.s, err = scheduler.New(w.st, &notify.Bus{}, scheduler.Options{
		Clock: w.clock, Log: slog.New(slog.NewTextHandler(env.Stdout, nil)), Version: "simulated", Archive: kept, Machine: here.State,
		Resolve: spec.Resolve, Workers: spec.Workers, Tick: 5 * time.Second,
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		defer stop()
		w.obey(ctx, env.Stdin)
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
			fmt.Fprintln(os.Stderr, "night worker:", err)
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
