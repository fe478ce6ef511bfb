package store

import "context"

// Keep has what tests here need of packages that import this one. Tests of package store_test, which may import them, set it.
var Keep struct {
	Save func(ctx context.Context, from, to string) error
}
