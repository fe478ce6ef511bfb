package store

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// ErrOlder says that the database has an older schema, which a reader cannot update.
var ErrOlder = errors.New("an older Nightjar wrote the database")

// OpenReadOnly is Look for a database with the schema of this program. Otherwise the error is ErrOlder or ErrNewer; it
// wraps os.ErrNotExist if there is no database.
func OpenReadOnly(ctx context.Context, path string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	s, err := Look(ctx, path)
	if err != nil {
		return nil, err
	}
	has, knows, err := s.Schema(ctx)
	switch {
	case err == nil && has > knows:
		err = fmt.Errorf("%w: its schema has version %d, this program reads version %d", ErrNewer, has, knows)
	case err == nil && has < knows:
		err = fmt.Errorf("%w: its schema has version %d, this program reads version %d", ErrOlder, has, knows)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), s.Close())
	}
	return s, nil
}
