package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"

	"nightjar/daemon/app"
	"nightjar/daemon/notify"
	"nightjar/daemon/store"
	"nightjar/daemon/trainer"
)

var importCommand = command{
	name:    "import",
	args:    "FILE.session.jsonl|FILE.bundle... [--data DIR] [--json]",
	summary: "read recorded sessions into the data folder and train on them, or import a model",
	help: `Reads session files, as "nightjar export" writes them, into the data folder, and trains the topics of the
sessions that were submitted. Every line is checked first: when one is broken, the error names it and nothing is changed.
Events that are already there are not added twice.

A model, as "nightjar export --model" and "nightjar train --out" write it, becomes the newest version of its topic's
model; a missing topic is created. The model is used until the topic is trained again. A model that is damaged or that
this version cannot read is refused, and nothing is changed.

Both work while a daemon is running and without one.`,
	files: true,
	verb:  of[importOptions],
}

type importOptions struct {
	app.Config
	json bool
}

func (o *importOptions) define(f *flag.FlagSet) {
	dataFlag(f, &o.Config)
	f.BoolVar(&o.json, "json", false, "print JSON")
}

func (o *importOptions) run(ctx context.Context, env *environment, files []string) error {
	if len(files) == 0 {
		return usagef("import needs at least one session file or model")
	}
	if err := complete(&o.Config, env); err != nil {
		return err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		if app.IsModel(name, text) {
			if _, err := app.ReadModel(text); err != nil {
				return fmt.Errorf("import %s: %w", name, err)
			}
		}
		done, err := importText(ctx, env, o, text)
		switch {
		case err != nil && done == nil:
			return app.WithHint(fmt.Errorf("import %s: %w", name, err), "nothing of the file was imported")
		case err != nil:
			return app.WithHint(fmt.Errorf("import %s: %w", name, err), "the file was imported; nightjar train --topic NAME trains again")
		}
		if err := o.tell(env, name, done); err != nil {
			return err
		}
	}
	return nil
}

// importText hands a session file or a model to the running daemon. When none runs, it stores the file here and trains.
func importText(ctx context.Context, env *environment, o *importOptions, text []byte) (*app.Imported, error) {
	var done app.Imported
	err := app.Call(ctx, o.Data, "/control/import", bytes.NewReader(text), &done)
	switch {
	case err == nil:
		return &done, nil
	case !errors.Is(err, app.ErrNotRunning):
		return nil, err
	}
	var here *app.Imported
	err = app.WithStore(ctx, o.Data, func(st *store.Store) error {
		here, err = app.Import(ctx, st, trainer.New(st, &notify.Bus{}, newLogger(env.stderr, slog.LevelInfo)), text)
		return err
	})
	return here, err
}

func (o *importOptions) tell(env *environment, name string, done *app.Imported) error {
	for _, p := range done.Problems {
		fmt.Fprintf(env.stderr, "nightjar: warning: %s\n", p)
	}
	if o.json {
		return json.NewEncoder(env.stdout).Encode(done)
	}
	if done.Version > 0 {
		_, err := fmt.Fprintf(env.stdout, "%s: version %d of the model of %q\n", name, done.Version, done.Topic)
		return err
	}
	_, err := fmt.Fprintf(env.stdout, "%s: %s of %s\n", name, plural(done.Events, "event"), plural(done.Sessions, "session"))
	if len(done.Refused) > 0 {
		fmt.Fprintf(env.stdout, "Left out by the privacy rules: %s, the first: %s\n", plural(len(done.Refused), "event"), done.Refused[0].Message)
	}
	return err
}
