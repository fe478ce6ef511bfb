package sessions

import (
	"context"
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Keep has what tests here need of packages that import this one. Tests of package store_test, which may import them, set it.
var Keep struct {
	EraseHost func(ctx context.Context, s *store.Store, host string) (topics []int64, err error)
	EraseAll  func(ctx context.Context, s *store.Store) error

	Known        func(ctx context.Context, s *store.Store, topic int64) (sessions []string, milestones string, err error)
	Startable    func(ctx context.Context, s *store.Store) ([]int64, error)
	Mapped       func(tb testing.TB) (s *store.Store, document, topic, crawl, drawn int64)
	EndCrawl     func(ctx context.Context, s *store.Store, id int64, reason string) error
	PutPositives func(ctx context.Context, s *store.Store, document int64, url string) error
	DeleteMap    func(ctx context.Context, s *store.Store, id int64) error
	TopicViews   func(ctx context.Context, s *store.Store) ([]TopicParts, error)
	StartLeads   func(ctx context.Context, s *store.Store, topic int64) (map[string]int, error)
	CountLeads   func(w *db.Work, topic int64) map[string]int

	Facts, CrawlOptions, MapOptions any // of the types that are written to models.facts, crawls.options and maps.options
}

// TopicParts is what tests here look at of a topic as the dashboard shows it.
type TopicParts struct {
	ID       int64
	Name     string
	Sessions int
	Members  []string
}
