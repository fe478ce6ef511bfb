package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"nightjar/crawler/durable"
	"nightjar/crawler/failpoint"
	"nightjar/crawler/texts"
	"nightjar/daemon/app"
	"nightjar/daemon/base/command"
	"nightjar/daemon/base/leftovers"
	"nightjar/daemon/keep/backup"
	"nightjar/daemon/store"
)

var backupCommand = command.Command{
	Name:    "backup",
	Args:    "FILE [--archive] [--data DIR]",
	Summary: "write all data to one file",
	Help:    help("backup"),
	Files:   true,
	Verb:    command.Of[backupOptions],
}

type backupOptions struct {
	app.Config
	archive bool
}

func (o *backupOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.BoolVar(&o.archive, "archive", false, "put the archive in it")
}

func (o *backupOptions) Run(ctx context.Context, env *command.Env, files []string) error {
	if len(files) != 1 {
		return command.Usagef("backup needs the name of one file to write")
	}
	st, err := app.ReadStore(ctx, o.Data)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	defer st.Close()
	options := backup.Options{Program: app.Version, Now: time.Now()}
	if o.archive {
		options.Archive = app.ArchiveDir(o.Data)
	}
	if err := writeBackup(ctx, files[0], st, options); err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	_, err = fmt.Fprintf(env.Stdout, "The backup of %s is in %s\n", o.Data, files[0])
	return err
}

// writeBackup writes a backup under a name that must be free. Until it is whole, it has a name that ends with .part, so that a
// process that is killed leaves no half backup that looks like one. The next backup of that name replaces what was left.
func writeBackup(ctx context.Context, name string, st *store.Store, o backup.Options) error {
	taken := command.WithHint(fmt.Errorf("%s: %w", name, os.ErrExist), "name another file, or delete that one first")
	if _, err := os.Lstat(name); err == nil {
		return taken
	}
	part := name + leftovers.Part
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = backup.Write(ctx, out, st, o)
	if err = errors.Join(err, out.Close()); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	failpoint.Here("backup.before-rename")
	if _, err := os.Lstat(name); err == nil {
		return errors.Join(taken, os.Remove(part)) // it was made meanwhile
	}
	return durable.Rename(part, name)
}

var restoreCommand = command.Command{
	Name:    "restore",
	Args:    "FILE [--data DIR] [--json]",
	Summary: "put a backup in place of the data folder, and keep the old one",
	Help:    help("restore"),
	Files:   true,
	Verb:    command.Of[restoreOptions],
}

type restoreOptions struct {
	app.Config
	json bool
}

func (o *restoreOptions) Define(f *flag.FlagSet) {
	o.DataFlags(f)
	f.BoolVar(&o.json, "json", false, "print JSON")
}

func (o *restoreOptions) Run(ctx context.Context, env *command.Env, files []string) error {
	if len(files) != 1 {
		return command.Usagef("restore needs the name of one backup")
	}
	file, err := filepath.Abs(files[0])
	if err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	done := &backup.Staged{}
	err = app.Call(ctx, o.Data, "/control/restore?file="+url.QueryEscape(file), nil, done)
	if errors.Is(err, app.ErrNotRunning) {
		done, err = app.Restore(ctx, file, o.Data)
	}
	if err != nil {
		return fmt.Errorf("restore %s: %w", files[0], err)
	}
	if o.json {
		return json.NewEncoder(env.Stdout).Encode(done)
	}
	fmt.Fprintf(env.Stdout, "Restored %s of %s and %s in %s\n", texts.Plural(done.Sessions, "session"), texts.Plural(done.Topics, "topic"), texts.Plural(done.Finds, "find"), o.Data)
	if done.OldData != "" {
		fmt.Fprintf(env.Stdout, "The old data is kept in %s\n", done.OldData)
	}
	return nil
}
