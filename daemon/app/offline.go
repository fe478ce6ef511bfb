package app

import (
	"context"
	"fmt"
	"os"

	"nightjar/daemon/command"
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
	st, err := openStore(ctx, dir)
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
	if _, err := os.Stat(database(dir)); err != nil {
		return nil, command.WithHint(fmt.Errorf("open the data folder: %w", err), "name the data folder with --data DIR")
	}
	if err := checkDataDir(dir); err != nil {
		return nil, err
	}
	return openStore(ctx, dir)
}
