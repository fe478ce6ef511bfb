package storetest

import (
	"testing"

	"nightjar/daemon/db"
	"nightjar/daemon/store"
)

// Must returns what a call returned, and fails the test if it returned an error.
func Must[T any](v T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		OK(tb, err)
		return v
	}
}

// OK fails the test for an error.
func OK(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Open opens a new database without rows, and closes it after the test.
func Open(tb testing.TB) *store.Store {
	tb.Helper()
	return openWith(tb, store.Options{})
}

func openWith(tb testing.TB, o store.Options) *store.Store {
	tb.Helper()
	s := Must(store.OpenWith(tb.Context(), Path(tb), o))(tb)
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// WithCrawl is Open with a topic, a model of it, and a crawl that was just created. scrub is for store.Options.
func WithCrawl(tb testing.TB, options store.CrawlOptions, scrub ...db.ScrubStep) (*store.Store, store.Crawl) {
	tb.Helper()
	s := openWith(tb, store.Options{Scrub: scrub})
	topic := Must(s.CreateTopic(tb.Context(), "Hockey"))(tb)
	Must(s.Writer.Exec("INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'00', '{}', 1)", topic.ID))(tb)
	return s, Crawl(tb, s, store.Crawl{TopicID: topic.ID, ModelID: 1, Strategy: "test", Options: options})
}

// Crawl creates a crawl.
func Crawl(tb testing.TB, s *store.Store, c store.Crawl) store.Crawl {
	tb.Helper()
	id := Must(s.CreateCrawl(tb.Context(), c))(tb)
	return Must(s.CrawlByID(tb.Context(), id))(tb)
}
