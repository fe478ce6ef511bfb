package cli

import (
	"context"
	"errors"
	"fmt"

	"nightjar/daemon/app"
)

// workerVerbs are the verbs below worker, for the daemon's machine. Their names begin with "worker ".
func workerVerbs() []command {
	return []command{workerInviteCommand, workerRevokeCommand, workerListCommand}
}

// startWorker runs the verb that the first argument names, and otherwise the program that fetches.
func startWorker(ctx context.Context, env *environment, args []string) error {
	if len(args) > 0 {
		for _, c := range workerVerbs() {
			if c.name == "worker "+args[0] {
				return startBelow(ctx, env, c, args[1:])
			}
		}
	}
	o := &workerOptions{}
	files, err := parse("worker", args, o.define)
	if err != nil {
		return err
	}
	env.args = args
	return o.run(ctx, env, files)
}

// askWorkers asks the daemon of a data folder.
func askWorkers(ctx context.Context, c *app.Config, env *environment, r app.WorkersRequest) (*app.WorkersAnswer, error) {
	if err := complete(c, env); err != nil {
		return nil, err
	}
	answer, err := app.Workers(ctx, c.Data, r)
	if errors.Is(err, app.ErrNotRunning) {
		return nil, notRunning(fmt.Errorf("%w on %s", err, c.Data), c.Data)
	}
	return answer, err
}

// nameOf is the only argument of a verb that needs the name of a worker.
func nameOf(verb string, files []string) (string, error) {
	switch {
	case len(files) == 0 || files[0] == "":
		return "", usagef("worker %s needs the NAME of a worker", verb)
	case len(files) > 1:
		return "", usagef("unexpected argument %q", files[1])
	}
	return files[0], nil
}
