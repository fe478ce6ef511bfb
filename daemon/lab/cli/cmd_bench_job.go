package cli

import (
	"context"
	"flag"

	"nightjar/daemon/command"
	"nightjar/daemon/lab/bench"
)

// benchJobCommand runs in the processes that bench starts. Help does not list it.
var benchJobCommand = command.Command{
	Name:  "bench-job",
	Args:  "FILE",
	Help:  "Runs the crawl that FILE describes, in its own process, for bench.",
	Files: true,
	Verb:  command.Of[benchJob],
}

type benchJob struct{}

func (benchJob) Define(*flag.FlagSet) {}

func (benchJob) Run(ctx context.Context, env *command.Env, files []string) error {
	if len(files) != 1 {
		return command.Usagef("bench-job needs one file")
	}
	return bench.RunJob(ctx, files[0], env.Stdout)
}
