package app

import (
	"context"
	"fmt"
	"os"

	"nightjar/daemon/base/command"
	"nightjar/daemon/base/terminal"
	"nightjar/daemon/browse/topics"
	"nightjar/daemon/store"
)

// WithStore opens the data folder dir, which no daemon may be using, and calls do with its store.
func WithStore(ctx context.Context, dir string, do func(*store.Store) error) error {
	held, err := openDataDir(dir)
	if err != nil {
		return err
	}
	defer func() { _ = held.Close() }() // the kernel frees the lock when the process ends
	if _, err := applyRestore(dir); err != nil {
		return err
	}
	st, err := openStore(ctx, dir, store.Options{})
	if err != nil {
		return err
	}
	defer st.Close()
	return do(st)
}

// ReadStore opens the database of the data folder dir for reading, even while a daemon is using it. From then on, files
// that the process creates are private, because the data is.
func ReadStore(ctx context.Context, dir string) (*store.Store, error) {
	PrivateFiles()
	if err := hasData(dir); err != nil {
		return nil, err
	}
	if err := checkDataDir(dir); err != nil {
		return nil, err
	}
	return openStore(ctx, dir, store.Options{})
}

// hasData returns an error that says what to do when a data folder has no database.
func hasData(dir string) error {
	_, err := os.Stat(database(dir))
	if err != nil {
		err = command.WithHint(fmt.Errorf("open the data folder: %w", err), "name the data folder with --data DIR")
	}
	return err
}

// topicNamed finds a topic by its name. The error says how to list the names.
func (a *App) topicNamed(ctx context.Context, name string) (topics.Topic, error) {
	topic, err := topics.ByName(ctx, a.Store.DB, name)
	if err != nil {
		err = command.WithHint(fmt.Errorf("topic %q: %w", name, err), "%s lists the topics", terminal.Command("export"))
	}
	return topic, err
}
