package simulate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"nightjar/daemon/base/command"
	"nightjar/daemon/lab/devtool"
)

// Command is the verb.
var Command = command.Command{
	Name:    "simulate",
	Args:    "[FLAGS]",
	Summary: "lives through nights with the whole program in simulated time",
	Help: `Lives through nights with the whole program in one process, in simulated time: a made-up web that changes and fails, a browser
that loses its connection, a person who marks, erases, backs up and restores, and a daemon that is stopped or dies. Judges look
after each night and each start. A seed that fails prints the command that repeats it, with as few nights and faults as still fail.

  lab simulate --nights 30 --seeds 100`,
	Verb: command.Of[verb],
}

// verb compiles the tests of this package, and runs them in as many processes as there are processors.
type verb struct {
	Nights, Seeds int
	Seed          uint64
	Without       string
}

func (v *verb) Define(f *flag.FlagSet) {
	f.IntVar(&v.Nights, "nights", 30, "`NUMBER` of nights of each seed")
	f.IntVar(&v.Seeds, "seeds", 1, "`NUMBER` of seeds")
	f.Uint64Var(&v.Seed, "seed", 1, "the first `SEED`")
	f.StringVar(&v.Without, "without", "", "`FAULTS` that are left out, with commas between them: those that a failing seed prints")
}

// Run lives through the nights.
func (v *verb) Run(ctx context.Context, env *command.Env, _ []string) (err error) {
	root, err := devtool.Root()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "simulate-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tests := filepath.Join(dir, "simulate.test")
	run := func(name string, args ...string) error {
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = filepath.Join(root, "daemon", "lab", "simulate"), env.Stdout, env.Stderr
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
		return cmd.Run()
	}
	if err := run("go", "test", "-vet=off", "-tags", "failpoints", "-c", "-o", tests, "."); err != nil {
		return err
	}
	began, processes := time.Now(), min(runtime.NumCPU(), v.Seeds)
	group, ctx := errgroup.WithContext(ctx)
	for i := range processes {
		group.Go(func() error {
			return run(tests, "-test.run", "^TestSeeds$", "-test.timeout", "0", "-nights", fmt.Sprint(v.Nights), "-seed", fmt.Sprint(v.Seed+uint64(i)),
				"-step", fmt.Sprint(processes), "-seeds", fmt.Sprint((v.Seeds-i+processes-1)/processes), "-without", v.Without)
		})
	}
	err = group.Wait()
	took := time.Since(began)
	fmt.Fprintf(env.Stdout, "%d nights in %v, %.0f an hour\n", v.Nights*v.Seeds, took.Round(time.Second), float64(v.Nights*v.Seeds)/took.Hours())
	return err
}
