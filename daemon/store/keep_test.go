package store

import "context"

// Keep has what tests here need of packages that import this one. Tests of package store_test, which may import them, set it.
var Keep struct {
	Save      func(ctx context.Context, from, to string) error
	Traces    func(ctx context.Context, s *Store, host string) (Traces, error)
	EraseHost func(ctx context.Context, s *Store, host string) (topics []int64, err error)
	EraseRows func(ctx context.Context, s *Store, host string) error // the first step of an erasing
	EraseAll  func(ctx context.Context, s *Store) error
}

// Traces counts what is stored about a host.
type Traces struct {
	Fetches, Finds, Frontier, Contacts, Found, Maps, Links, Groups int
	Empty                                                          bool
}
