package checks

import (
	"strings"
	"testing"
	"time"

	"nightjar/daemon/browse/topics"
	"nightjar/daemon/db/plans"
	"nightjar/daemon/learn/startpages"
	"nightjar/daemon/store/storetest"
)

// TestHealthUsesIndexes: the doctor's page is read while a person waits, too. Crawls are few.
func TestHealthUsesIndexes(t *testing.T) {
	s := storetest.Open(t)
	for _, text := range []string{listRobotsRefusals, countNightFinds} {
		plans.NoFullScans(t, s.Readers, map[string][]any{text: []any{1, 2}[:strings.Count(text, "?")]}, "crawls")
	}
}

// TestCrawlableSince: a topic that was made for a map makes no night ready, until the person makes it one.
func TestCrawlableSince(t *testing.T) {
	s := storetest.Open(t)
	topic := storetest.Must(topics.Create(t.Context(), s.DB, "Glaciers"))(t)
	storetest.Must(s.Writer.Exec("INSERT INTO models (topic_id, version, bundle, facts, created_at) VALUES (?, 1, x'00', '{}', 1)", topic.ID))(t)
	storetest.Must(startpages.Add(t.Context(), s.DB, topic.ID, "http://ice.test/"))(t)
	for _, forMap := range []bool{true, false} {
		storetest.Must(s.Writer.Exec("UPDATE topics SET for_map = ?", forMap))(t)
		if ready := storetest.Must(crawlableSince(t.Context(), s.DB, time.Now().Add(time.Hour)))(t); ready == forMap {
			t.Errorf("for a map: %v; ready: %v", forMap, ready)
		}
	}
}
