package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"

	"nightjar/crawler/texts"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/notify"
	"nightjar/daemon/learn/trainer"
	"nightjar/daemon/store"
)

var importCommand = command.Command{
	Name:    "import",
	Args:    "FILE.session.jsonl|FILE.bundle|FILE.html... [--folder NAME] [--topic NAME] [--data DIR] [--json]",
	Summary: "read recorded sessions into the data folder and train on them, import a model, or begin with bookmarks",
	Help:    help("import"),
	Files:   true,
	Verb:    command.Of[importOptions],
}

type importOptions struct {
	app.Config
	json          bool
	folder, topic string // of links
}

func (o *importOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.StringVar(&o.folder, "folder", "", "`NAME` of a folder or tag of a file of links")
	f.StringVar(&o.topic, "topic", "", "make a session of this topic (`NAME`) of the links")
}

func (o *importOptions) Run(ctx context.Context, env *command.Env, files []string) error {
	if len(files) == 0 {
		return command.Usagef("import needs at least one session file or model")
	}
	for _, name := range files {
		if o.links(name) {
			if err := o.readLinks(ctx, env, name); err != nil {
				return withHint(fmt.Errorf("import %s: %w", name, err), "nothing of the file was imported")
			}
			continue
		}
		done, err := o.file(ctx, env, name)
		switch {
		case err != nil && done == nil:
			return withHint(fmt.Errorf("import %s: %w", name, err), "nothing of the file was imported")
		case err != nil:
			return command.WithHint(fmt.Errorf("import %s: %w", name, err), "the file was imported; the dashboard trains again with “Train again” on the topic's page")
		}
		if err := o.tell(env, name, done); err != nil {
			return err
		}
	}
	return nil
}

// withHint adds a hint to an error that has none.
func withHint(err error, hint string) error {
	if command.Hint(err) != "" {
		return err
	}
	return command.WithHint(err, "%s", hint)
}

func (o *importOptions) file(ctx context.Context, env *command.Env, name string) (*app.Imported, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read from
	return o.opened(ctx, env, name, f)
}

// opened imports an open file, which may be a pipe.
func (o *importOptions) opened(ctx context.Context, env *command.Env, name string, f *os.File) (*app.Imported, error) {
	in := bufio.NewReader(f)
	first, err := in.Peek(16)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if app.IsModel(name, first) {
		text, err := app.AllOfModel(in)
		if err == nil {
			_, err = app.ReadModel(text)
		}
		if err != nil {
			return nil, err
		}
		return importFrom(ctx, env, o, bytes.NewReader(text))
	}
	if info, err := f.Stat(); err != nil || info.Mode().IsRegular() {
		return importFrom(ctx, env, o, f)
	}
	// A pipe can be read once only.
	scratch, err := app.NewScratch("")
	if err != nil {
		return nil, err
	}
	defer func() { _ = scratch.Close() }() // it has no name, and goes when it is closed
	if _, err := io.Copy(scratch, in); err != nil {
		return nil, err
	}
	return importFrom(ctx, env, o, scratch)
}

// importFrom hands a session file or a model to the running daemon. When none runs, it stores the file here and trains.
func importFrom(ctx context.Context, env *command.Env, o *importOptions, file io.ReadSeeker) (*app.Imported, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	var done app.Imported
	err := app.Call(ctx, o.Data, "/control/import", io.NopCloser(file), &done)
	switch {
	case err == nil:
		return &done, nil
	case !errors.Is(err, app.ErrNotRunning):
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	var here *app.Imported
	err = app.WithStore(ctx, o.Data, func(st *store.Store) error {
		here, err = app.Import(ctx, o.Data, st, trainer.New(trainer.Deps{Store: st, Bus: &notify.Bus{}, Log: command.NewLogger(env.Stderr, slog.LevelInfo)}), file)
		return err
	})
	return here, err
}

func (o *importOptions) tell(env *command.Env, name string, done *app.Imported) error {
	for _, p := range done.Problems {
		fmt.Fprintf(env.Stderr, "nightjar: warning: %s\n", p)
	}
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(done)
	}
	if done.Version > 0 {
		_, err := fmt.Fprintf(env.Stdout, "%s: version %d of the model of %q\n", name, done.Version, done.Topic)
		return err
	}
	known := ""
	if done.Known > 0 {
		known = fmt.Sprintf(", %d of them there before", done.Known)
	}
	_, err := fmt.Fprintf(env.Stdout, "%s: %s of %s%s\n", name, texts.Plural(done.Events, "event"), texts.Plural(done.Sessions, "session"), known)
	for _, l := range done.LeftOut {
		fmt.Fprintf(env.Stdout, "Left out: %s, because %s\n", texts.Plural(l.Events, "event"), l.Reason)
	}
	return err
}
