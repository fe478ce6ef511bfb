package store

import (
	"context"
	"fmt"
)

// Backup writes a copy of the whole database to path, which must not exist. Other connections can read and write
// meanwhile.
func (s *Store) Backup(ctx context.Context, path string) error {
	if _, err := s.w.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return fmt.Errorf("back up to %s: %w", path, err)
	}
	return nil
}

// Size returns the size of the database in bytes.
func (s *Store) Size(ctx context.Context) (int64, error) {
	var size int64
	err := s.r.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&size)
	if err != nil {
		return 0, fmt.Errorf("read size of the database: %w", err)
	}
	return size, nil
}
