package store

import (
	"context"
	"fmt"
)

// Countable names the tables that say what a database holds.
var Countable = []struct{ Name, Table string }{
	{"Topics", "topics"}, {"Sessions", "sessions"}, {"Recorded events", "events"}, {"Pages", "contents"},
	{"Models", "models"}, {"Crawls", "crawls"}, {"Finds", "finds"}, {"Marks on finds", "feedback"},
}

// CountRows counts the rows of a table of Countable. It reads the rows, not an index, so that a row that cannot be reached is
// an error.
func (s *Store) CountRows(ctx context.Context, table string) (n int, err error) {
	for _, c := range Countable {
		if c.Table != table {
			continue
		}
		err := s.r.QueryRowContext(ctx, "SELECT count(*) FROM "+table+" NOT INDEXED").Scan(&n)
		return n, err
	}
	return 0, fmt.Errorf("count rows of %s: %w", table, ErrNotFound)
}
