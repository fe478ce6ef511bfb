package store

import (
	"context"
	"testing"
	"time"

	"nightjar/crawler/strategy"
	"nightjar/daemon/db"
)

// Keep has what tests here need of packages that import this one. Tests of package store_test, which may import them, set it.
var Keep struct {
	Save      func(ctx context.Context, from, to string) error
	Traces    func(ctx context.Context, s *Store, host string) (Traces, error)
	EraseHost func(ctx context.Context, s *Store, host string) (topics []int64, err error)
	EraseRows func(ctx context.Context, s *Store, host string) error // the first step of an erasing
	EraseAll  func(ctx context.Context, s *Store) error

	Known          func(ctx context.Context, s *Store, topic int64) (sessions []string, milestones string, err error)
	Startable      func(ctx context.Context, s *Store) ([]int64, error)
	Marked         func(ctx context.Context, s *Store, topic int64) ([]string, error) // "+" or "-" and the address of each marked find
	Mapped         func(tb testing.TB) (s *Store, document int64, crawl Crawl, drawn int64)
	PutPositives   func(ctx context.Context, s *Store, document int64, url string) error
	DeleteMap      func(ctx context.Context, s *Store, id int64) error
	ForgetModel    func(ctx context.Context, s *Store, id int64) error
	Progress       func(ctx context.Context, s *Store, crawl int64) (string, error)
	CrawlView      func(ctx context.Context, s *Store, crawl int64) (Viewed, error)
	TopicViews     func(ctx context.Context, s *Store) ([]TopicParts, error)
	FrontierCounts func(ctx context.Context, s *Store, crawl int64) (queued, dropped int, err error)
	Trail          func(ctx context.Context, s *Store, fetch int64) ([]Step, error)
	StartLeads     func(ctx context.Context, s *Store, topic int64) (map[string]int, error)
	CountLeads     func(w *db.Work, topic int64) map[string]int

	Facts, MapOptions any // of the types that are written to models.facts and maps.options
}

// Traces counts what is stored about a host.
type Traces struct {
	Fetches, Finds, Frontier, Contacts, Found, Maps, Links, Groups int
	Empty                                                          bool
}

// Step is what tests here look at of a page of a trail.
type Step struct {
	URL, List string
	Why       []strategy.Reason
	Evidence  []float64
}

// Viewed is what tests here look at of a crawl as the dashboard shows it.
type Viewed struct {
	Early, CanGoOn, Ended bool
	StopReason, Unlearned string
	LearnedAt             time.Time
	Learned, Fetched      int
}

// TopicParts is what tests here look at of a topic as the dashboard shows it.
type TopicParts struct {
	ID       int64
	Name     string
	Sessions int
	Members  []string
}
