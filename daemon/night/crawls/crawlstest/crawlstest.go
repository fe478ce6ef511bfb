// Package crawlstest makes databases with crawls for tests.
package crawlstest

import (
	"testing"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db"
	"nightjar/daemon/night/crawls"
	"nightjar/daemon/store"
	"nightjar/daemon/store/storetest"
)

// Open is storetest.Open with a topic, a model of it, and a crawl that was just created. scrub is for store.Options.
func Open(tb testing.TB, options crawls.Options, scrub ...db.ScrubStep) (*store.Store, crawls.Crawl) {
	tb.Helper()
	s := storetest.OpenWith(tb, store.Options{Scrub: scrub})
	topic := storetest.Must(topics.Create(tb.Context(), s.DB, "Hockey"))(tb)
	storetest.Must(s.Writer.Exec("INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'00', '{}', 1)", topic.ID))(tb)
	return s, Make(tb, s, crawls.Crawl{TopicID: topic.ID, ModelID: 1, Strategy: "test", Options: options})
}

// Make creates a crawl.
func Make(tb testing.TB, s *store.Store, c crawls.Crawl) crawls.Crawl {
	tb.Helper()
	id := storetest.Must(crawls.Create(tb.Context(), s.DB, c))(tb)
	return storetest.Must(crawls.Get(tb.Context(), s.DB, id))(tb)
}
