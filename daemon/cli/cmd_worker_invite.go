package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"nightjar/crawler/durable"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
)

var workerInviteCommand = command.Command{
	Name:    "worker invite",
	Args:    "NAME [--out FILE] [--data DIR]",
	Summary: "let another machine fetch pages: prints its invitation, once",
	Help:    help("worker-invite"),
	Files:   true,
	Verb:    command.Of[workerInvite],
}

type workerInvite struct {
	app.Config
	out string
}

func (o *workerInvite) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.StringVar(&o.out, "out", "", "new `FILE` to write the invitation to, readable for you only, instead of printing it")
}

func (o *workerInvite) Run(ctx context.Context, env *command.Env, files []string) (err error) {
	name, err := nameOf("invite", files)
	if err != nil {
		return err
	}
	to, done := env.Stdout, func(err error) error { return err }
	if o.out != "" { // before the invitation, which cannot be printed again
		if to, done, err = newSecretFile(o.out); err != nil {
			return err
		}
	}
	answer, err := askWorkers(ctx, o.Data, app.WorkersRequest{Do: app.InviteWorker, Name: name})
	if err == nil {
		_, err = io.WriteString(to, answer.File)
	}
	if err = done(err); err != nil {
		return err
	}
	if o.out != "" {
		next := "On the other machine: nightjar worker FILE"
		if answer.Broker.External {
			next = "It says what to do in the cluster of brokers."
		}
		fmt.Fprintf(env.Stderr, "Wrote %s. %s\n", printable(o.out), next)
	}
	if !answer.Broker.On {
		fmt.Fprintln(env.Stderr, "Workers are switched off at present: switch them on in the dashboard, under Settings, Workers.")
	}
	return nil
}

// newSecretFile makes a file that only the person can read; it must not be there. done closes it and, after an error, removes it.
func newSecretFile(name string) (w io.Writer, done func(error) error, err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil, nil, command.WithHint(err, "choose another name with --out FILE")
	}
	if err != nil {
		return nil, nil, err
	}
	return f, func(err error) error {
		if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
			_ = os.Remove(name) // err is what the person must know
			return err
		}
		return durable.SyncDir(filepath.Dir(name))
	}, nil
}
