package cli

import (
	"context"
	"errors"
	"fmt"

	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
)

// askWorkers asks the daemon of a data folder.
func askWorkers(ctx context.Context, dir string, r app.WorkersRequest) (*app.WorkersAnswer, error) {
	answer, err := app.Workers(ctx, dir, r)
	if errors.Is(err, app.ErrNotRunning) {
		return nil, notRunning(fmt.Errorf("%w on %s", err, dir), dir)
	}
	return answer, err
}

// nameOf is the only argument of a verb that needs the name of a worker.
func nameOf(verb string, files []string) (string, error) {
	switch {
	case len(files) == 0 || files[0] == "":
		return "", command.Usagef("worker %s needs the NAME of a worker", verb)
	case len(files) > 1:
		return "", command.Usagef("unexpected argument %q", files[1])
	}
	return files[0], nil
}
